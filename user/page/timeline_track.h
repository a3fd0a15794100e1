/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared parts of slices, instants and counters. */
#ifndef FXT_PAGE_TIMELINE_TRACK_H
#define FXT_PAGE_TIMELINE_TRACK_H

#include "page/timeline.h"

/*
 * Returns the track of an event, which may be new; name: a string's number.  NULL: *err, 0 where there are too many
 * tracks.
 */
struct fxt_page_track *fxt_page_event_track(struct fxt_page_timeline *t, const struct fxt_record *r,
					    enum fxt_page_kind kind, __u32 name, int *err);

/* Returns the track of a name in the same way. */
struct fxt_page_track *fxt_page_track_get(struct fxt_page_timeline *t, const struct fxt_page_track_name *name,
					  int *err);

/* Returns the lane of asynchronous work; NULL without an error where it has none, or there are too many lanes. */
struct fxt_page_track *fxt_page_lane(struct fxt_page_timeline *t, const struct fxt_record *r, int *err);

/* Frees the lane of a work that has ended, once all of its slices are closed. */
void fxt_page_lane_end(struct fxt_page_timeline *t, const struct fxt_record *r);

/* Adds the name and the arguments of a record to a row, after its present text.  0 or -errno. */
int fxt_page_event_describe(struct fxt_page_timeline *t, struct fxt_page_row *row, const struct fxt_text *name,
			    const struct fxt_record *r);

/* Puts a begin, an end, or a whole slice; fxt_page_slices_end() puts slices without an end, after the last record. */
int fxt_page_slice_put(struct fxt_page_timeline *t, const struct fxt_record *r);
int fxt_page_slices_end(struct fxt_page_timeline *t);

/* Returns whether a time from..to touches the page's. */
static inline bool fxt_page_event_counts(const struct fxt_page_timeline *t, __u64 from, __u64 to)
{
	return from <= t->m->to && to >= t->m->from;
}

#endif
