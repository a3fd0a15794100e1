// SPDX-License-Identifier: GPL-2.0-only
/* The groups of events beside scheduling. */
#include <linux/kernel.h>

#include "event.h"
#include "irq.h"
#include "tracepoint.h"
#include "power.h"
#include "stack.h"
#include "syscall.h"
#include "probe.h"

static const struct {
	u32 event;
	int (*register_)(void);
	void (*unregister)(void);
} groups[] = {
	{ FXTREC_EVENTS_IRQ, fxt_irq_register, fxt_irq_unregister },
	{ FXTREC_EVENTS_POWER, fxt_power_register, fxt_power_unregister },
	{ FXTREC_EVENTS_SYSCALLS, fxt_syscall_register, fxt_syscall_unregister },
	{ FXTREC_EVENTS_TRACEPOINTS, fxt_tracepoint_register, fxt_tracepoint_unregister },
	{ FXTREC_EVENTS_STACKS, fxt_stack_register, fxt_stack_unregister },
};

static void unregister(u32 events, unsigned int count)
{
	while (count--)
		if (events & groups[count].event)
			groups[count].unregister();
}

int fxt_events_register(u32 events)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(groups); i++) {
		err = events & groups[i].event ? groups[i].register_() : 0;
		if (err) {
			unregister(events, i);
			fxt_probe_drain();
			return err;
		}
	}
	return 0;
}

void fxt_events_unregister(u32 events)
{
	unregister(events, ARRAY_SIZE(groups));
}
