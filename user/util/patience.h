/* SPDX-License-Identifier: GPL-2.0-only */
/* How long something is waited for that may never come: a disk that does not answer. */
#ifndef FXT_UTIL_PATIENCE_H
#define FXT_UTIL_PATIENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "util/time.h"

struct fxt_patience {
	bool (*over)(void *arg);	/* whether it is given up; called each FXT_PATIENCE_NS */
	void *arg;
};

/* How often it is asked. */
#define FXT_PATIENCE_NS	(SECOND_NS / 1000)

/* NULL: for ever. */
static inline bool fxt_patience_over(const struct fxt_patience *patience)
{
	return patience && patience->over(patience->arg);
}

#endif
