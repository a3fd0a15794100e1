// SPDX-License-Identifier: GPL-2.0-only
/* The frequency and idle states of CPUs. */
#include "event.h"
#include <bpf/bpf_tracing.h>

#include "fxt/power.h"

/* Words for a record, or 0 if it is dropped. */
static __always_inline __u64 *reserve(struct fxtrec_area *area, __u64 ticks)
{
	__u64 offset = FXT_EVENTS_RESERVE(area, FXT_POWER_BYTES, ticks);

	return offset < FXT_UNOPENED ? FXT_AREA_AT(area, offset) : 0;
}

SEC("?tp_btf/cpu_idle")
int BPF_PROG(fxt_idle, unsigned int state, unsigned int cpu)
{
	struct fxtrec_area *area = fxt_area();
	__u64 ticks, *w;

	if (!area)
		return 0;
	ticks = fxt_clock();
	w = reserve(area, ticks);
	if (!w)
		return 0;
	fxt_power_idle(w, state, cpu, ticks);
	return fxt_events_commit();
}

SEC("?tp_btf/cpu_frequency")
int BPF_PROG(fxt_frequency, unsigned int khz, unsigned int cpu)
{
	struct fxtrec_area *area = fxt_area();
	__u64 ticks, *w;

	if (!area)
		return 0;
	ticks = fxt_clock();
	w = reserve(area, ticks);
	if (!w)
		return 0;
	fxt_power_frequency(w, khz, cpu, ticks);
	return fxt_events_commit();
}
