/* SPDX-License-Identifier: GPL-2.0-only */
/* Times to cut a trace with too many records into parts with few enough. */
#ifndef FXT_CONVERT_CUTS_H
#define FXT_CONVERT_CUTS_H

#include <stdbool.h>

#include <linux/types.h>

/* Most cuts: with more parts, the last one is too large again. */
#define FXT_CUTS_MAX	256u

struct fxt_cuts {
	__u64 at[FXT_CUTS_MAX];	/* times in ns: a part ends before, the next starts at this time */
	__u32 count;
	__u64 records;		/* number of records since the last cut */
	__u64 last;		/* time of the last cut, or of the first record, in ns */
	bool started;
};

/* Counts a record in time order.  Slices across a cut are in both parts: an eighth of the limit is left for them. */
static inline void fxt_cuts_add(struct fxt_cuts *cuts, __u64 records_max, bool timed, __u64 ns)
{
	if (timed && !cuts->started) {
		cuts->started = true;
		cuts->last = ns;
	}
	if (timed && cuts->records >= records_max - records_max / 8 && ns > cuts->last && cuts->count < FXT_CUTS_MAX) {
		cuts->at[cuts->count++] = cuts->last = ns;
		cuts->records = 0;
	}
	cuts->records++;
}

#endif
