// SPDX-License-Identifier: GPL-2.0-only
/* The page's slices: durations of threads, of interrupts and of asynchronous work. */
#include <errno.h>
#include <string.h>

#include "page/timeline.h"
#include "page/timeline_track.h"

/* Open slices of a track; deeper ones are left out. */
#define OPEN_MAX	512u

struct fxt_page_slice {
	struct fxt_page_row row;
	bool whole;		/* its end is known, and its row has been put */
};

static int open_put(struct fxt_page_timeline *t, struct fxt_page_track *track, const struct fxt_page_slice *slice)
{
	if (track->count == OPEN_MAX) {
		track->deeper += !slice->whole;
		return 0;
	}
	if (track->count == track->room) {
		__u32 room = track->room ? 4 * track->room : 1;
		struct fxt_page_slice *open = fxt_spill_alloc(t->m->spill, room * sizeof(*open));

		if (!open)
			return -ENOMEM;
		fxt_spill_touch(t->m->spill, track);
		if (track->open)
			memcpy(open, track->open, track->count * sizeof(*open));
		fxt_spill_free(t->m->spill, track->open, track->room * sizeof(*open));
		track->open = open;
		track->room = room;
	}
	fxt_spill_touch(t->m->spill, track->open);
	track->open[track->count++] = *slice;
	if (track->count > track->depth)
		track->depth = track->count;
	return 0;
}

static int begin(struct fxt_page_timeline *t, struct fxt_page_track *track, const struct fxt_record *r, __u64 to)
{
	struct fxt_page_slice slice = { .whole = to != ~0ULL };
	struct fxt_page_row *row = &slice.row;
	int err;

	row->kind = FXT_PAGE_SLICE;
	row->track = track->number;
	row->from = r->ticks;
	row->to = to > r->ticks ? to : r->ticks;
	row->depth = track->count < OPEN_MAX ? track->count : OPEN_MAX;
	row->cpu = fxt_page_string(&t->strings, r->category.bytes, r->category.length);
	if (!track->category)
		track->category = row->cpu;
	else if (track->category != row->cpu)
		track->category = FXT_PAGE_CATEGORIES;
	err = fxt_page_event_describe(t, row, &r->name, r);
	if (!err && slice.whole && fxt_page_event_counts(t, row->from, row->to)) {
		struct fxt_page_row put = *row;

		err = fxt_page_timeline_put(t, &put);
	}
	if (err)
		return err;
	fxt_spill_touch(t->m->spill, track);
	return open_put(t, track, &slice);
}

/* Ends what is known to end at a time. */
static void past_drop(struct fxt_page_track *track, __u64 ns)
{
	while (track->count && track->open[track->count - 1].whole && track->open[track->count - 1].row.to <= ns)
		track->count--;
}

static int end(struct fxt_page_timeline *t, struct fxt_page_track *track, const struct fxt_record *r)
{
	struct fxt_page_row row;
	int err;

	if (track->deeper) {
		track->deeper--;
		return 0;
	}
	/* Those that overlap it, and don't nest. */
	while (track->count && track->open[track->count - 1].whole)
		track->count--;
	if (!track->count)
		return 0;
	row = track->open[--track->count].row;
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

	track = fxt_page_event_track(t, r, FXT_PAGE_SLICE, 0, &err);
	if (!track)
		return err;
	if (track->open)
		fxt_spill_touch(t->m->spill, track->open);
	past_drop(track, r->ticks);
	switch (r->event.type) {
	case FXT_EVENT_DURATION_COMPLETE:
		return begin(t, track, r, r->event.end);
	case FXT_EVENT_DURATION_BEGIN:
	case FXT_EVENT_ASYNC_BEGIN:
		return begin(t, track, r, ~0ULL);
	default:
		return end(t, track, r);
	}
}

int fxt_page_slices_end(struct fxt_page_timeline *t)
{
	struct fxt_page_track *track;
	size_t at = 0;
	int err = 0;
	__u32 i;

	while (!err && (track = fxt_map_next(&t->tracks, &at))) {
		fxt_spill_touch(t->m->spill, track);
		if (track->of.kind != FXT_PAGE_SLICE)
			continue;
		for (i = 0; i < track->count && !err; i++) {
			struct fxt_page_row row;

			fxt_spill_touch(t->m->spill, &track->open[i]);
			row = track->open[i].row;
			row.to = t->m->to;
			row.phase = 1;
			if (!track->open[i].whole && fxt_page_event_counts(t, row.from, row.to))
				err = fxt_page_timeline_put(t, &row);
		}
	}
	return err;
}

void fxt_page_timeline_events_uninit(struct fxt_page_timeline *t)
{
	struct fxt_page_track *track;
	size_t at = 0;

	while ((track = fxt_map_next(&t->tracks, &at))) {
		fxt_spill_touch(t->m->spill, track);
		if (track->open)
			fxt_spill_free(t->m->spill, track->open, track->room * sizeof(*track->open));
	}
}
