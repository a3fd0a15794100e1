/* SPDX-License-Identifier: GPL-2.0-only */
/* What has to go on in the middle of something long: the rings are drained. */
#ifndef FXT_SOURCE_IDLE_H
#define FXT_SOURCE_IDLE_H

#include "source/clock.h"

/* How long the rings are not drained at most: they hold that, and much more. */
#define FXT_IDLE_NS	1000000ULL

struct fxt_idle {
	void (*run)(void *arg);		/* NULL: there is nothing */
	void *arg;
	__u64 last;			/* CLOCK_MONOTONIC */
};

/* To be called often; runs it where it is time again.  NULL is allowed. */
static inline void fxt_idle_run(struct fxt_idle *idle)
{
	__u64 now = idle && idle->run ? fxt_clock_mono() : 0;

	if (!now || now - idle->last < FXT_IDLE_NS)
		return;
	idle->run(idle->arg);
	idle->last = fxt_clock_mono();
}

#endif
