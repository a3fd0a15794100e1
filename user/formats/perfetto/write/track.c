// SPDX-License-Identifier: GPL-2.0-only
/* Describes tracks of events: a thread's, a process's, an operation's of a process. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/perfetto/write/track.h"

/* Most described tracks: with more, the state is cleared, and tracks are described again on use. */
#define TRACKS_MAX	(32u << 10)

int fxt_pf_track_seen(struct fxt_pf_file *f, __u64 uuid)
{
	static char described;

	if (fxt_map_get(&f->tracks, uuid))
		return 1;
	if (f->tracks.count == TRACKS_MAX) {
		fxt_map_uninit(&f->tracks, NULL);
		fxt_pf_state_clear(f);
	}
	return fxt_map_put(&f->tracks, uuid, &described);
}

int fxt_pf_track_put(struct fxt_pf_file *f, Pf__TrackDescriptor *track, __u64 uuid)
{
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;

	track->has_uuid = true;
	track->uuid = uuid;
	packet.track_descriptor = track;
	return fxt_pf_packet(f, &packet);
}

int fxt_pf_track_process(struct fxt_pf_file *f, const struct fxt_record *r, __u64 *uuid)
{
	Pf__ProcessDescriptor process = PF__PROCESS_DESCRIPTOR__INIT;
	Pf__TrackDescriptor track = PF__TRACK_DESCRIPTOR__INIT;
	int known;

	*uuid = r->thread.process ? fxt_pf_mix(FXT_PF_OF_PROCESS, r->thread.process) : 0;
	if (!*uuid)
		return 0;
	known = fxt_pf_track_seen(f, *uuid);
	if (known)
		return known < 0 ? known : 0;
	process.has_pid = true;
	process.pid = fxt_pf_id(f, r->thread.process);
	track.process = &process;
	return fxt_pf_track_put(f, &track, *uuid);
}

int fxt_pf_track_thread(struct fxt_pf_file *f, const struct fxt_record *r, __u64 *uuid)
{
	Pf__ThreadDescriptor thread = PF__THREAD_DESCRIPTOR__INIT;
	Pf__TrackDescriptor track = PF__TRACK_DESCRIPTOR__INIT;
	int known;

	*uuid = fxt_pf_mix(fxt_pf_mix(FXT_PF_OF_THREAD, r->thread.process), r->thread.thread);
	known = fxt_pf_track_seen(f, *uuid);
	if (known)
		return known < 0 ? known : 0;
	thread.has_pid = thread.has_tid = true;
	thread.pid = fxt_pf_id(f, r->thread.process);
	thread.tid = fxt_pf_id(f, r->thread.thread);
	track.thread = &thread;
	return fxt_pf_track_put(f, &track, *uuid);
}

const struct fxt_text *fxt_pf_track_name(const struct fxt_record *r)
{
	const struct fxt_arg *arg = &r->args[0];

	return r->arg_count && arg->type == FXT_ARG_STRING && arg->string.length &&
	       fxt_text_equal(&arg->name, FXT_TRACK_ARG) ? &arg->string : NULL;
}

/* Describes an operation's track; without a name of its own, it has the first event's. */
static int async_put(struct fxt_pf_file *f, const struct fxt_record *r, const struct fxt_text *name, __u64 uuid)
{
	const char *prefix = name ? FXT_PF_NAMED_PREFIX : FXT_PF_ASYNC_PREFIX;
	Pf__TrackDescriptor track = PF__TRACK_DESCRIPTOR__INIT;
	char id[sizeof(FXT_PF_ASYNC_PREFIX) + 20];
	__u64 parent;
	int err = fxt_pf_track_process(f, r, &parent);

	if (err)
		return err;
	snprintf(id, sizeof(id), "%s%" PRIu64, prefix, (uint64_t)r->event.id);
	track.has_parent_uuid = parent != 0;
	track.parent_uuid = parent;
	track.description = id;
	track.name = fxt_text_copy(name ? name : &r->name);
	err = track.name ? fxt_pf_track_put(f, &track, uuid) : -ENOMEM;
	free(track.name);
	return err;
}

/*
 * Finds an operation's track.  Events of one number nest, whatever their names, if they have the same track or
 * category.
 */
int fxt_pf_track_async(struct fxt_pf_file *f, const struct fxt_record *r, __u64 *uuid)
{
	const struct fxt_text *name = fxt_pf_track_name(r);
	int known;

	*uuid = fxt_pf_mix(fxt_pf_mix(name ? FXT_PF_OF_NAMED : FXT_PF_OF_ASYNC, r->thread.process), r->event.id);
	*uuid = fxt_pf_mix_text(*uuid, name ? name : &r->category);
	known = fxt_pf_track_seen(f, *uuid);
	if (known)
		return known < 0 ? known : 0;
	return async_put(f, r, name, *uuid);
}
