// SPDX-License-Identifier: GPL-2.0-only
/* The events that can be asked for beside scheduling. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "events.h"
#include "uapi/fxtrec.h"

const struct fxt_event_group fxt_event_groups[] = {
	{ "sched", 0, "sched:sched_switch sched:sched_waking sched:sched_wakeup_new" },
	{ "irq", FXTREC_EVENTS_IRQ, "irq:irq_handler_entry irq:irq_handler_exit irq:softirq_entry "
	  "irq:softirq_exit" },
	{ "power", FXTREC_EVENTS_POWER, "power:cpu_idle power:cpu_frequency" },
	{ "syscalls", FXTREC_EVENTS_SYSCALLS, "raw_syscalls:sys_enter raw_syscalls:sys_exit" },
	{ NULL, 0, NULL },
};

static int add(const char *name, __u32 *events)
{
	const struct fxt_event_group *g;

	if (!strcmp(name, "all")) {
		*events |= FXTREC_EVENTS_ALL;
		return 0;
	}
	for (g = fxt_event_groups; g->name; g++) {
		if (!strcmp(name, g->name)) {
			*events |= g->events;
			return 0;
		}
	}
	return -EINVAL;
}

int fxt_events_parse(const char *list, __u32 *events, char *wrong, size_t room)
{
	char *text = strdupa(list), *name;

	while ((name = strsep(&text, ","))) {
		if (add(name, events)) {
			snprintf(wrong, room, "%s", name);
			return -EINVAL;
		}
	}
	return 0;
}
