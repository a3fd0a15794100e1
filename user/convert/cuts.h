/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a trace of more records than are allowed is cut into parts that are not. */
#ifndef FXT_CONVERT_CUTS_H
#define FXT_CONVERT_CUTS_H

#include <stdbool.h>

#include <linux/types.h>

/* Of more parts, the last one is too large again. */
#define FXT_CUTS_MAX	256u

struct fxt_cuts {
	__u64 at[FXT_CUTS_MAX];	/* ns: a part ends before it, the next begins */
	__u32 count;
	__u64 records;		/* since the last one */
	__u64 last;		/* ns of it, or of the first record */
	bool started;
};

/* Counts a record in time order.  What begins in one part and ends in another is in both: an eighth is left for it. */
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
