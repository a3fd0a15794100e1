/* SPDX-License-Identifier: GPL-2.0-only */
/* Gaps: when events were lost, as a list of disjoint spans. */
#ifndef FXT_ANALYZE_MACHINE_GAPS_H
#define FXT_ANALYZE_MACHINE_GAPS_H

#include "store/spill.h"

struct fxt_gap {
	__u64 from, to;
	__u64 before;		/* ns of all gaps before it */
};

/* All zero is none. */
struct fxt_gaps {
	struct fxt_gap *gap;	/* ascending */
	size_t count;
	size_t room;
};

/* Adds a gap; those before began no later.  0 or -ENOMEM. */
int fxt_gaps_add(struct fxt_gaps *gaps, struct fxt_spill *spill, __u64 from, __u64 to);

/* The last gap, which was added without an end (~0), has one. */
void fxt_gaps_end(struct fxt_gaps *gaps, struct fxt_spill *spill, __u64 to);
void fxt_gaps_uninit(struct fxt_gaps *gaps, struct fxt_spill *spill);

/* The first gap that ends after a time, or NULL. */
const struct fxt_gap *fxt_gaps_after(const struct fxt_gaps *gaps, struct fxt_spill *spill, __u64 ns);

/* Up to when nothing is lost from a time on: at most to. */
static inline __u64 fxt_gaps_before(const struct fxt_gaps *gaps, struct fxt_spill *spill, __u64 from, __u64 to)
{
	const struct fxt_gap *gap = gaps->count ? fxt_gaps_after(gaps, spill, from) : NULL;

	return !gap || gap->from >= to ? to : gap->from > from ? gap->from : from;
}

/* ns of [from, to) that are in gaps. */
__u64 fxt_gaps_overlap(const struct fxt_gaps *gaps, struct fxt_spill *spill, __u64 from, __u64 to);

#endif
