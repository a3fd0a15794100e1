/* SPDX-License-Identifier: GPL-2.0-only */
/* Records in this CPU's SCHED ring. */
#ifndef FXT_BPF_SCHED_H
#define FXT_BPF_SCHED_H

#include "env.h"

/*
 * Returns 0, but not as a constant: for a constant, the compiler would have the fast path
 * set again the register that cleared busy.
 */
static __always_inline int unknown_zero(void)
{
	int zero = 0;

	asm volatile("" : "+r"(zero));
	return zero;
}

/* Counts an event of this CPU, which has no rings. */
static __noinline int late_count(void)
{
	__u32 cpu = bpf_get_smp_processor_id(), first = 0;
	struct fxtrec_late *of = bpf_map_lookup_elem(&late, &cpu);
	struct fxtrec_consumer *consumer = bpf_map_lookup_elem(&consumers, &first);

	if (of && consumer)
		fxt_late_count(of, FXT_READ(consumer->ring[FXTREC_RING_SCHED].tail));
	return unknown_zero();
}

/* Reserves space for any record.  Returns 0 if the record is dropped, and counted as a late CPU's event or as lost. */
static __always_inline __u64 *reserve(struct fxtrec_area **area, __u64 *ticks, __u64 *head)
{
	*area = fxt_area();
	if (!*area) {
		late_count();
		return 0;
	}
	if (!fxt_sched_reserve(*area, ticks, head))
		return 0;
	return FXT_AREA_AT(*area, *head - (*area)->ring[FXTREC_RING_SCHED].bias);
}

static __always_inline void commit(struct fxtrec_area *area, __u64 head, __u32 bytes)
{
	fxt_sched_commit(&area->ring[FXTREC_RING_SCHED], head, bytes);
}

#endif
