/* SPDX-License-Identifier: GPL-2.0-only */
/* Follows timers' callbacks on a CPU by the tracepoints of their starts and ends. */
#ifndef FXT_MODEL_TIMERS_H
#define FXT_MODEL_TIMERS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#include "fxt/linux.h"

/* A start or an end of a callback. */
struct fxt_timer_event {
	bool begins;
	bool wheel;		/* the timer wheel's callback, which runs only in softirqs */
};

/* Returns whether a tracepoint's name, the kernel's or LTTng's, is that of a start or an end. */
bool fxt_timer_event(const char *name, size_t bytes, struct fxt_timer_event *event);

/* Counts of callbacks of a file with an end and without one; initially zero. */
struct fxt_timer_pairs {
	__u64 ended, unended;
};

/* The callbacks that run on a CPU by level, SOFTIRQ or HARDIRQ; all zero: no callback. */
struct fxt_timers {
	struct {
		bool runs;
		__u64 thread;	/* interrupted thread */
	} of[FXT_CONTEXT_HARDIRQ + 1];
};

/* Notes a start or an end in a softirq or a hard interrupt; ignores any other context. */
void fxt_timers_note(struct fxt_timers *timers, struct fxt_timer_pairs *pairs, enum fxt_waker_context level,
		     __u64 thread, bool begins);

/* Notes that no callback of a level runs. */
void fxt_timers_clear(struct fxt_timers *timers, enum fxt_waker_context level);

/* Returns whether a callback runs; false where more callbacks of the file lack their end than have it. */
bool fxt_timers_run(const struct fxt_timers *timers, const struct fxt_timer_pairs *pairs, enum fxt_waker_context level,
		    __u64 thread);

#endif
