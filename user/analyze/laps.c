// SPDX-License-Identifier: GPL-2.0-only
/* Laps: consecutive windows of equal length. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/laps_sums.h"
#include "analyze/machine/chain.h"
#include "analyze/reasons.h"
#include "util/extreme.h"

void fxt_laps_init(struct fxt_laps *l, struct fxt_machine *m, __u64 length, unsigned int patience)
{
	int (*show)(void *arg, struct fxt_lap *lap) = l->show;
	void *arg = l->arg;

	*l = (struct fxt_laps){
		.m = m,
		.from = m->from,
		.to = m->events_to > m->end ? ~0ULL : m->to,
		.length = length,
		.patience = patience,
		.show = show,
		.arg = arg,
	};
	m->follows = true;
	fxt_loads_init(&l->now, m);
	fxt_origin_facts(&l->origin, m);
	l->slot = fxt_machine_observe(m, &fxt_laps_ops, l);
	l->loads = (struct fxt_loads){ .m = m, .slot = l->slot };
	/* Until the first lap starts, the window is empty. */
	fxt_machine_window(m, m->begin, m->begin);
}

void fxt_laps_begin(struct fxt_laps *l, __u64 ns)
{
	l->from = ns;
	fxt_machine_window(l->m, l->m->begin, l->m->begin);
}

/* Returns whether the phase of a thread at a lap's end may still become known. */
static bool open_task(const struct fxt_lap *lap, const struct fxt_task *task)
{
	return task->phase != FXT_PHASE_DEAD && task->woken && task->phase != FXT_PHASE_RUN &&
	       task->since < lap->to;
}

static bool complete(const struct fxt_laps *l, const struct fxt_lap *lap)
{
	struct fxt_task *task;
	__u64 at = 0;
	__u32 i;

	for (i = 0; i < l->m->seen_count; i++)
		if (fxt_chain_known(l->m, l->m->seen[i], lap->to) < lap->to)
			return false;
	while ((task = fxt_tasks_next(&l->m->tasks, &at)))
		if (open_task(lap, task))
			return false;
	return true;
}

/* Adds the phase of a thread that continues beyond the lap. */
static int task_close(struct fxt_laps *l, struct fxt_lap *lap, struct fxt_task *task)
{
	struct fxt_interval i = {
		.task = task,
		.phase = open_task(lap, task) ? FXT_PHASE_UNKNOWN : task->phase,
		.begin = task->since,
		.end = ~0ULL,
	};
	__u64 sure = lap->to;
	int err;

	if (task->phase == FXT_PHASE_DEAD)
		return 0;
	if (task->phase == FXT_PHASE_RUN && l->m->cpus[task->cpu]->current == task)
		sure = fxt_max(fxt_chain_known(l->m, l->m->cpus[task->cpu], lap->to), task->since);
	err = fxt_lap_part(l, lap, &i, i.begin, sure);
	if (!err && task->throttled)
		err = fxt_lap_throttled(l, lap, task, task->throttled_since,
					fxt_phase_known(l->m, task, task->phase, task->since, lap->to));
	i.phase = FXT_PHASE_UNKNOWN;
	if (!err && sure < lap->to)
		err = fxt_lap_part(l, lap, &i, sure, lap->to);
	return err ? err : fxt_lap_life(l, lap, task, ~0ULL);
}

/* Adds the stretch of a CPU that continues beyond the lap. */
static int cpu_close(struct fxt_laps *l, struct fxt_lap *lap, struct fxt_cpu *cpu)
{
	struct fxt_cpu_stretch s = { .cpu = cpu, .task = cpu->current };
	__u64 sure = fxt_max(fxt_chain_known(l->m, cpu, lap->to), cpu->since);
	int err;

	if (s.task) {
		s.kind = fxt_cpu_interrupt(cpu);
		s.interrupt = cpu->interrupt[s.kind];
	}
	err = fxt_lap_stretch(lap, &s, cpu->since, sure);
	s.task = NULL;
	return err ? err : fxt_lap_stretch(lap, &s, sure, lap->to);
}

static int lap_close(struct fxt_laps *l, struct fxt_lap *lap)
{
	struct fxt_task *task;
	__u64 at = 0;
	int err = 0;
	__u32 i;

	for (i = 0; i < l->m->seen_count && !err; i++)
		err = cpu_close(l, lap, l->m->seen[i]);
	while (!err && (task = fxt_tasks_next(&l->m->tasks, &at)))
		err = task_close(l, lap, task);
	return err;
}

/* Sets the losses of a lap; drops losses that end before it. */
static int losses_set(struct fxt_laps *l, const struct fxt_lap *lap)
{
	struct fxt_origin_loss **at = &l->losses, *lost, *copy;

	l->origin.first = NULL;
	l->origin.lost_count = l->origin.lost_events = l->origin.lost_more = 0;
	while ((lost = *at)) {
		if (lost->span.to < lap->from) {
			*at = lost->next;
			free(lost);
			continue;
		}
		at = &lost->next;
		if (lost->span.from >= lap->events_to)
			continue;
		copy = malloc(sizeof(*copy));
		if (!copy)
			return -ENOMEM;
		copy->span = lost->span;
		copy->next = l->origin.first;
		l->origin.first = copy;
		l->origin.lost_count++;
		l->origin.lost_events += lost->span.events;
		l->origin.lost_more |= !lost->span.events;
	}
	return 0;
}

