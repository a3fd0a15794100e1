/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeps the order of equal times of ordered inputs: text with microseconds, where the order of the lines is the order
 * of events.  A format that stores each CPU's events separately loses that order; it matters where two events are of
 * one thread.
 */
#ifndef FXT_STAGES_TIES_H
#define FXT_STAGES_TIES_H

#include "stages/stage.h"
#include "model/inputs.h"

#define FXT_TIES_MAX	64u

struct fxt_ties {
	const struct fxt_inputs *inputs;
	__u64 top;		/* last time in of[], in ns */
	__u32 count;
	struct fxt_tie {
		__u64 ns;
		__u64 thread[2];	/* 0: unused */
		__u32 cpu;
	} of[FXT_TIES_MAX];	/* records of one time, and records that were moved after it */
};

/*
 * Moves a context switch or a wakeup, in the order of its input, a nanosecond after another CPU's event of the same
 * thread and time, and after its own CPU's moved events.  Any other record, and any of an input without such an order,
 * stays.
 */
int fxt_ties_put(struct fxt_stage *stage, struct fxt_record *r);

#endif
