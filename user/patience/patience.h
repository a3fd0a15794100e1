/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits of a wait for something that may never come, as a disk that does not answer. */
#ifndef FXT_UTIL_PATIENCE_H
#define FXT_UTIL_PATIENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "util/time.h"

struct fxt_patience {
	bool (*over)(void *arg);	/* whether to give up the wait; called every FXT_PATIENCE_NS */
	void *arg;
};

/* Interval between calls of over(). */
#define FXT_PATIENCE_NS	(SECOND_NS / 1000)

/* Returns whether the wait is to be given up; NULL waits for ever. */
static inline bool fxt_patience_over(const struct fxt_patience *patience)
{
	return patience && patience->over(patience->arg);
}

#endif
