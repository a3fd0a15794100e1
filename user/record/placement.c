// SPDX-License-Identifier: GPL-2.0-only
/* Moves the drain thread away from a busy CPU. */
#include <sched.h>
#include <stdlib.h>

#include "record/placement.h"
#include "source/clock.h"
#include "source/stretch.h"

#define PERIOD_NS	500000000ULL

/* A CPU is busy with at least BUSY_BYTES of records in a period, and BUSY_TIMES as many as another CPU. */
#define BUSY_BYTES	(64u << 10)
#define BUSY_TIMES	4

void fxt_placement_init(struct fxt_placement *p, const struct fxt_source *source)
{
	p->heads = calloc(source->cpu_count, sizeof(*p->heads));
	p->polled = fxt_clock_mono();
}

/* Moves this thread to an allowed CPU; the thread's affinity stays as it is. */
static void move_to(unsigned int cpu, const cpu_set_t *allowed)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (!sched_setaffinity(0, sizeof(one), &one))
		sched_setaffinity(0, sizeof(*allowed), allowed);
}

void fxt_placement_poll(struct fxt_placement *p, const struct fxt_source *source)
{
	__u64 here = 0, least = ~0ULL, now = fxt_clock_mono();
	unsigned int idlest = 0, i, cpu;
	cpu_set_t allowed;

	if (!p->heads || now - p->polled < PERIOD_NS)
		return;
	p->polled = now;
	cpu = sched_getcpu();
	/* Fails where the machine has more CPUs than a cpu_set_t holds. */
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return;
	for (i = 0; i < source->cpu_count; i++) {
		const struct fxt_source_cpu *c = &source->cpus[i];
		__u64 head = fxt_position(&c->area->ring[FXTREC_RING_SCHED].head);
		__u64 bytes = head - p->heads[i];

		p->heads[i] = head;
		if (c->cpu == cpu)
			here = bytes;
		if (CPU_ISSET(c->cpu, &allowed) && bytes < least) {
			least = bytes;
			idlest = c->cpu;
		}
	}
	if (here > BUSY_BYTES && here / BUSY_TIMES > least)
		move_to(idlest, &allowed);
}

void fxt_placement_uninit(struct fxt_placement *p)
{
	free(p->heads);
	p->heads = NULL;
}
