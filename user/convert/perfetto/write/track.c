// SPDX-License-Identifier: GPL-2.0-only
/* Tracks of events: a thread's, a process's, an operation's of a process. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "convert/perfetto/write/track.h"

/* Beyond that, the state is cleared, and tracks are described again on use. */
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

int fxt_pf_track_pid(struct fxt_pf_file *f, __u64 koid, __u64 *uuid)
{
	Pf__ProcessDescriptor process = PF__PROCESS_DESCRIPTOR__INIT;
	Pf__TrackDescriptor track = PF__TRACK_DESCRIPTOR__INIT;
	int known;

	*uuid = fxt_pf_mix(FXT_PF_OF_PROCESS, koid);
	known = fxt_pf_track_seen(f, *uuid);
	if (known)
		return known < 0 ? known : 0;
	process.has_pid = true;
	process.pid = fxt_pf_id(f, koid);
	track.process = &process;
	return fxt_pf_track_put(f, &track, *uuid);
}

int fxt_pf_track_process(struct fxt_pf_file *f, const struct fxt_record *r, __u64 *uuid)
{
	*uuid = 0;
	return r->thread.process ? fxt_pf_track_pid(f, r->thread.process, uuid) : 0;
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

/* Events of one number and category nest, whatever their names: the first one's is the track's. */
int fxt_pf_track_async(struct fxt_pf_file *f, const struct fxt_record *r, __u64 *uuid)
{
	Pf__TrackDescriptor track = PF__TRACK_DESCRIPTOR__INIT;
	char id[sizeof(FXT_PF_ASYNC_PREFIX) + 20];
	__u64 parent;
	int known;

	*uuid = fxt_pf_mix(fxt_pf_mix(FXT_PF_OF_ASYNC, r->thread.process), r->event.id);
	*uuid = fxt_pf_mix_text(*uuid, &r->category);
	known = fxt_pf_track_seen(f, *uuid);
	if (known)
		return known < 0 ? known : 0;
	known = fxt_pf_track_pid(f, r->thread.process, &parent);
	if (known)
		return known;
	snprintf(id, sizeof(id), FXT_PF_ASYNC_PREFIX "%" PRIu64, (uint64_t)r->event.id);
	track.has_parent_uuid = true;
	track.parent_uuid = parent;
	track.description = id;
	track.name = fxt_text_copy(&r->name);
	known = track.name ? fxt_pf_track_put(f, &track, *uuid) : -ENOMEM;
	free(track.name);
	return known;
}
