// SPDX-License-Identifier: GPL-2.0-only
/* What each CPU did in the window, in sums. */
#include <errno.h>

#include "analyze/loads.h"

static struct fxt_load *load_add(struct fxt_loads *l, struct fxt_cpu *cpu)
{
	struct fxt_load *load = fxt_arena_alloc(&l->m->tasks.memory, sizeof(*load));
	if (!load)
		return NULL;
	load->cpu = cpu;
	load->changed = l->m->from;
	cpu->data[l->slot] = load;
	return load;
}

static inline struct fxt_load *load_of(struct fxt_loads *l, struct fxt_cpu *cpu)
{
	struct fxt_load *load = cpu->data[l->slot];

	return load ? load : load_add(l, cpu);
}

static __u64 clip(const struct fxt_machine *m, __u64 ns)
{
	return ns < m->from ? m->from : ns > m->to ? m->to : ns;
}

/* Counts the time up to now for the number of CPUs that are idle. */
static void idle_advance(struct fxt_loads *l, __u64 ns)
{
	if (ns <= l->changed)
		return;
	if (l->idle_count)
		l->any_idle += ns - l->changed;
	if (l->idle_count > 1)
		l->two_idle += ns - l->changed;
	l->changed = ns;
}

/* ns so far in which a CPU other than this one was idle. */
static __u64 idle_others(const struct fxt_loads *l, const struct fxt_load *load)
{
	return load->is_idle ? l->two_idle : l->any_idle;
}

/* Counts the time up to now, before something changes. */
static inline void advance(struct fxt_loads *l, struct fxt_load *load, __u64 ns)
{
	ns = clip(l->m, ns);
	idle_advance(l, ns);
	if (ns > load->changed) {
		load->runnable_ns += (unsigned __int128)(load->running + load->waiting) *
				     (ns - load->changed);
		load->changed = ns;
	}
	if (load->waiting)
		load->idle_while_waiting += idle_others(l, load) - load->idle_others;
}

/* After something has changed. */
static inline void settle(struct fxt_loads *l, struct fxt_load *load)
{
	if (load->running + load->waiting > load->runnable_max && fxt_machine_counts(l->m, l->m->now))
		load->runnable_max = load->running + load->waiting;
	load->idle_others = idle_others(l, load);
}

static int runnable(void *state, struct fxt_cpu *cpu, __u64 ns)
{
	struct fxt_loads *l = state;
	struct fxt_load *load = load_of(l, cpu);
	bool is_idle = cpu->current == &cpu->idle;
	__u64 running = cpu->current && !is_idle;

	if (!load)
		return -ENOMEM;
	advance(l, load, ns);
	l->idle_count += (int)is_idle - (int)load->is_idle;
	load->is_idle = is_idle;
	load->running = running;
	load->waiting = cpu->waiting;
	settle(l, load);
	return 0;
}

void fxt_load_stretch(struct fxt_load *load, const struct fxt_cpu_stretch *s)
{
	__u64 known = s->to - s->from - s->lost;

	load->unknown += s->task ? s->lost : known;
	if (!s->task)
		return;
	if (s->task == &s->cpu->idle)
		load->idle += known;
	else
		load->busy += known;
	if (s->kind)
		load->interrupts += known;
}

static int stretch(void *state, const struct fxt_cpu_stretch *s)
{
	struct fxt_loads *l = state;
	struct fxt_load *load = load_of(l, s->cpu);

	if (!load)
		return -ENOMEM;
	fxt_load_stretch(load, s);
	return 0;
}

static int change(void *state, const struct fxt_change *c)
{
	struct fxt_loads *l = state;
	struct fxt_load *load = load_of(l, c->cpu);

	if (!load)
		return -ENOMEM;
	load->switches += fxt_machine_counts(l->m, c->ns);
	return 0;
}

/* The time from the last change to the window's end. */
static int end(void *state)
{
	struct fxt_loads *l = state;
	__u32 i;

	for (i = 0; i < l->m->cpu_count; i++)
		if (l->m->cpus[i]) {
			struct fxt_load *load = load_of(l, l->m->cpus[i]);

			if (!load)
				return -ENOMEM;
			advance(l, load, l->m->to);
			settle(l, load);
		}
	return 0;
}

int fxt_loads_turn(struct fxt_loads *l, int (*take)(void *arg, const struct fxt_load *load), void *arg)
{
	__u32 i;
	int err;

	for (i = 0; i < l->m->cpu_count; i++) {
		struct fxt_load *load = l->m->cpus[i] ? load_of(l, l->m->cpus[i]) : NULL;

		if (!load && l->m->cpus[i])
			return -ENOMEM;
		if (!load)
			continue;
		advance(l, load, l->m->to);
		err = take(arg, load);
		if (err)
			return err;
		*load = (struct fxt_load){
			.cpu = load->cpu,
			.waiting = load->waiting,
			.running = load->running,
			.is_idle = load->is_idle,
			.changed = load->changed,
			.idle_others = idle_others(l, load),
		};
	}
	return 0;
}

static const struct fxt_observer_ops ops = {
	.runnable = runnable,
	.stretch = stretch,
	.change = change,
	.end = end,
};

void fxt_loads_init(struct fxt_loads *l, struct fxt_machine *m)
{
	*l = (struct fxt_loads){ .m = m };
	l->slot = fxt_machine_observe(m, &ops, l);
}

const struct fxt_load *fxt_loads_get(const struct fxt_loads *l, __u32 cpu)
{
	return cpu < l->m->cpu_count && l->m->cpus[cpu] ? l->m->cpus[cpu]->data[l->slot] : NULL;
}
