// SPDX-License-Identifier: GPL-2.0-only
/* Interrupts: programs on handlers and softirqs. */
#include "kernel.h"
#include "event.h"
#include <bpf/bpf_tracing.h>

#include "fxt/irq.h"

/* Copies the handler's name as text; returns its bytes. */
static __always_inline __u32 name_of(struct fxt_irq_name *name, const struct irqaction *action)
{
	long bytes = bpf_probe_read_kernel_str(name, sizeof(*name), action->name);

	fxt_irq_name_clean(name);
	return bytes > 0 ? bytes - 1 & (FXT_IRQ_NAME_BYTES - 1) : 0;
}

SEC("?tp_btf/irq_handler_entry")
int BPF_PROG(fxt_irq_begin, int irq, struct irqaction *action)
{
	struct fxt_irq_name name = {};
	struct fxt_event e;

	return fxt_event_begin(&e) ?
	       fxt_event_end(fxt_irq_slice_begin(e.area, &name, name_of(&name, action), irq,
						 e.ticks)) : 0;
}

SEC("?tp_btf/irq_handler_exit")
int BPF_PROG(fxt_irq_end, int irq, struct irqaction *action, int ret)
{
	struct fxt_irq_name name = {};
	struct fxt_event e;

	return fxt_event_begin(&e) ?
	       fxt_event_end(fxt_irq_slice_end(e.area, &name, name_of(&name, action), irq, ret,
					       e.ticks)) : 0;
}

SEC("?tp_btf/softirq_entry")
int BPF_PROG(fxt_softirq_begin, unsigned int vec)
{
	struct fxt_event e;

	return fxt_event_begin(&e) ?
	       fxt_event_end(fxt_softirq_slice_begin(e.area, vec, e.ticks)) : 0;
}

SEC("?tp_btf/softirq_exit")
int BPF_PROG(fxt_softirq_end, unsigned int vec)
{
	struct fxt_event e;

	return fxt_event_begin(&e) ?
	       fxt_event_end(fxt_softirq_slice_end(e.area, vec, e.ticks)) : 0;
}
