// SPDX-License-Identifier: GPL-2.0-only
/* The page's slices: durations of threads, of interrupts and of asynchronous work. */
#include <errno.h>
#include <string.h>

#include "model/complete.h"
#include "page/timeline.h"
#include "page/timeline_track.h"

/* The most open slices of a track; deeper ones are left out. */
#define OPEN_MAX	512u

struct fxt_page_slice {
	struct fxt_open_slice open;	/* its row has been put if its end is known */
	struct fxt_page_row row;
};

static int begin(struct fxt_page_timeline *t, struct fxt_page_track *track, const struct fxt_record *r)
{
	__u64 to = r->event.type == FXT_EVENT_DURATION_COMPLETE ? fxt_complete_end(r) : r->ticks;
	struct fxt_page_slice slice = { 0 };
	struct fxt_page_row *row = &slice.row;
	int err;

	row->depth = fxt_open_slices_depth(&track->open, sizeof(slice));
	row->kind = FXT_PAGE_SLICE;
	row->track = track->number;
	row->from = r->ticks;
	row->to = to == ~0ULL ? t->m->to : to;
	row->phase = to == ~0ULL;
	if (r->event.type == FXT_EVENT_DURATION_COMPLETE)
		slice.open.end = to ? to : 1;
	slice.open.name = fxt_open_slice_name(r);
	row->cpu = fxt_page_string(&t->strings, r->category.bytes, r->category.length);
	if (!track->category)
		track->category = row->cpu;
	else if (track->category != row->cpu)
		track->category = FXT_PAGE_CATEGORIES;
	err = fxt_page_event_describe(t, row, &r->name, r);
	if (!err && slice.open.end && fxt_page_event_counts(t, row->from, row->to)) {
		struct fxt_page_row put = *row;

		err = fxt_page_timeline_put(t, &put);
	}
	if (err)
		return err;
	slice.open.depth = row->depth;
	err = fxt_open_slices_put(&track->open, t->m->spill, &slice, sizeof(slice), OPEN_MAX);
	if (track->open.count > track->depth)
		track->depth = track->open.count;
	return err;
}

static int end(struct fxt_page_timeline *t, struct fxt_page_track *track, const struct fxt_record *r)
{
	const struct fxt_page_slice *slice = fxt_open_slices_close(&track->open, sizeof(*slice),
								    fxt_open_slice_name(r));
	struct fxt_page_row row;
	int err;

	if (!slice)
		return 0;
	row = slice->row;
	row.to = r->ticks;
	if (!fxt_page_event_counts(t, row.from, row.to))
		return 0;
	err = fxt_page_event_describe(t, &row, NULL, r);
	return err ? err : fxt_page_timeline_put(t, &row);
}

int fxt_page_slice_put(struct fxt_page_timeline *t, const struct fxt_record *r)
{
	struct fxt_page_track *track;
	int err;

	track = r->event.type >= FXT_EVENT_ASYNC_BEGIN ? fxt_page_lane(t, r, &err) :
		fxt_page_event_track(t, r, FXT_PAGE_SLICE, 0, &err);
	if (!track)
		return err;
	fxt_open_slices_pass(&track->open, sizeof(struct fxt_page_slice), r->ticks);
	switch (r->event.type) {
	case FXT_EVENT_DURATION_COMPLETE:
	case FXT_EVENT_DURATION_BEGIN:
	case FXT_EVENT_ASYNC_BEGIN:
		return begin(t, track, r);
	case FXT_EVENT_ASYNC_END:
		err = end(t, track, r);
		fxt_page_lane_end(t, r);
		return err;
	default:
		return end(t, track, r);
	}
}

int fxt_page_slices_end(struct fxt_page_timeline *t)
{
	struct fxt_page_track *track;
	int err = 0;
	__u32 i;

	for (track = t->first_track; track && !err; track = track->next) {
		if (track->of.kind != FXT_PAGE_SLICE)
			continue;
		for (i = 0; i < track->open.count && !err; i++) {
			const struct fxt_page_slice *slice = fxt_open_slice_at(&track->open, sizeof(*slice), i);
			struct fxt_page_row row;

			row = slice->row;
			row.to = t->m->to;
			row.phase = 1;
			if (!slice->open.end && fxt_page_event_counts(t, row.from, row.to))
				err = fxt_page_timeline_put(t, &row);
		}
	}
	return err;
}

void fxt_page_timeline_events_uninit(struct fxt_page_timeline *t)
{
	struct fxt_page_track *track;

	for (track = t->first_track; track; track = track->next)
		fxt_open_slices_free(&track->open, t->m->spill, sizeof(struct fxt_page_slice));
}
