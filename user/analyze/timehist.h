/* SPDX-License-Identifier: GPL-2.0-only */
/* A row for each time that a thread left its CPU: an observer of the state machine. */
#ifndef FXT_ANALYZE_TIMEHIST_H
#define FXT_ANALYZE_TIMEHIST_H

#include "analyze/machine/machine.h"

/* What isn't known is ~0. */
#define FXT_TIMEHIST_UNKNOWN	(~0ULL)

struct fxt_timehist_row {
	__u64 ns;		/* of the switch */
	struct fxt_cpu *cpu;
	struct fxt_task *task;	/* that leaves; &cpu->idle */
	const struct fxt_switch_view *view;
	__u64 wait;		/* ns from its last switch-out to its switch-in */
	__u64 delay;		/* ns of these from its wakeup on; 0: it was not woken */
	__u64 throttled;	/* ns of these, in the window, in which its control group's limit kept it from running */
	__u64 run;		/* ns from its switch-in */
	const struct fxt_task *waker;	/* NULL: it was not woken, or it isn't known */
	enum fxt_waker_context context;
	__s64 from_cpu;		/* where it ran the time before; -1: here, or not known */
};

struct fxt_timehist {
	struct fxt_machine *m;
	unsigned int slot;	/* of data[] */
	int (*put)(void *state, const struct fxt_timehist_row *row);
	void *state;
};

/* put: takes each row of the window, in the order of time. */
void fxt_timehist_init(struct fxt_timehist *timehist, struct fxt_machine *m,
		       int (*put)(void *state, const struct fxt_timehist_row *row), void *state);

#endif
