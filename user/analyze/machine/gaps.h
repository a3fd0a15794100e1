/* SPDX-License-Identifier: GPL-2.0-only */
/* Gaps: when events were lost, as a list of disjoint spans. */
#ifndef FXT_ANALYZE_MACHINE_GAPS_H
#define FXT_ANALYZE_MACHINE_GAPS_H

#include <stdbool.h>

#include "store/spill.h"

struct fxt_gap {
	__u64 from, to;
	__u64 before;		/* ns of all gaps before it */
};

/*
 * All zero is none.  A list may have all gaps of another one, too, so that what many lists have is kept once; to both
 * they are added in the order of their begins.
 */
struct fxt_gaps {
	struct fxt_gap *gap;	/* ascending; before: but for what shared has */
	size_t count;
	size_t room;
	const struct fxt_gaps *shared;	/* which shares none itself; NULL: none */
};

/* Adds a gap; those before began no later.  0 or -ENOMEM. */
int fxt_gaps_add(struct fxt_gaps *gaps, struct fxt_spill *spill, __u64 from, __u64 to);

/* The last gap, which was added without an end (~0), has one. */
void fxt_gaps_end(struct fxt_gaps *gaps, __u64 to);
void fxt_gaps_uninit(struct fxt_gaps *gaps, struct fxt_spill *spill);

/* From when to when the first gap is that ends after a time; false: there is none. */
bool fxt_gaps_after(const struct fxt_gaps *gaps, __u64 ns, struct fxt_gap *gap);

/* The first piece of [from, to): nothing is lost up to *known, all is from there up to *again. */
void fxt_gaps_piece(const struct fxt_gaps *gaps, __u64 from, __u64 to, __u64 *known, __u64 *again);

/* When the last gap ends; 0: there is none. */
__u64 fxt_gaps_last(const struct fxt_gaps *gaps);

/* Up to when nothing is lost from a time on: at most to. */
__u64 fxt_gaps_known(const struct fxt_gaps *gaps, __u64 from, __u64 to);

static inline __u64 fxt_gaps_before(const struct fxt_gaps *gaps, __u64 from, __u64 to)
{
	return gaps->count || gaps->shared ? fxt_gaps_known(gaps, from, to) : to;
}

/* ns of [from, to) that are in gaps. */
__u64 fxt_gaps_overlap(const struct fxt_gaps *gaps, __u64 from, __u64 to);

#endif
