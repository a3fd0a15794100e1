// SPDX-License-Identifier: GPL-2.0-only
/* Tracks of events: a thread's, an operation's of a process, a counter's of a process. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "convert/perfetto/write.h"
#include "util/hash.h"

/* Beyond that, the state is cleared, and tracks are described again on use. */
#define TRACKS_MAX	(32u << 10)

enum kind { PROCESS = 1, THREAD, ASYNC, COUNTER };

static __u64 mix(__u64 h, __u64 value)
{
	h = ((h + 0x632be59bd9b4e019ull) ^ value) * FXT_GOLDEN;
	h ^= h >> 29;
	h *= 0xbf58476d1ce4e5b9ull;
	h ^= h >> 32;
	/* 0 is the track of the whole trace. */
	return h ? h : 1;
}

static __u64 mix_text(__u64 h, const struct fxt_text *text)
{
	return mix(fxt_hash_bytes(h, text->bytes, text->length), text->length);
}

/* 1 where the track was described before; 0, -ENOMEM. */
static int seen(struct fxt_pf_file *f, __u64 uuid)
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

static int describe(struct fxt_pf_file *f, Pf__TrackDescriptor *track, __u64 uuid)
{
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;

	track->has_uuid = true;
	track->uuid = uuid;
	packet.track_descriptor = track;
	return fxt_pf_packet(f, &packet);
}

static int process_track(struct fxt_pf_file *f, __u64 koid, __u64 *uuid)
{
	Pf__ProcessDescriptor process = PF__PROCESS_DESCRIPTOR__INIT;
	Pf__TrackDescriptor track = PF__TRACK_DESCRIPTOR__INIT;
	int known;

	*uuid = mix(PROCESS, koid);
	known = seen(f, *uuid);
	if (known)
		return known < 0 ? known : 0;
	process.has_pid = true;
	process.pid = fxt_pf_id(f, koid);
	track.process = &process;
	return describe(f, &track, *uuid);
}

int fxt_pf_track_process(struct fxt_pf_file *f, const struct fxt_record *r, __u64 *uuid)
{
	*uuid = 0;
	return r->thread.process ? process_track(f, r->thread.process, uuid) : 0;
}

int fxt_pf_track_thread(struct fxt_pf_file *f, const struct fxt_record *r, __u64 *uuid)
{
	Pf__ThreadDescriptor thread = PF__THREAD_DESCRIPTOR__INIT;
	Pf__TrackDescriptor track = PF__TRACK_DESCRIPTOR__INIT;
	int known;

	*uuid = mix(mix(THREAD, r->thread.process), r->thread.thread);
	known = seen(f, *uuid);
	if (known)
		return known < 0 ? known : 0;
	thread.has_pid = thread.has_tid = true;
	thread.pid = fxt_pf_id(f, r->thread.process);
	thread.tid = fxt_pf_id(f, r->thread.thread);
	track.thread = &thread;
	return describe(f, &track, *uuid);
}

/* Events of one number and category nest, whatever their names: the first one's is the track's. */
int fxt_pf_track_async(struct fxt_pf_file *f, const struct fxt_record *r, __u64 *uuid)
{
	Pf__TrackDescriptor track = PF__TRACK_DESCRIPTOR__INIT;
	char id[sizeof(FXT_PF_ASYNC_PREFIX) + 20];
	__u64 parent;
	int known;

	*uuid = mix(mix(ASYNC, r->thread.process), r->event.id);
	*uuid = mix_text(*uuid, &r->category);
	known = seen(f, *uuid);
	if (known)
		return known < 0 ? known : 0;
	known = process_track(f, r->thread.process, &parent);
	if (known)
		return known;
	snprintf(id, sizeof(id), FXT_PF_ASYNC_PREFIX "%" PRIu64, (uint64_t)r->event.id);
	track.has_parent_uuid = true;
	track.parent_uuid = parent;
	track.description = id;
	track.name = fxt_text_copy(&r->name);
	known = track.name ? describe(f, &track, *uuid) : -ENOMEM;
	free(track.name);
	return known;
}

/* Named "name:argument:id"; its key and category separate the parts. */
int fxt_pf_track_counter(struct fxt_pf_file *f, const struct fxt_record *r,
			 const struct fxt_text *arg, __u64 *uuid)
{
	Pf__CounterDescriptor counter = PF__COUNTER_DESCRIPTOR__INIT;
	Pf__TrackDescriptor track = PF__TRACK_DESCRIPTOR__INIT;
	char *category;
	__u64 parent;
	int known;

	*uuid = mix(mix(COUNTER, r->thread.process), r->event.id);
	*uuid = mix_text(mix_text(mix_text(*uuid, &r->category), &r->name), arg);
	known = seen(f, *uuid);
	if (known)
		return known < 0 ? known : 0;
	known = process_track(f, r->thread.process, &parent);
	if (known)
		return known;
	track.has_parent_uuid = true;
	track.parent_uuid = parent;
	category = fxt_text_copy(&r->category);
	counter.y_axis_share_key = fxt_text_copy(&r->name);
	if (asprintf(&track.name, "%.*s:%.*s:%" PRIu64, (int)r->name.length, r->name.bytes,
		     (int)arg->length, arg->bytes, (uint64_t)r->event.id) < 0)
		track.name = NULL;
	counter.n_categories = r->category.length ? 1 : 0;
	counter.categories = &category;
	track.counter = &counter;
	known = category && track.name && counter.y_axis_share_key ?
		describe(f, &track, *uuid) : -ENOMEM;
	free(category);
	free(counter.y_axis_share_key);
	free(track.name);
	return known;
}
