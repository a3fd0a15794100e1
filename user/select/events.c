// SPDX-License-Identifier: GPL-2.0-only
/* The events that can be recorded besides scheduling. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "select/events.h"
#include "uapi/fxtrec.h"

const struct fxt_event_group fxt_event_groups[] = {
	{ "sched", 0, "sched:sched_switch sched:sched_waking sched:sched_wakeup_new "
	  "sched:sched_migrate_task" },
#define GROUP(bit, name, id, tracepoints, items)	{ #id, FXTREC_EVENTS_##name, tracepoints },
	FXT_NAMED_FAMILIES(GROUP, FXT_NONE, FXT_NONE, FXT_NONE)
#undef GROUP
	{ "mm", FXTREC_EVENTS_TRACEPOINTS, "exceptions:page_fault_user exceptions:page_fault_kernel "
	  "kmem:mm_page_alloc kmem:mm_page_free vmscan:* compaction:* oom:*" },
	{ "sched-extra", FXTREC_EVENTS_TRACEPOINTS, "sched:sched_process_fork "
	  "sched:sched_process_exec sched:sched_process_exit sched:sched_pi_setprio task:task_rename" },
	{ "ipi", FXTREC_EVENTS_TRACEPOINTS, "ipi:* irq_vectors:reschedule_* irq_vectors:call_function_*" },
	{ NULL, 0, NULL },
};

static int pattern_add(struct fxt_events *e, const char *text, bool optional)
{
	const char *colon = strchr(text, ':');

	if (!colon || colon == text || !colon[1] || strchr(colon + 1, ':') || strchr(text, '/') ||
	    e->patterns == FXT_EVENTS_PATTERNS_MAX)
		return -EINVAL;
	e->pattern[e->patterns].text = strdup(text);
	e->pattern[e->patterns].optional = optional;
	if (!e->pattern[e->patterns].text)
		return -ENOMEM;
	e->patterns++;
	e->events |= FXTREC_EVENTS_TRACEPOINTS;
	return 0;
}

static int group_add(struct fxt_events *e, const struct fxt_event_group *g)
{
	char *text = strdupa(g->tracepoints), *pattern;
	int err = 0;

	if (!(g->events & FXTREC_EVENTS_TRACEPOINTS)) {
		e->events |= g->events;
		return 0;
	}
	while (!err && (pattern = strsep(&text, " ")))
		err = pattern_add(e, pattern, true);
	return err;
}

static int add(struct fxt_events *e, const char *name)
{
	const struct fxt_event_group *g;
	bool all = !strcmp(name, "all"), found = false;
	int err = 0;

	for (g = fxt_event_groups; g->name && !err; g++) {
		if (!all && strcmp(name, g->name))
			continue;
		found = true;
		err = group_add(e, g);
	}
	return found ? err : pattern_add(e, name, false);
}

int fxt_events_parse(struct fxt_events *e, const char *list, char *wrong, size_t room)
{
	char *text = strdupa(list), *name;
	int err;

	while ((name = strsep(&text, ","))) {
		err = add(e, name);
		if (err) {
			snprintf(wrong, room, "%s", name);
			return err;
		}
	}
	return 0;
}

void fxt_events_uninit(struct fxt_events *e)
{
	while (e->patterns)
		free(e->pattern[--e->patterns].text);
}
