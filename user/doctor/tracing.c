// SPDX-License-Identifier: GPL-2.0-only
/* Findings on tracefs, clock, memory and other tracers. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "source/source.h"
#include "util/cpus.h"
#include "util/quantity.h"

#define TRACEFS		"/sys/kernel/tracing"
#define CLOCKSOURCE	"/sys/devices/system/clocksource/clocksource0/current_clocksource"

static void tracefs_find(struct fxt_doctor *d, const struct fxt_doctor_host *host)
{
	if (fxt_doctor_unknown(d, "tracefs", FXT_FINDING_NOTE, &host->sys))
		return;
	if (!access(TRACEFS "/events", R_OK | X_OK))
		fxt_doctor_add(d, "tracefs", FXT_FINDING_OK, NULL, "%s", TRACEFS);
	else if (!access(TRACEFS "/events", F_OK) || errno == EACCES)
		fxt_doctor_add(d, "tracefs", FXT_FINDING_NOTE, "sudo fxtrec doctor",
			       TRACEFS " can't be read: -e subsystem:name needs it, scheduling doesn't");
	else
		fxt_doctor_add(d, "tracefs", FXT_FINDING_NOTE, "sudo mount -t tracefs tracefs " TRACEFS,
			       "nothing is mounted at " TRACEFS ": -e subsystem:name needs it, scheduling doesn't");
}

static void clock_find(struct fxt_doctor *d, const struct fxt_doctor_host *host)
{
	char name[32];

	d->clock = fxt_clock_global();
	if (!d->clock)
		fxt_doctor_add(d, "clock", FXT_FINDING_BAD, "sudo nsenter --time=/proc/1/ns/time fxtrec doctor",
			       "a time namespace with clocks that differ from the kernel's");
	if (!d->clock || fxt_doctor_unknown(d, "clock", FXT_FINDING_NOTE, &host->sys))
		return;
	fxt_doctor_line(CLOCKSOURCE, name, sizeof(name));
	if (fxt_clock_tsc_trusted())
		fxt_doctor_add(d, "clock", FXT_FINDING_OK, NULL, "tsc, which the module records as it is");
	else
		fxt_doctor_add(d, "clock", FXT_FINDING_NOTE,
			       "cat " "/sys/devices/system/clocksource/clocksource0/available_clocksource",
			       "%s: each reading of the clock may cost more than the event", *name ? name : "unknown");
}

static void memory_find(struct fxt_doctor *d, const struct fxt_doctor_host *host, __u32 data_bytes)
{
	__u64 available = fxt_source_memory(), area = sizeof(struct fxtrec_area), rings, fits = data_bytes;
	struct fxt_cpus present;
	char take[32], have[32], remedy[64];
	unsigned int cpus;

	if (fxt_doctor_unknown(d, "memory", FXT_FINDING_BAD, &host->sys))
		return;
	if (fxt_cpus_read(&present, FXT_CPUS_PRESENT)) {
		fxt_doctor_add(d, "memory", FXT_FINDING_BAD, NULL, "the CPUs can't be counted: " FXT_CPUS_PRESENT);
		return;
	}
	d->cpus = true;
	cpus = fxt_cpus_count(&present);
	rings = cpus * (area + data_bytes);
	fxt_quantity_show(take, sizeof(take), rings);
	fxt_quantity_show(have, sizeof(have), available);
	d->memory = rings <= available / 2;
	if (available == ~0ULL) {
		fxt_doctor_add(d, "memory", FXT_FINDING_NOTE, host->proc.mounted ? NULL : host->proc.remedy,
			       "the rings of %u CPUs take %s; the available memory is unknown: %s", cpus, take,
			       host->proc.mounted ? "/proc/meminfo doesn't say" : "/proc isn't mounted");
		return;
	}
	if (d->memory) {
		fxt_doctor_add(d, "memory", FXT_FINDING_OK, NULL, "the rings of %u CPUs take %s of %s that are available",
			       cpus, take, have);
		return;
	}
	while (fits > FXTREC_SUBBUF_MIN * FXTREC_SUBBUFS_MIN && cpus * (area + fits) > available / 2)
		fits /= 2;
	snprintf(remedy, sizeof(remedy), "fxtrec record -b %lluK:8", fits >> 10);
	fxt_doctor_add(d, "memory", FXT_FINDING_BAD, remedy, "the rings of %u CPUs take %s, more than half of the "
		       "available memory (%s)", cpus, take, have);
}

/* Finds a tracer of ftrace or an event that ftrace records; a recording uses some of the same events. */
static void tracer_find(struct fxt_doctor *d, const struct fxt_doctor_host *host)
{
	char tracer[64], event[128], on[16];

	if (fxt_doctor_unknown(d, "other tracers", FXT_FINDING_NOTE, &host->sys))
		return;
	if (!fxt_doctor_line(TRACEFS "/tracing_on", on, sizeof(on)))
		fxt_doctor_add(d, "other tracers", FXT_FINDING_NOTE, NULL,
			       "unknown: " TRACEFS "/tracing_on can't be read");
	else if (fxt_doctor_line(TRACEFS "/current_tracer", tracer, sizeof(tracer)) && strcmp(tracer, "nop") &&
		 *on == '1')
		fxt_doctor_add(d, "other tracers", FXT_FINDING_NOTE,
			       "echo nop | sudo tee " TRACEFS "/current_tracer",
			       "ftrace's tracer \"%s\" is on: each function or event costs more", tracer);
	else if (fxt_doctor_line(TRACEFS "/set_event", event, sizeof(event)) && *on == '1')
		fxt_doctor_add(d, "other tracers", FXT_FINDING_NOTE,
			       "echo 0 | sudo tee " TRACEFS "/events/enable",
			       "ftrace records %s, and perhaps others: both can, but each event costs more", event);
	else
		fxt_doctor_add(d, "other tracers", FXT_FINDING_OK, NULL, "none in ftrace");
}

void fxt_doctor_tracing(struct fxt_doctor *d, const struct fxt_doctor_host *host, __u32 data_bytes)
{
	tracefs_find(d, host);
	clock_find(d, host);
	memory_find(d, host, data_bytes);
	tracer_find(d, host);
}
