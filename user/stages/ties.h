/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Equal times of ordered inputs: text of microseconds, where the order of the lines says what came first.  A format
 * that has each CPU's events by themselves loses that order; where two of them are of one thread, it matters.
 */
#ifndef FXT_STAGES_TIES_H
#define FXT_STAGES_TIES_H

#include "stages/stage.h"
#include "stream/sorter.h"

#define FXT_TIES_MAX	64u

struct fxt_ties {
	const struct fxt_sorter *sorter;
	__u64 top;		/* ns: the last of these */
	__u32 count;
	struct fxt_tie {
		__u64 ns;
		__u64 thread[2];	/* 0: none */
		__u32 cpu;
	} of[FXT_TIES_MAX];	/* of one time, and what was moved behind it */
};

/*
 * Moves a context switch or a wakeup, in the order of its input, a nanosecond behind another CPU's of the same
 * thread and time, and behind its own CPU's that were moved.  Any other record, and any of an
 * input without such an order, stays.
 */
int fxt_ties_put(struct fxt_stage *stage, struct fxt_record *r);

#endif
