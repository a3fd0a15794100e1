/* SPDX-License-Identifier: GPL-2.0-only */
/* Gaps: times with lost events, as a list of disjoint spans. */
#ifndef FXT_ANALYZE_MACHINE_GAPS_H
#define FXT_ANALYZE_MACHINE_GAPS_H

#include <stdbool.h>

#include "store/spill.h"

struct fxt_gap {
	__u64 from, to;
	__u64 before;		/* ns of all preceding gaps */
};

/*
 * A list of gaps; all zero: empty.  A list may include all gaps of a shared list, so that
 * common gaps are kept once; gaps are added to each list in the order of their starts.
 */
struct fxt_gaps {
	struct fxt_gap *gap;	/* ascending; member before excludes the overlap with shared */
	size_t count;
	size_t room;
	const struct fxt_gaps *shared;	/* list without a shared list itself; NULL: none */
};

/* Adds a gap; earlier ones started no later.  Returns 0 or -ENOMEM. */
int fxt_gaps_add(struct fxt_gaps *gaps, struct fxt_spill *spill, __u64 from, __u64 to);

/* Ends the last gap, if it was added without an end (~0). */
void fxt_gaps_end(struct fxt_gaps *gaps, __u64 to);
void fxt_gaps_uninit(struct fxt_gaps *gaps, struct fxt_spill *spill);

/* Finds the first gap that ends after a time.  Returns false if there is none. */
bool fxt_gaps_after(const struct fxt_gaps *gaps, __u64 ns, struct fxt_gap *gap);

/* Finds the first piece of [from, to): without losses up to *known, and lost from there to *again. */
void fxt_gaps_piece(const struct fxt_gaps *gaps, __u64 from, __u64 to, __u64 *known, __u64 *again);

/* Returns the end of the last gap; 0: no gap. */
__u64 fxt_gaps_last(const struct fxt_gaps *gaps);

/* Returns the end of the time from `from` on without losses: at most to. */
__u64 fxt_gaps_known(const struct fxt_gaps *gaps, __u64 from, __u64 to);

static inline __u64 fxt_gaps_before(const struct fxt_gaps *gaps, __u64 from, __u64 to)
{
	return gaps->count || gaps->shared ? fxt_gaps_known(gaps, from, to) : to;
}

/* Returns ns of [from, to) that are in gaps. */
__u64 fxt_gaps_overlap(const struct fxt_gaps *gaps, __u64 from, __u64 to);

#endif
