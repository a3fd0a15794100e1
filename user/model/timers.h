/* SPDX-License-Identifier: GPL-2.0-only */
/* Timers' callbacks on a CPU, by the tracepoints of their begins and ends. */
#ifndef FXT_MODEL_TIMERS_H
#define FXT_MODEL_TIMERS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#include "fxt/linux.h"

/* A begin or an end. */
struct fxt_timer_event {
	bool begins;
	bool wheel;		/* of the timer wheel, which runs in softirqs alone */
};

/* Returns whether a tracepoint of that name, the kernel's or LTTng's, is such an event. */
bool fxt_timer_event(const char *name, size_t bytes, struct fxt_timer_event *event);

/* Whether a file has ends of callbacks as often as begins; all zero at first. */
struct fxt_timer_pairs {
	__u64 ended, unended;
};

/* The callbacks that run on a CPU, by level: SOFTIRQ or HARDIRQ; all zero is none. */
struct fxt_timers {
	struct {
		bool runs;
		__u64 thread;	/* that it interrupts */
	} of[FXT_CONTEXT_HARDIRQ + 1];
};

/* Notes a begin or an end in a softirq or in an interrupt; in any other context nothing. */
void fxt_timers_note(struct fxt_timers *timers, struct fxt_timer_pairs *pairs, enum fxt_waker_context level,
		     __u64 thread, bool begins);

/* Notes that no callback of a level runs. */
void fxt_timers_clear(struct fxt_timers *timers, enum fxt_waker_context level);

/* Returns whether a callback runs; false also where more callbacks of the file lack their end than have one. */
bool fxt_timers_run(const struct fxt_timers *timers, const struct fxt_timer_pairs *pairs, enum fxt_waker_context level,
		    __u64 thread);

#endif
