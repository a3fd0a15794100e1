// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the rows of slice: durations of threads, interrupts and asynchronous work, and instants with a duration of 0.
 */
#include <errno.h>
#include <stdlib.h>

#include "analyze/machine/open_slices.h"
#include "fxt/events.h"
#include "model/async.h"
#include "model/complete.h"
#include "query/events.h"
#include "util/list.h"

struct open_slice {
	struct fxt_open_slice open;	/* slice with a known end: its row has been put */
	struct fxt_query_row row;
};

/*
 * A track that slices nest on: a thread, or one id of asynchronous work.  A later thread
 * with the same id has another track.
 */
struct track {
	struct track_name {
		struct fxt_async_id async;	/* id of asynchronous work; for a thread, its process and thread id */
		__u64 utid;
		__u32 of_thread, machine;
	} name;
	struct fxt_open_slices open;
	struct track *next;
};

static struct track *track_of(struct fxt_query_scan *s, const struct fxt_record *r)
{
	bool async = r->event.type != FXT_EVENT_DURATION_BEGIN && r->event.type != FXT_EVENT_DURATION_END &&
		     r->event.type != FXT_EVENT_DURATION_COMPLETE;
	struct track_name name = { .of_thread = !async, .machine = s->pass->m->tasks.machine };
	struct track *track;

	if (async)
		name.async = fxt_async_id(r);
	else
		name.async = (struct fxt_async_id){ .process = r->thread.process, .id = r->thread.thread };
	if (!async)
		name.utid = fxt_query_utid(s, r).integer;
	track = fxt_map_named(&s->tracks, &name, sizeof(name));
	if (track)
		return track;
	track = fxt_map_new_named(&s->tracks, &name, sizeof(name), sizeof(*track));
	if (!track)
		return NULL;
	fxt_list_append(s->first_track, s->last_track, track);
	return track;
}

/* Sets a row of slice: ts, dur, name, category, utid, depth, tid, cpu, machine, upid, track_id. */
static int row_set(struct fxt_query_scan *s, struct fxt_query_row *row, const struct fxt_record *r)
{
	__u64 koid = r->thread.thread;
	bool of_cpu = koid >= FXT_KOID_TRACK(0, 0) && koid < FXT_KOID_TRACK(0, FXT_TRACKS);
	int err;

	*row = (struct fxt_query_row){ 0 };
	row->v[0] = fxt_query_number(r->ticks);
	err = fxt_query_text_set(s, &row->v[2], &r->name);
	if (!err)
		err = fxt_query_text_set(s, &row->v[3], &r->category);
	if (r->event.type < FXT_EVENT_ASYNC_BEGIN)
		row->v[4] = fxt_query_utid(s, r);
	row->v[5] = fxt_query_number(0);
	if (!of_cpu)
		row->v[6] = fxt_query_id(koid);
	row->v[7] = fxt_query_known(of_cpu, koid & 0xffff);
	row->v[8] = fxt_query_number(s->pass->m->tasks.machine);
	if (!of_cpu)
		row->v[9] = fxt_query_upid(s, r);
	row->v[10] = row->v[4];
	if (!row->v[4].type && row->v[9].type)
		row->v[10] = fxt_query_signed(-row->v[9].integer);
	return err;
}

static void depth_set(struct track *track, struct open_slice *slice)
{
	slice->open.depth = fxt_open_slices_depth(&track->open, sizeof(*slice));
	slice->row.v[5] = fxt_query_number(slice->open.depth);
}

static int open_put(struct fxt_query_scan *s, struct track *track, const struct open_slice *slice)
{
	return fxt_open_slices_put(&track->open, s->pass->m->spill, slice, sizeof(*slice), FXT_OPEN_SLICES_MAX);
}

static int begin(struct fxt_query_scan *s, struct track *track, const struct fxt_record *r)
{
	struct open_slice slice = { .open.name = fxt_open_slice_name(r) };
	int err = row_set(s, &slice.row, r);

	depth_set(track, &slice);
	return err ? err : open_put(s, track, &slice);
}

