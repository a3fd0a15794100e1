/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes a row for each time that a thread leaves its CPU: an observer of the state machine. */
#ifndef FXT_ANALYZE_TIMEHIST_H
#define FXT_ANALYZE_TIMEHIST_H

#include "analyze/machine/machine.h"

/* Value of an unknown time. */
#define FXT_TIMEHIST_UNKNOWN	(~0ULL)

struct fxt_timehist_row {
	const struct fxt_machine *m;
	__u64 ns;		/* ns of the switch */
	struct fxt_cpu *cpu;
	struct fxt_task *task;	/* outgoing thread, or &cpu->idle */
	const struct fxt_switch_view *view;
	__u64 wait;		/* ns from its last switch-out to its switch-in */
	__u64 delay;		/* part of wait since its wakeup; 0: it was not woken */
	__u64 throttled;	/* part of wait, in the window, when its control group was throttled */
	__u64 run;		/* ns from its switch-in on */
	const struct fxt_task *waker;	/* NULL: it was not woken, or the waker isn't known */
	enum fxt_waker_context context;
	__s64 from_cpu;		/* CPU of the preceding run; -1: the same CPU, or not known */
	const struct fxt_sleep_reason *reason;	/* reason of the sleep in wait; NULL: no sleep, or the recording has no reasons */
	enum fxt_wait_class class;	/* class of that sleep */
	const struct fxt_task *holder;	/* thread of the reason's holder; NULL: not known */
};

struct fxt_timehist {
	struct fxt_machine *m;
	unsigned int slot;	/* index in data[] */
	int (*put)(void *state, const struct fxt_timehist_row *row);
	void *state;
};

/* Initializes.  put takes each row of the window, in time order. */
void fxt_timehist_init(struct fxt_timehist *timehist, struct fxt_machine *m,
		       int (*put)(void *state, const struct fxt_timehist_row *row), void *state);

#endif
