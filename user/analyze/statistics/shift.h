/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How far a figure of one recording is from that of another, and how sure that is.  Each recording
 * is cut into blocks of equal time: how much these differ says what chance does, dependence of
 * samples that follow each other included.
 */
#ifndef FXT_ANALYZE_STATISTICS_SHIFT_H
#define FXT_ANALYZE_STATISTICS_SHIFT_H

#include <stdbool.h>

#include "analyze/statistics/histogram.h"

#define FXT_BLOCKS	64u

/* Durations by the block that they ended in; all zero is none. */
struct fxt_durations {
	struct fxt_histogram *block[FXT_BLOCKS];	/* NULL: none in it */
	__u64 count;
};

/* memory: of the histograms; spill: of their buckets.  0 or -ENOMEM. */
int fxt_durations_add(struct fxt_durations *durations, struct fxt_arena *memory, struct fxt_spill *spill,
		      unsigned int block, __u64 ns);

/* After the last, before they are compared; 0 or -ENOMEM. */
int fxt_durations_settle(struct fxt_durations *durations, struct fxt_spill *spill);

/* Amounts by block, such as a count of events or ns on a CPU. */
struct fxt_amounts {
	__u64 block[FXT_BLOCKS];
	__u64 events;		/* that all of it is of */
};

/* Ratios: 0.05 is 5 %. */
struct fxt_shift {
	double a, b;		/* the figures */
	double change;		/* b / a - 1; infinity where a is 0 */
	double low, high;	/* of change, with 95 % confidence; infinite where there is no bound */
	double p;		/* the likelihood of such a change where there is none beyond the margin */
	double weight;		/* more than 0: how much it matters among all that are judged together */
	bool tested;		/* there was enough of it: the others but a and b hold */
	bool changed;		/* of all that were tested, it is one of those that hold together */
};

/* What counts as a change: more than a share of a, and more than an amount. */
struct fxt_margin {
	double share;
	double amount;		/* ns, or of a rate */
};

/* Of a quantile, in 1/1000, of durations in ns.  0 or -ENOMEM. */
int fxt_shift_quantile(struct fxt_shift *shift, const struct fxt_durations *a, const struct fxt_durations *b,
		       unsigned int permille, const struct fxt_margin *margin);

/* Of an amount in a second; a_ns, b_ns: the recordings' lengths. */
void fxt_shift_rate(struct fxt_shift *shift, const struct fxt_amounts *a, __u64 a_ns,
		    const struct fxt_amounts *b, __u64 b_ns, const struct fxt_margin *margin);

/*
 * Sets changed, by Holm's method with weights: that any of the others than those that changed is
 * set is less likely than risk.  0 or -ENOMEM.
 */
int fxt_shifts_judge(struct fxt_shift *const *shifts, size_t count, double risk);

#endif
