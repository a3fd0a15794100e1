// SPDX-License-Identifier: GPL-2.0-only
/* The frequency and idle states of CPUs. */
#include <linux/kernel.h>
#include <trace/events/power.h>

#include "event.h"
#include "fxt/power.h"

/* Words for a record, or NULL if it is dropped. */
static u64 *reserve(struct fxt_event *e)
{
	u64 offset = FXT_EVENTS_RESERVE(e->area, FXT_POWER_BYTES, e->ticks);

	return offset < FXT_UNOPENED ? FXT_AREA_AT(e->area, offset) : NULL;
}

static void probe_idle(void *data, unsigned int state, unsigned int cpu)
{
	struct fxt_event e;
	u64 *w;

	if (!fxt_event_begin(&e))
		return;
	w = reserve(&e);
	if (w) {
		fxt_power_idle(w, state, cpu, e.ticks);
		fxt_event_commit(&e);
	}
	fxt_event_end(&e);
}

static void probe_frequency(void *data, unsigned int khz, unsigned int cpu)
{
	struct fxt_event e;
	u64 *w;

	if (!fxt_event_begin(&e))
		return;
	w = reserve(&e);
	if (w) {
		fxt_power_frequency(w, khz, cpu, e.ticks);
		fxt_event_commit(&e);
	}
	fxt_event_end(&e);
}

static struct fxt_probe probes[] = {
	FXT_PROBE(cpu_idle, probe_idle),
	FXT_PROBE(cpu_frequency, probe_frequency),
};

const struct fxt_family fxt_power_family = {
	.probes = probes,
	.count = ARRAY_SIZE(probes),
};
