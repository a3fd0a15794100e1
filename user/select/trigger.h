/* SPDX-License-Identifier: GPL-2.0-only */
/* Triggers of snapshots that come from the kernel: lines of its log, and delays. */
#ifndef FXT_SELECT_TRIGGER_H
#define FXT_SELECT_TRIGGER_H

#include <stddef.h>

#include "uapi/fxtrec.h"

#define FXT_TRIGGER_LOGS_MAX	16

/* The start of each kind, for a shell to complete. */
#define FXT_TRIGGER_KINDS	"log=|latency>|dsleep>"

/* Numbers of triggers: the delays, then each GLOB. */
#define FXT_TRIGGERS_MAX	(FXTREC_DELAYS + FXT_TRIGGER_LOGS_MAX)

struct fxt_triggers {
	const char *given[FXT_TRIGGERS_MAX];	/* texts by number; NULL: not given */
	unsigned int log_count;
	struct fxtrec_delays delays;	/* size is 0 without delays */
};

/*
 * Adds a trigger: log=GLOB, latency>TIME or dsleep>TIME; = may replace >, which a shell would interpret.  -EINVAL for
 * any other text, -E2BIG for one GLOB too many.
 */
int fxt_trigger_add(struct fxt_triggers *triggers, const char *text);

/* Returns whether any trigger is given. */
static inline int fxt_trigger_any(const struct fxt_triggers *t)
{
	return t->log_count || t->delays.size;
}

/* Returns the number of the trigger that matches the INFO ring's event record at w, or -1. */
int fxt_trigger_of(const struct fxt_triggers *triggers, const __u64 *w);

/* Returns the name of a trigger, as a snapshot has it. */
const char *fxt_trigger_name(unsigned int trigger);

#endif