/* Puts the row at once, since the end is known or stays unknown.  A slice of no duration can contain no other. */
static int complete(struct fxt_query_scan *s, struct track *track, const struct fxt_record *r)
{
	__u64 end = fxt_complete_end(r);
	struct open_slice slice = { .open.end = end };
	int err = row_set(s, &slice.row, r);

	slice.row.v[1] = fxt_query_known(end != ~0ULL, end - r->ticks);
	depth_set(track, &slice);
	if (!err && fxt_query_counts(s, r->ticks, end))
		err = fxt_query_row_put(s, &slice.row);
	return err || end == r->ticks ? err : open_put(s, track, &slice);
}

static int end(struct fxt_query_scan *s, struct track *track, const struct fxt_record *r)
{
	struct open_slice *slice = fxt_open_slices_close(&track->open, sizeof(*slice), fxt_open_slice_name(r));

	if (!slice)
		return 0;
	slice->row.v[1] = fxt_query_number(r->ticks - (__u64)slice->row.v[0].integer);
	return fxt_query_counts(s, slice->row.v[0].integer, r->ticks) ? fxt_query_row_put(s, &slice->row) : 0;
}

static int instant(struct fxt_query_scan *s, const struct fxt_record *r)
{
	struct fxt_query_row row;
	int err = row_set(s, &row, r);

	row.v[1] = fxt_query_number(0);
	return err ? err : fxt_query_counts(s, r->ticks, r->ticks) ? fxt_query_row_put(s, &row) : 0;
}

bool fxt_query_machines_own(const struct fxt_record *r)
{
	return fxt_text_equal(&r->category, "fxtrec") ||
	       (fxt_text_equal(&r->category, "sched") && fxt_text_equal(&r->name, "blocked"));
}

static int event(void *state, const struct fxt_record *r)
{
	struct fxt_query_scan *s = state;
	struct track *track;

	if (r->kind != FXT_KIND_EVENT || r->event.type == FXT_EVENT_COUNTER ||
	    r->event.type >= FXT_EVENT_FLOW_BEGIN || fxt_query_machines_own(r))
		return 0;
	if (r->event.type == FXT_EVENT_INSTANT || r->event.type == FXT_EVENT_ASYNC_INSTANT)
		return instant(s, r);
	track = track_of(s, r);
	if (!track)
		return -ENOMEM;
	fxt_open_slices_pass(&track->open, sizeof(struct open_slice), r->ticks);
	switch (r->event.type) {
	case FXT_EVENT_DURATION_COMPLETE:
		return complete(s, track, r);
	case FXT_EVENT_DURATION_BEGIN:
	case FXT_EVENT_ASYNC_BEGIN:
		return begin(s, track, r);
	default:
		return end(s, track, r);
	}
}

/* Puts the slices that are open at the trace's end, with an unknown duration. */
static int finish(struct fxt_query_scan *s)
{
	struct track *track;
	int err = 0;
	__u32 i;

	for (track = s->first_track; track && !err; track = track->next) {
		for (i = 0; track->name.machine == s->pass->m->tasks.machine && i < track->open.count && !err; i++) {
			struct open_slice *slice = fxt_open_slice_at(&track->open, sizeof(*slice), i);

			if (!slice->open.end && fxt_query_counts(s, slice->row.v[0].integer, ~0ULL))
				err = fxt_query_row_put(s, &slice->row);
		}
	}
	return err;
}

static void tracks_free(struct fxt_query_scan *s)
{
	struct track *track;

	for (track = s->first_track; track; track = track->next)
		fxt_open_slices_free(&track->open, s->pass->m->spill, sizeof(struct open_slice));
}

static const struct fxt_observer_ops ops = { .event = event };

const struct fxt_query_table fxt_query_slice = {
	.name = "slice",
	.columns = "ts,dur,name,category,utid,depth,tid,cpu,machine,upid,track_id",
	.names_threads = true,
	.ops = &ops,
	.finish = finish,
	.close = tracks_free,
};
