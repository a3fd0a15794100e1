// SPDX-License-Identifier: GPL-2.0-only
/* Interrupts: probes on handlers and softirqs. */
#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <trace/events/irq.h>

#include "event.h"
#include "filter.h"
#include "fxt/irq.h"

/* Copies the handler's name as text.  Returns its bytes. */
static u32 name_of(struct fxt_irq_name *name, const struct irqaction *action)
{
	ssize_t bytes;

	*name = (struct fxt_irq_name){};
	bytes = strscpy((char *)name->word, action->name ?: "", sizeof(*name));
	fxt_irq_name_clean(name);
	return bytes < 0 ? sizeof(*name) - 1 : bytes;
}

/* Puts an entry.  Returns whether space was reserved, which the caller commits. */
static bool entry_put(struct fxt_event *e, int irq, struct irqaction *action, u64 ticks)
{
	u64 record[FXT_IRQ_BYTES_MAX / 8], *w;
	struct fxt_irq_name name;
	u32 bytes = fxt_irq_entry(record, &name, name_of(&name, action), irq, ticks);

	w = fxt_track_begin(e->area, FXT_TRACK_IRQ, bytes, ticks);
	if (w)
		memcpy(w, record, bytes);
	return w != FXT_NO_PLACE;
}

static bool exit_put(struct fxt_event *e, int irq, struct irqaction *action, int ret)
{
	u64 record[FXT_IRQ_BYTES_MAX / 8], *w;
	struct fxt_irq_name name;
	u32 bytes = fxt_irq_exit(record, &name, name_of(&name, action), irq, ret, e->ticks);

	w = fxt_track_end(e->area, FXT_TRACK_IRQ, bytes, e->ticks);
	if (w)
		memcpy(w, record, bytes);
	return w != FXT_NO_PLACE;
}

static bool keeps_begin(const struct fxt_event *e, enum fxt_track track)
{
	return fxt_queue_handler_begin(smp_processor_id(), current->pid, track, e->ticks);
}

static void probe_entry(void *data, int irq, struct irqaction *action)
{
	struct fxt_event e;

	if (fxt_event_begin(&e))
		fxt_event_end(&e, keeps_begin(&e, FXT_TRACK_IRQ) && entry_put(&e, irq, action, e.ticks));
}

static void probe_exit(void *data, int irq, struct irqaction *action, int ret)
{
	struct fxt_event e;
	u64 started;

	if (!fxt_event_begin(&e))
		return;
	started = fxt_queue_handler_end(smp_processor_id(), FXT_TRACK_IRQ);
	if (started && entry_put(&e, irq, action, started))
		fxt_nested_commit(&e.area->ring[FXTREC_RING_EVENTS]);
	fxt_event_end(&e, exit_put(&e, irq, action, ret));
}

static void probe_softirq_entry(void *data, unsigned int vec)
{
	struct fxt_event e;

	if (fxt_event_begin(&e))
		fxt_event_end(&e, keeps_begin(&e, FXT_TRACK_SOFTIRQ) &&
			      fxt_softirq_slice_begin(e.area, vec, e.ticks));
}

static void probe_softirq_exit(void *data, unsigned int vec)
{
	struct fxt_event e;
	u64 started;

	if (!fxt_event_begin(&e))
		return;
	started = fxt_queue_handler_end(smp_processor_id(), FXT_TRACK_SOFTIRQ);
	if (started && fxt_softirq_slice_begin(e.area, vec, started))
		fxt_nested_commit(&e.area->ring[FXTREC_RING_EVENTS]);
	fxt_event_end(&e, fxt_softirq_slice_end(e.area, vec, e.ticks));
}

/* Ends first: an end without a recorded begin is dropped. */
static struct fxt_probe irq_probes[] = {
	FXT_PROBE(irq_handler_exit, probe_exit),
	FXT_PROBE(irq_handler_entry, probe_entry),
	FXT_PROBE(softirq_exit, probe_softirq_exit),
	FXT_PROBE(softirq_entry, probe_softirq_entry),
};

const struct fxt_family fxt_irq_family = {
	.probes = irq_probes,
	.count = ARRAY_SIZE(irq_probes),
};
