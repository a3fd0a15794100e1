// SPDX-License-Identifier: GPL-2.0-only
/* Probes on the frequency and idle states of CPUs. */
#include <linux/kernel.h>
#include <trace/events/power.h>

#include "event.h"
#include "filter.h"
#include "fxt/power.h"

static void probe_idle(void *data, unsigned int state, unsigned int cpu)
{
	struct fxt_event e;

	if (!FXT_FILTER_QUEUE_OUT(cpu) && fxt_event_begin(&e))
		fxt_event_end(&e, fxt_power_idle_put(e.area, state, cpu, e.ticks));
}

static void probe_frequency(void *data, unsigned int khz, unsigned int cpu)
{
	struct fxt_event e;

	if (!FXT_FILTER_QUEUE_OUT(cpu) && fxt_event_begin(&e))
		fxt_event_end(&e, fxt_power_frequency_put(e.area, khz, cpu, e.ticks));
}

static struct fxt_probe power_probes[] = {
	FXT_PROBE(cpu_idle, probe_idle),
	FXT_PROBE(cpu_frequency, probe_frequency),
};

const struct fxt_family fxt_power_family = {
	.probes = power_probes,
	.count = ARRAY_SIZE(power_probes),
};
