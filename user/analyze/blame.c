// SPDX-License-Identifier: GPL-2.0-only
/* Who made whom wait. */
#include <errno.h>

#include "analyze/blame.h"

/* The victims in a CPU's queue. */
struct queue {
	struct fxt_victim *first;
};

static struct fxt_victim *victim_of(struct fxt_blame *b, struct fxt_task *task)
{
	struct fxt_victim *victim = task->data[b->slot];

	if (victim) {
		fxt_spill_touch(b->m->spill, victim);
		return victim;
	}
	victim = fxt_arena_alloc(&b->m->tasks.memory, sizeof(*victim));
	if (!victim)
		return NULL;
	fxt_spill_touch(b->m->spill, task);
	task->data[b->slot] = victim;
	victim->task = task;
	victim->next = b->first;
	b->first = victim;
	return victim;
}

static struct queue *queue_of(struct fxt_blame *b, struct fxt_cpu *cpu)
{
	if (!cpu->data[b->slot])
		cpu->data[b->slot] = fxt_arena_alloc(&b->m->tasks.memory, sizeof(struct queue));
	return cpu->data[b->slot];
}

static __u64 known(const struct fxt_machine *m, __u64 from, __u64 to)
{
	return to - from - (m->gaps.count ? fxt_gaps_overlap(&m->gaps, m->spill, from, to) : 0);
}

/* Adds what ran from then to then to a wait. */
static int attribute(struct fxt_blame *b, struct fxt_victim *v, enum fxt_culprit_kind kind, const void *who,
		     __u64 from, __u64 to)
{
	const struct fxt_machine *m = b->m;
	const struct fxt_gap *gap;
	__u64 cut = to;
	int err;

	if (from < v->at)
		from = v->at;
	if (from >= to)
		return 0;
	v->at = to;
	if (m->gaps.count) {
		gap = fxt_gaps_after(&m->gaps, m->spill, v->began);
		if (gap && gap->from < to)
			cut = gap->from > from ? gap->from : from;
	}
	err = fxt_culprits_add(&v->sure, m->spill, kind, who, cut - from);
	if (err || cut == to)
		return err;
	return fxt_culprits_add(&v->unsure, m->spill, kind, who, known(m, cut, to));
}

static int stretch(void *state, const struct fxt_stretch *s)
{
	struct fxt_blame *b = state;
	struct queue *queue = s->cpu->data[b->slot];
	enum fxt_culprit_kind kind;
	struct fxt_victim *v;
	const void *who;
	int err = 0;

	if (!queue || !queue->first)
		return 0;
	kind = fxt_culprit_of(s->cpu, s->task, s->kind, s->interrupt, &who);
	for (v = queue->first; v && !err; v = v->ahead)
		err = attribute(b, v, kind, who, s->from, s->to);
	return err;
}

static void enqueue(struct fxt_blame *b, struct queue *queue, struct fxt_victim *v, __u64 ns)
{
	v->at = ns < b->m->from ? b->m->from : ns;
	v->ahead = queue->first;
	v->link = &queue->first;
	if (v->ahead)
		v->ahead->link = &v->ahead;
	queue->first = v;
}

/* What its CPU runs has not been observed yet. */
static int dequeue(struct fxt_blame *b, struct fxt_cpu *cpu, struct fxt_victim *v, __u64 ns)
{
	enum fxt_interrupt interrupt = fxt_cpu_interrupt(cpu);
	enum fxt_culprit_kind kind;
	const void *who;

	if (!v->link)
		return 0;
	*v->link = v->ahead;
	if (v->ahead)
		v->ahead->link = v->link;
	v->link = NULL;
	kind = fxt_culprit_of(cpu, cpu->current, interrupt, cpu->interrupt[interrupt], &who);
	return attribute(b, v, kind, who, cpu->since, ns < b->m->to ? ns : b->m->to);
}

static int queue_op(void *state, struct fxt_task *task, bool enters, __u64 ns)
{
	struct fxt_blame *b = state;
	struct fxt_cpu *cpu = b->m->cpus[task->cpu];
	struct fxt_victim *v = victim_of(b, task);
	struct queue *queue = v ? queue_of(b, cpu) : NULL;

	if (!queue)
		return -ENOMEM;
	if (!enters)
		return dequeue(b, cpu, v, ns);
	if (!v->sure.used && !v->unsure.used)
		v->began = task->since;
	enqueue(b, queue, v, ns);
	return 0;
}

/* A wait whose parts don't come to its time wasn't where it was believed to be. */
static int wait_end(struct fxt_blame *b, struct fxt_victim *v, const struct fxt_interval *i)
{
	__u64 ns = i->to - i->from - i->lost;
	int err = 0;

	if (v->sure.ns + v->unsure.ns == ns)
		err = fxt_culprits_merge(&v->sure, b->m->spill, &v->unsure);
	if (!err && v->sure.ns != ns) {
		fxt_culprits_clear(&v->sure, b->m->spill);
		err = fxt_culprits_add(&v->sure, b->m->spill, FXT_CULPRIT_UNKNOWN, NULL, ns);
	}
	if (!err)
		err = fxt_culprits_merge(&v->culprits, b->m->spill, &v->sure);
	return !err && b->on_wait ? b->on_wait(b->state, i, &v->sure) : err;
}

static int interval(void *state, const struct fxt_interval *i)
{
	struct fxt_blame *b = state;
	struct fxt_victim *v = i->task->data[b->slot];
	int err = 0;

	if (fxt_phase_waits(i->phase)) {
		v = v ? v : victim_of(b, i->task);
		err = v ? wait_end(b, v, i) : -ENOMEM;
	}
	if (v) {
		fxt_culprits_clear(&v->sure, b->m->spill);
		fxt_culprits_clear(&v->unsure, b->m->spill);
	}
	return err;
}

static const struct fxt_observer_ops ops = {
	.stretch = stretch,
	.queue = queue_op,
	.interval = interval,
};

void fxt_blame_init(struct fxt_blame *b, struct fxt_machine *m)
{
	*b = (struct fxt_blame){ .m = m };
	b->slot = fxt_machine_observe(m, &ops, b);
}

void fxt_blame_uninit(struct fxt_blame *b)
{
	struct fxt_victim *v;

	for (v = b->first; v; v = v->next) {
		fxt_spill_touch(b->m->spill, v);
		fxt_culprits_uninit(&v->culprits, b->m->spill);
		fxt_culprits_uninit(&v->sure, b->m->spill);
		fxt_culprits_uninit(&v->unsure, b->m->spill);
	}
}
