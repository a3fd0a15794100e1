// SPDX-License-Identifier: GPL-2.0-only
/* Programs on the frequency and idle states of CPUs. */
#include "event.h"
#include "filter.h"
#include <bpf/bpf_tracing.h>

#include "fxt/power.h"

SEC("?tp_btf/cpu_idle")
int BPF_PROG(fxt_idle, unsigned int state, unsigned int cpu)
{
	struct fxt_event e;

	return !FXT_FILTER_QUEUE_OUT(cpu) && fxt_event_begin(&e) ?
	       fxt_event_end(fxt_power_idle_put(e.area, state, cpu, e.ticks)) : 0;
}

SEC("?tp_btf/cpu_frequency")
int BPF_PROG(fxt_frequency, unsigned int khz, unsigned int cpu)
{
	struct fxt_event e;

	return !FXT_FILTER_QUEUE_OUT(cpu) && fxt_event_begin(&e) ?
	       fxt_event_end(fxt_power_frequency_put(e.area, khz, cpu, e.ticks)) : 0;
}
