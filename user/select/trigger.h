/* SPDX-License-Identifier: GPL-2.0-only */
/* What a flight recorder takes a snapshot for by itself: lines of the kernel's log, and delays. */
#ifndef FXT_SELECT_TRIGGER_H
#define FXT_SELECT_TRIGGER_H

#include <stddef.h>

#include "uapi/fxtrec.h"

#define FXT_TRIGGER_LOGS_MAX	16

struct fxt_triggers {
	const char *logs[FXT_TRIGGER_LOGS_MAX];	/* globs */
	unsigned int log_count;
	struct fxtrec_delays delays;	/* delays; size is 0 where none are watched for */
};

/*
 * log=GLOB, latency>TIME or dsleep>TIME; = does for >, which shells take for
 * theirs.  -EINVAL for anything else, -E2BIG for one GLOB too many.
 */
int fxt_trigger_add(struct fxt_triggers *triggers, const char *text);

/* Whether any is given. */
static inline int fxt_trigger_any(const struct fxt_triggers *t)
{
	return t->log_count || t->delays.size;
}

/* What asks for a snapshot in the INFO ring's event record at w, or NULL. */
const char *fxt_trigger_of(const struct fxt_triggers *triggers, const __u64 *w);

#endif
