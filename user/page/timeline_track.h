/* SPDX-License-Identifier: GPL-2.0-only */
/* What slices, instants and counters have in common. */
#ifndef FXT_PAGE_TIMELINE_TRACK_H
#define FXT_PAGE_TIMELINE_TRACK_H

#include "page/timeline.h"

/* The track of an event, a new one if need be; name: a string's number.  NULL: *err, 0 where there are too many. */
struct fxt_page_track *fxt_page_event_track(struct fxt_page_timeline *t, const struct fxt_record *r,
					    enum fxt_page_kind kind, __u32 name, int *err);

/* The track of a name, likewise. */
struct fxt_page_track *fxt_page_track_get(struct fxt_page_timeline *t, const struct fxt_page_track_name *name,
					  int *err);

/* The lane that asynchronous work is on: NULL, and no error, where it has none, or there are too many. */
struct fxt_page_track *fxt_page_lane(struct fxt_page_timeline *t, const struct fxt_record *r, int *err);

/* After an end: its lane is another's, once all that it has is closed. */
void fxt_page_lane_end(struct fxt_page_timeline *t, const struct fxt_record *r);

/* Gives a row the name and the arguments of a record, behind the text that it has.  0 or -errno. */
int fxt_page_event_describe(struct fxt_page_timeline *t, struct fxt_page_row *row, const struct fxt_text *name,
			    const struct fxt_record *r);

/* A begin, an end, or a whole slice; after the last record: those that have no end. */
int fxt_page_slice_put(struct fxt_page_timeline *t, const struct fxt_record *r);
int fxt_page_slices_end(struct fxt_page_timeline *t);

/* Whether a time from..to touches the page's. */
static inline bool fxt_page_event_counts(const struct fxt_page_timeline *t, __u64 from, __u64 to)
{
	return from <= t->m->to && to >= t->m->from;
}

#endif
