// SPDX-License-Identifier: GPL-2.0-only
/* Interrupts: probes on handlers and softirqs. */
#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <trace/events/irq.h>

#include "event.h"
#include "fxt/irq.h"

/* Copies the handler's name as text; returns its bytes. */
static u32 name_of(struct fxt_irq_name *name, const struct irqaction *action)
{
	ssize_t bytes;

	*name = (struct fxt_irq_name){};
	bytes = strscpy((char *)name->word, action->name ?: "", sizeof(*name));
	fxt_irq_name_clean(name);
	return bytes < 0 ? sizeof(*name) - 1 : bytes;
}

static void probe_entry(void *data, int irq, struct irqaction *action)
{
	u64 record[FXT_IRQ_BYTES_MAX / 8], *w;
	struct fxt_irq_name name;
	struct fxt_event e;
	u32 bytes;

	if (!fxt_event_begin(&e))
		return;
	bytes = fxt_irq_entry(record, &name, name_of(&name, action), irq, e.ticks);
	w = fxt_track_begin(e.area, FXT_TRACK_IRQ, bytes, e.ticks);
	if (w)
		memcpy(w, record, bytes);
	fxt_event_end(&e, w != FXT_NO_PLACE);
}

static void probe_exit(void *data, int irq, struct irqaction *action, int ret)
{
	u64 record[FXT_IRQ_BYTES_MAX / 8], *w;
	struct fxt_irq_name name;
	struct fxt_event e;
	u32 bytes;

	if (!fxt_event_begin(&e))
		return;
	bytes = fxt_irq_exit(record, &name, name_of(&name, action), irq, ret, e.ticks);
	w = fxt_track_end(e.area, FXT_TRACK_IRQ, bytes, e.ticks);
	if (w)
		memcpy(w, record, bytes);
	fxt_event_end(&e, w != FXT_NO_PLACE);
}

static void probe_softirq_entry(void *data, unsigned int vec)
{
	struct fxt_event e;

	if (fxt_event_begin(&e))
		fxt_event_end(&e, fxt_softirq_slice_begin(e.area, vec, e.ticks));
}

static void probe_softirq_exit(void *data, unsigned int vec)
{
	struct fxt_event e;

	if (fxt_event_begin(&e))
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
