// SPDX-License-Identifier: GPL-2.0-only
/* Chooses between the module and eBPF. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/source.h"
#include "source/stretch.h"
#include "util/cpus.h"
#include "util/quantity.h"

static int open_with(struct fxt_source *source, const struct fxt_source_ops *ops,
		     const struct fxt_source_options *options, struct fxt_error *error)
{
	int err;

	memset(source, 0, sizeof(*source));
	source->ops = ops;
	source->events = options->events;
	source->tracepoints = options->tracepoints;
	source->filter = options->filter;
	err = ops->open(source, options, error);
	if (err)
		source->ops = NULL;
	return err;
}

__u64 fxt_source_memory(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	unsigned long long kib, bytes = ~0ULL;
	char line[128];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
			bytes = kib << 10;
	if (f)
		fclose(f);
	return bytes;
}

/*
 * Checks that the rings of all present CPUs fit into half of the memory: beyond that, the OOM killer acts before the
 * kernel refuses the rings.
 */
static int memory_check(const struct fxt_source_options *options, struct fxt_error *error)
{
	struct fxt_cpus present;
	int err = fxt_cpus_read(&present, FXT_CPUS_PRESENT);
	__u64 available = fxt_source_memory(), rings;
	char take[32], have[32];

	if (err == -ERANGE)
		return fxt_error_set(error, ERANGE, "a CPU's id is above %u, which no recording can have",
				     FXTREC_CPUS_MAX - 1);
	if (err)
		return fxt_error_set(error, -err, FXT_CPUS_PRESENT ": %s", strerror(-err));
	rings = fxt_cpus_count(&present) * (sizeof(struct fxtrec_area) + (__u64)options->data_bytes);
	if (rings <= available / 2)
		return 0;
	return fxt_error_set(error, ENOMEM, "the rings of %u CPUs take %s, more than half of the "
			     "available memory (%s): give a smaller -b", fxt_cpus_count(&present),
			     fxt_quantity_show(take, sizeof(take), rings),
			     fxt_quantity_show(have, sizeof(have), available));
}

int fxt_source_open(struct fxt_source *source, enum fxt_source_choice choice,
		    const struct fxt_source_options *options, struct fxt_error *why,
		    struct fxt_error *error)
{
	int err;

	why->text[0] = '\0';
	if (!fxt_clock_global())
		return fxt_error_set(error, EXDEV, "in a time namespace with clocks that differ from the kernel's: give "
				     "\"sudo nsenter --time=/proc/1/ns/time\" before the command");
	err = memory_check(options, error);
	if (err)
		return err;
	if (choice == FXT_SOURCE_KMOD)
		return open_with(source, &fxt_source_kmod, options, error);
	if (choice == FXT_SOURCE_BPF)
		return open_with(source, &fxt_source_bpf, options, error);
	err = open_with(source, &fxt_source_kmod, options, why);
	if (err == -EBUSY) {
		*error = *why;
		return err;
	}
	if (!err)
		return 0;
	return open_with(source, &fxt_source_bpf, options, error);
}

void fxt_source_rings_open(struct fxt_source *source, __u64 tail)
{
	unsigned int i, r = FXT_EVENT_RINGS;

	/* Release: pairs with the producer's acquire, FXT_TAIL(). */
	while (r--)
		for (i = 0; i < source->cpu_count; i++)
			__atomic_store_n(&source->cpus[i].consumer->ring[fxt_event_rings[r]].tail,
					 tail, __ATOMIC_RELEASE);
}

void fxt_source_info_skip(struct fxt_source *source)
{
	unsigned int i;

	for (i = 0; i < source->cpu_count; i++) {
		const struct fxt_source_cpu *c = &source->cpus[i];

		__atomic_store_n(&c->consumer->ring[FXTREC_RING_INFO].tail,
				 fxt_position(&c->area->ring[FXTREC_RING_INFO].head), __ATOMIC_RELEASE);
	}
}

static __u64 unrecorded(const struct fxt_source *source, __u64 unknown)
{
	__s64 sum = unknown;
	unsigned int i;

	for (i = 0; i < source->cpu_count; i++)
		sum += (__s64)fxt_position(
			(const __u64 *)&source->cpus[i].area->ring[FXTREC_RING_EVENTS].hits_unrecorded);
	return sum > 0 ? sum : 0;
}

/* Reads again where the number grew: a hit that is about to be recorded counts, too, but not at each reading. */
__u64 fxt_source_unrecorded(struct fxt_source *source, __u64 unknown)
{
	__u64 least = unrecorded(source, unknown);
	unsigned int readings;

	for (readings = 0; least > source->unrecorded && readings < 10; readings++) {
		__u64 now;

		usleep(1000);
		now = unrecorded(source, unknown);
		least = now < least ? now : least;
	}
	if (least > source->unrecorded)
		source->unrecorded = least;
	return least;
}

void fxt_source_close(struct fxt_source *source)
{
	if (source->ops)
		source->ops->close(source);
	free(source->cpus);
	memset(source, 0, sizeof(*source));
}
