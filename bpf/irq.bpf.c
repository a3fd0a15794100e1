// SPDX-License-Identifier: GPL-2.0-only
/* Interrupts: programs on handlers and softirqs. */
#include "kernel.h"
#include "event.h"
#include "filter.h"
#include <bpf/bpf_tracing.h>

#include "fxt/irq.h"

struct records {
	__u64 word[FXT_IRQ_BYTES_MAX / 8];
};

/* Copies the handler's name as text.  Returns its bytes. */
static __always_inline __u32 name_of(struct fxt_irq_name *name, const struct irqaction *action)
{
	long bytes = bpf_probe_read_kernel_str(name, sizeof(*name), action->name);

	fxt_irq_name_clean(name);
	return bytes > 0 ? bytes - 1 & (FXT_IRQ_NAME_BYTES - 1) : 0;
}

static __always_inline int put(__u64 *w, const struct records *r, __u32 bytes)
{
	if (!w)
		return 0;
	bpf_probe_read_kernel(w, bytes, r);
	return fxt_events_commit();
}

static __always_inline int begin(struct fxtrec_area *area, int irq, const struct irqaction *action, __u64 ticks)
{
	struct fxt_irq_name name = {};
	struct records r = {};
	__u32 bytes = fxt_irq_entry(r.word, &name, name_of(&name, action), irq, ticks);

	if (bytes > sizeof(r))
		return 0;
	return put(fxt_track_begin(area, FXT_TRACK_IRQ, bytes, ticks), &r, bytes);
}

static __always_inline int keeps_begin(enum fxt_track track, __u64 ticks)
{
	return fxt_queue_handler_begin(bpf_get_smp_processor_id(), bpf_get_current_pid_tgid(), track, ticks);
}

SEC("?tp_btf/irq_handler_entry")
int BPF_PROG(fxt_irq_begin, int irq, struct irqaction *action)
{
	struct fxtrec_area *area = fxt_area();
	__u64 ticks = fxt_clock();

	return area && keeps_begin(FXT_TRACK_IRQ, ticks) ? begin(area, irq, action, ticks) : 0;
}

SEC("?tp_btf/irq_handler_exit")
int BPF_PROG(fxt_irq_end, int irq, struct irqaction *action, int ret)
{
	struct fxtrec_area *area = fxt_area();
	struct fxt_irq_name name = {};
	struct records r = {};
	__u64 ticks = fxt_clock(), started;
	__u32 bytes;

	if (!area)
		return 0;
	started = fxt_queue_handler_end(bpf_get_smp_processor_id(), FXT_TRACK_IRQ);
	if (started)
		begin(area, irq, action, started);
	bytes = fxt_irq_exit(r.word, &name, name_of(&name, action), irq, ret, ticks);
	if (bytes > sizeof(r))
		return 0;
	return put(fxt_track_end(area, FXT_TRACK_IRQ, bytes, ticks), &r, bytes);
}

SEC("?tp_btf/softirq_entry")
int BPF_PROG(fxt_softirq_begin, unsigned int vec)
{
	struct fxt_event e;

	return fxt_event_begin(&e) && keeps_begin(FXT_TRACK_SOFTIRQ, e.ticks) ?
	       fxt_event_end(fxt_softirq_slice_begin(e.area, vec, e.ticks)) : 0;
}

SEC("?tp_btf/softirq_exit")
int BPF_PROG(fxt_softirq_end, unsigned int vec)
{
	struct fxt_event e;
	__u64 started;

	if (!fxt_event_begin(&e))
		return 0;
	started = fxt_queue_handler_end(bpf_get_smp_processor_id(), FXT_TRACK_SOFTIRQ);
	if (started)
		fxt_event_end(fxt_softirq_slice_begin(e.area, vec, started));
	return fxt_event_end(fxt_softirq_slice_end(e.area, vec, e.ticks));
}