static void losses_free(struct fxt_origin_loss **first)
{
	struct fxt_origin_loss *lost;

	while ((lost = *first)) {
		*first = lost->next;
		free(lost);
	}
}

/* Shows a complete lap as the machine's window. */
static int lap_show(struct fxt_laps *l, struct fxt_lap *lap)
{
	struct fxt_machine *m = l->m;
	__u64 from = m->from, to = m->to, events_to = m->events_to;
	int err = losses_set(l, lap);
	__u32 i;

	fxt_machine_cpus_sort(m);
	for (i = 0; i < m->seen_count; i++) {
		struct fxt_cpu *cpu = m->seen[i];

		cpu->data[l->slot] = cpu->number < lap->cpu_room && lap->loads[cpu->number].cpu ?
				     &lap->loads[cpu->number] : NULL;
	}
	m->from = lap->from;
	m->to = lap->to;
	m->events_to = lap->events_to;
	if (l->reasons)
		l->reasons->shown = &lap->reasons;
	if (!err)
		err = l->show(l->arg, lap);
	m->from = from;
	m->to = to;
	m->events_to = events_to;
	losses_free(&l->origin.first);
	return err;
}

/* Frees the oldest lap. */
static void lap_remove(struct fxt_laps *l)
{
	struct fxt_lap *lap = l->oldest;

	l->oldest = lap->newer;
	if (!l->oldest)
		l->newest = NULL;
	l->count--;
	fxt_lap_free(l, lap);
}

void fxt_laps_uninit(struct fxt_laps *l)
{
	while (l->oldest)
		lap_remove(l);
	losses_free(&l->losses);
	free(l->dead);
}

/* Shows laps that are over and complete, or have waited long enough. */
static int laps_show(struct fxt_laps *l)
{
	int err = 0;

	while (!err && l->oldest && l->oldest->newer &&
	       (l->count > l->patience || complete(l, l->oldest))) {
		err = lap_close(l, l->oldest);
		if (!err)
			err = lap_show(l, l->oldest);
		lap_remove(l);
		if (l->dead_count)
			fxt_laps_forget(l);
	}
	return err;
}

static int load_take(void *arg, const struct fxt_load *load)
{
	struct fxt_load *to = fxt_lap_load(arg, load->cpu), sums;

	if (!to)
		return -ENOMEM;
	sums = *to;
	*to = *load;
	to->busy = sums.busy;
	to->idle = sums.idle;
	to->unknown = sums.unknown;
	to->interrupts = sums.interrupts;
	return 0;
}

static int load_drop(void *arg, const struct fxt_load *load)
{
	(void)arg;
	(void)load;
	return 0;
}

/* Starts the next lap with an event. */
static int lap_begin(struct fxt_laps *l, __u64 ns)
{
	struct fxt_machine *m = l->m;
	struct fxt_lap *lap;
	int err = l->newest ? fxt_loads_turn(&l->now, load_take, l->newest) : 0;

	if (err)
		return err;
	lap = calloc(1, sizeof(*lap));
	if (!lap)
		return -ENOMEM;
	lap->from = ns - (ns - l->from) % l->length;
	lap->to = l->to - lap->from > l->length ? lap->from + l->length : l->to;
	lap->accounts.m = m;
	/* Laps without events are skipped. */
	fxt_machine_window(m, m->to, lap->from);
	err = fxt_loads_turn(&l->now, load_drop, NULL);
	fxt_machine_window(m, lap->from, lap->to);
	lap->to = m->to;
	lap->events_to = m->events_to;
	if (l->newest)
		l->newest->newer = lap;
	else
		l->oldest = lap;
	l->newest = lap;
	l->count++;
	return err || !l->reasons ? err : fxt_reasons_turn(l->reasons, &lap->reasons);
}

static bool over(const struct fxt_laps *l, __u64 ns)
{
	return ns >= l->from && ns < l->to && ns <= l->m->end && (!l->newest || ns >= l->newest->events_to);
}

int fxt_laps_put(struct fxt_laps *l, const struct fxt_record *r)
{
	bool begins = r->timed && over(l, r->ticks);
	int err = begins ? lap_begin(l, r->ticks) : 0;

	if (!err)
		err = fxt_machine_put(l->m, r);
	return err || !begins ? err : laps_show(l);
}

int fxt_laps_advance(struct fxt_laps *l, __u64 ns)
{
	int err = l->newest && over(l, ns) ? lap_begin(l, ns) : 0;

	return err ? err : laps_show(l);
}

int fxt_laps_end(struct fxt_laps *l)
{
	int err = fxt_machine_end(l->m);

	if (!err && l->newest)
		err = fxt_loads_turn(&l->now, load_take, l->newest);
	while (!err && l->oldest) {
		err = lap_show(l, l->oldest);
		lap_remove(l);
	}
	return err;
}
