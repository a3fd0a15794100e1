/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compares a figure of two recordings: the change, and its confidence.  Each recording is
 * cut into blocks of equal time.  The variance between the blocks shows the influence of
 * chance, including the dependence of consecutive samples.
 */
#ifndef FXT_ANALYZE_STATISTICS_SHIFT_H
#define FXT_ANALYZE_STATISTICS_SHIFT_H

#include <stdbool.h>

#include "analyze/statistics/histogram.h"

#define FXT_BLOCKS	64u

/* Durations by the block where they ended; all zero: none. */
struct fxt_durations {
	struct fxt_histogram *block[FXT_BLOCKS];	/* NULL: no duration in the block */
	__u64 count;
};

/* Adds a duration.  memory: for the histograms; spill: for their buckets.  Returns 0 or -ENOMEM. */
int fxt_durations_add(struct fxt_durations *durations, struct fxt_arena *memory, struct fxt_spill *spill,
		      unsigned int block, __u64 ns);

/* Completes the durations before a comparison.  Returns 0 or -ENOMEM. */
int fxt_durations_settle(struct fxt_durations *durations, struct fxt_spill *spill);

/* Amounts by block, such as a count of events, or ns on a CPU. */
struct fxt_amounts {
	__u64 block[FXT_BLOCKS];
	__u64 events;		/* number of events in all blocks */
};

/* A comparison.  Ratios: 0.05 is 5 %. */
struct fxt_shift {
	double a, b;		/* figures of the two recordings */
	double change;		/* b / a - 1; infinity where a is 0 */
	double low, high;	/* bounds of change with 95 % confidence; infinite: no bound */
	double p;		/* likelihood of such a change, if the true change is within the margin */
	double weight;		/* weight among all figures that are judged together, more than 0 */
	bool tested;		/* there were enough events: all members are valid, not only a and b */
	bool changed;		/* the change is significant among all tested figures */
};

/* Limits of an irrelevant change: a share of a, and an amount. */
struct fxt_margin {
	double share;
	double amount;		/* ns, or an amount per second */
};

/* Compares a quantile (in thousandths) of durations in ns.  Returns 0 or -ENOMEM. */
int fxt_shift_quantile(struct fxt_shift *shift, const struct fxt_durations *a, const struct fxt_durations *b,
		       unsigned int permille, const struct fxt_margin *margin);

/* Compares an amount per second; a_ns, b_ns: lengths of the recordings. */
void fxt_shift_rate(struct fxt_shift *shift, const struct fxt_amounts *a, __u64 a_ns,
		    const struct fxt_amounts *b, __u64 b_ns, const struct fxt_margin *margin);

/*
 * Sets changed by Holm's method with weights: the likelihood that any unchanged figure is
 * marked as changed is below risk.  Returns 0 or -ENOMEM.
 */
int fxt_shifts_judge(struct fxt_shift *const *shifts, size_t count, double risk);

#endif
