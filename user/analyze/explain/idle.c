// SPDX-License-Identifier: GPL-2.0-only
/* The times when a CPU was idle. */
#include <errno.h>
#include <string.h>

#include "analyze/explain/idle.h"

/* Times that are shorter count as busy: a scheduler can't use them. */
#define SHORTEST_NS	10000u

/* The state of a CPU. */
struct idle_cpu {
	bool idle;
};

static int time_put(struct fxt_idle_times *idle, __u64 from, __u64 to)
{
	struct fxt_idle_span *times;
	size_t room = idle->room ? 2 * idle->room : 1024;

	if (to < from + SHORTEST_NS)
		return 0;
	if (idle->used == idle->room) {
		times = fxt_spill_alloc(idle->m->spill, room * sizeof(*times));
		if (!times)
			return -ENOMEM;
		if (idle->used)
			memcpy(times, idle->times, idle->used * sizeof(*times));
		fxt_spill_free(idle->m->spill, idle->times, idle->room * sizeof(*times));
		idle->times = times;
		idle->room = room;
	}
	idle->times[idle->used] = (struct fxt_idle_span){
		.from = from, .to = to, .sum = (idle->used ? idle->times[idle->used - 1].sum : 0) + to - from,
	};
	idle->used++;
	return 0;
}

static int runnable(void *state, struct fxt_cpu *cpu, __u64 ns)
{
	struct fxt_idle_times *idle = state;
	struct idle_cpu *data = cpu->data[idle->slot] ? : fxt_cpu_data_add(idle->m, cpu, idle->slot, sizeof(*data));
	bool now = cpu->current == &cpu->idle && !cpu->waiting;

	if (!data)
		return -ENOMEM;
	if (data->idle == now)
		return 0;
	data->idle = now;
	if (now) {
		if (!idle->count++)
			idle->since = ns;
		return 0;
	}
	return --idle->count ? 0 : time_put(idle, idle->since, ns);
}

static int end(void *state)
{
	struct fxt_idle_times *idle = state;

	return idle->count ? time_put(idle, idle->since, idle->m->now) : 0;
}

static const struct fxt_observer_ops ops = {
	.runnable = runnable,
	.end = end,
};

void fxt_idle_init(struct fxt_idle_times *idle, struct fxt_machine *m)
{
	*idle = (struct fxt_idle_times){ .m = m };
	idle->slot = fxt_machine_observe(m, &ops, idle);
}

void fxt_idle_uninit(struct fxt_idle_times *idle)
{
	if (idle->m)
		fxt_spill_free(idle->m->spill, idle->times, idle->room * sizeof(*idle->times));
}

/* Returns ns of the times before one. */
static __u64 sum_to(const struct fxt_idle_times *idle, __u64 ns)
{
	size_t low = 0, high = idle->used;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (idle->times[middle].to <= ns)
			low = middle + 1;
		else
			high = middle;
	}
	return (low ? idle->times[low - 1].sum : 0) +
	       (low < idle->used && idle->times[low].from < ns ? ns - idle->times[low].from : 0);
}

__u64 fxt_idle_overlap(const struct fxt_idle_times *idle, __u64 from, __u64 to)
{
	return sum_to(idle, to) - sum_to(idle, from);
}
