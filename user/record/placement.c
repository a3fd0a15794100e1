// SPDX-License-Identifier: GPL-2.0-only
/* Keeps the recorder out of the way of what it records. */
#include <sched.h>
#include <stdlib.h>

#include "record/placement.h"
#include "source/clock.h"
#include "source/stretch.h"

#define PERIOD_NS	500000000ULL

/* Bytes of records in a period: below, nothing much happens on a CPU; and how many times another's is much more. */
#define MUCH_BYTES	(64u << 10)
#define MUCH_TIMES	4

void fxt_placement_begin(struct fxt_placement *a, const struct fxt_source *source)
{
	a->source = source;
	a->heads = calloc(source->cpu_count, sizeof(*a->heads));
	a->looked = fxt_clock_mono();
}

/* To a CPU that it may use; where it may run stays as it is. */
static void go_to(unsigned int cpu, const cpu_set_t *allowed)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (!sched_setaffinity(0, sizeof(one), &one))
		sched_setaffinity(0, sizeof(*allowed), allowed);
}

void fxt_placement_look(struct fxt_placement *a)
{
	__u64 here = 0, least = ~0ULL, now = fxt_clock_mono();
	unsigned int calmest = 0, i, cpu;
	cpu_set_t allowed;

	if (!a->heads || now - a->looked < PERIOD_NS)
		return;
	a->looked = now;
	cpu = sched_getcpu();
	/* Fails where there are more CPUs than a set of fixed size holds. */
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return;
	for (i = 0; i < a->source->cpu_count; i++) {
		const struct fxt_source_cpu *c = &a->source->cpus[i];
		__u64 head = fxt_position(&c->area->ring[FXTREC_RING_SCHED].head);
		__u64 bytes = head - a->heads[i];

		a->heads[i] = head;
		if (c->cpu == cpu)
			here = bytes;
		if (CPU_ISSET(c->cpu, &allowed) && bytes < least) {
			least = bytes;
			calmest = c->cpu;
		}
	}
	if (here > MUCH_BYTES && here / MUCH_TIMES > least)
		go_to(calmest, &allowed);
}

void fxt_placement_end(struct fxt_placement *a)
{
	free(a->heads);
	a->heads = NULL;
}
