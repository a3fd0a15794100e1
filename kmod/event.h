/* SPDX-License-Identifier: GPL-2.0-only */
/* Records in this CPU's EVENTS ring, from any context. */
#ifndef FXT_KMOD_EVENT_H
#define FXT_KMOD_EVENT_H

#include <linux/irqflags.h>
#include <linux/string.h>

#include "probe.h"
#include "recording.h"

#define FXT_EVENTS_RESERVE(area, bytes, ticks) \
	fxt_nested_reserve(area, FXTREC_RING_EVENTS, bytes, ticks)
#define FXT_COPY(to, from, bytes)	memcpy(to, from, bytes)

#include "fxt/slice.h"

struct fxt_event {
	struct fxtrec_area *area;
	u64 ticks;
	unsigned long irq;
};

/*
 * Starts an event.  Interrupts stay off until fxt_event_end(), so that only an NMI can nest.
 * Returns false, with interrupts as before, if the CPU has no rings.
 */
static inline bool fxt_event_begin(struct fxt_event *e)
{
	local_irq_save(e->irq);
	e->area = this_cpu_read(fxt_cpu.area);
	if (unlikely(e->area == &fxt_null_area)) {
		local_irq_restore(e->irq);
		return false;
	}
	e->ticks = fxt_clock();
	return true;
}

/* Commits the event's record, if one was reserved. */
static inline void fxt_event_end(struct fxt_event *e, bool reserved)
{
	if (reserved)
		fxt_nested_commit(&e->area->ring[FXTREC_RING_EVENTS]);
	local_irq_restore(e->irq);
}

/* A family of events in the module.  init and uninit may be NULL. */
struct fxt_family {
	struct fxt_probe *probes;	/* registered in this order */
	unsigned int count;
	int (*init)(void);		/* before the probes are registered */
	void (*uninit)(void);		/* after the probes are drained */
};

#define FXT_FAMILY_DECLARE(bit, name, id, ...) extern const struct fxt_family fxt_##id##_family;
FXT_FAMILIES(FXT_FAMILY_DECLARE, FXT_NONE, FXT_NONE, FXT_NONE)

/* Registers the families of these FXTREC_EVENTS_*.  Returns 0 or -errno. */
int fxt_events_register(u32 events);
/* Unregisters the families in reverse order; waits until none of their probes runs. */
void fxt_events_unregister(u32 events);

#endif
