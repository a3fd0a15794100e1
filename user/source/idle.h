/* SPDX-License-Identifier: GPL-2.0-only */
/* Work that continues during a long operation: draining the rings. */
#ifndef FXT_SOURCE_IDLE_H
#define FXT_SOURCE_IDLE_H

#include "source/clock.h"

/* The longest time without draining the rings; they hold much more than that. */
#define FXT_IDLE_NS	1000000ULL

struct fxt_idle {
	void (*run)(void *arg);		/* NULL: nothing to run */
	void *arg;
	__u64 last;			/* CLOCK_MONOTONIC of the last run */
};

/* Calls run() if it is due; to be called often.  NULL is allowed. */
static inline void fxt_idle_run(struct fxt_idle *idle)
{
	__u64 now = idle && idle->run ? fxt_clock_mono() : 0;

	if (!now || now - idle->last < FXT_IDLE_NS)
		return;
	idle->run(idle->arg);
	idle->last = fxt_clock_mono();
}

#endif
