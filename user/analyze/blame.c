// SPDX-License-Identifier: GPL-2.0-only
/* What made each thread wait. */
#include <errno.h>
#include <string.h>

#include "analyze/blame.h"

/* What a CPU ran from when to when. */
struct run {
	__u64 from, to;
	__u32 number;		/* of the suspect */
};

/*
 * A CPU's runs since the oldest one in its queue came, by a number that goes on: in a
 * ring.  A wait that ends walks through those of its time.
 */
struct fxt_blame_queue {
	struct fxt_cpu *cpu;
	struct fxt_victim *oldest, *newest;
	struct run *runs;
	size_t room;		/* a power of two */
	size_t first, next;
};

#define ROOM_MIN	64u

static struct fxt_victim *victim_of(struct fxt_blame *b, struct fxt_task *task)
{
	struct fxt_victim *victim = fxt_task_data(&b->m->tasks, task, b->slot, sizeof(*victim));

	if (victim && !victim->task) {
		victim->task = task;
		victim->next = b->first;
		b->first = victim;
	}
	return victim;
}

static struct fxt_blame_queue *queue_of(struct fxt_blame *b, struct fxt_cpu *cpu)
{
	struct fxt_blame_queue *queue = cpu->data[b->slot];

	if (queue)
		return queue;
	queue = fxt_arena_alloc(&b->m->tasks.memory, sizeof(*queue));
	if (queue)
		queue->cpu = cpu;
	cpu->data[b->slot] = queue;
	return queue;
}

static struct run *run_at(const struct fxt_blame *b, const struct fxt_blame_queue *q, size_t number)
{
	struct run *run = &q->runs[number & (q->room - 1)];

	fxt_spill_touch(b->m->spill, run);
	return run;
}

static int grow(struct fxt_blame *b, struct fxt_blame_queue *q)
{
	struct fxt_blame_queue more = *q;
	size_t i;

	more.room = q->room ? 2 * q->room : ROOM_MIN;
	more.runs = fxt_spill_alloc(b->m->spill, more.room * sizeof(*more.runs));
	if (!more.runs)
		return -ENOMEM;
	for (i = q->first; i < q->next; i++) {
		struct run run = *run_at(b, q, i);

		*run_at(b, &more, i) = run;
	}
	if (q->runs)
		fxt_spill_free(b->m->spill, q->runs, q->room * sizeof(*q->runs));
	*q = more;
	return 0;
}

/* The number of what a CPU runs; *err. */
static __u32 number_of(struct fxt_blame *b, const struct fxt_cpu *cpu, struct fxt_task *task,
		       enum fxt_interrupt kind, const char *handler, int *err)
{
	struct fxt_spill *spill = b->m->spill;
	struct fxt_victim *v;
	__u32 number;

	*err = 0;
	if (!task)
		return FXT_SUSPECT_UNKNOWN;
	if (kind) {
		number = fxt_suspects_handler(&b->suspects, spill, kind == FXT_INTERRUPT_IRQ ?
					      FXT_CULPRIT_IRQ : FXT_CULPRIT_SOFTIRQ, handler);
	} else if (task == &cpu->idle) {
		return FXT_SUSPECT_IDLE;
	} else {
		v = victim_of(b, task);
		if (v && !v->number)
			v->number = fxt_suspects_add(&b->suspects, spill, FXT_CULPRIT_THREAD, task);
		number = v ? v->number : 0;
	}
	*err = number ? 0 : -ENOMEM;
	return number;
}

static int stretch(void *state, const struct fxt_cpu_stretch *s)
{
	struct fxt_blame *b = state;
	struct fxt_blame_queue *q = s->cpu->data[b->slot];
	struct run *run;
	__u32 number;
	int err;

	if (!q || !q->oldest)
		return 0;
	fxt_spill_touch(b->m->spill, q->oldest);
	q->first = q->oldest->first;
	if (q->next - q->first == q->room && grow(b, q))
		return -ENOMEM;
	number = number_of(b, s->cpu, s->task, s->kind, s->interrupt, &err);
	run = run_at(b, q, q->next++);
	*run = (struct run){ s->from, s->to, number };
	return err;
}

/* Adds what ran from when to when. */
static inline int run_add(struct fxt_blame *b, struct fxt_culprits *to, const struct run *run, __u64 from,
			  __u64 until)
{
	if (from < run->from)
		from = run->from;
	if (until > run->to)
		until = run->to;
	if (from >= until)
		return 0;
	return fxt_culprits_add(to, b->m->spill, b->suspects.count, run->number, until - from);
}

/* Adds all that ran while the victim was in the queue that it has left, up to the first loss of its wait. */
static int walk(struct fxt_blame *b, struct fxt_victim *v, struct fxt_culprits *to)
{
	struct fxt_blame_queue *q = v->queue;
	struct fxt_cpu *cpu = q->cpu;
	enum fxt_interrupt interrupt = fxt_cpu_interrupt(cpu);
	__u64 left = fxt_gaps_before(&b->m->gaps, b->m->spill, v->task->since, v->left);
	struct run now = { .from = cpu->since, .to = left };
	size_t i;
	int err;

	/* What it runs now has not been observed yet. */
	now.number = number_of(b, cpu, cpu->current, interrupt, cpu->interrupt[interrupt], &err);
	for (i = v->first; i < v->last && !err; i++)
		err = run_add(b, to, run_at(b, q, i), v->at, left);
	v->queue = NULL;
	return err ? err : run_add(b, to, &now, v->at, left);
}

static __u64 clip(const struct fxt_machine *m, __u64 ns)
{
	return ns < m->from ? m->from : ns > m->to ? m->to : ns;
}

static void enqueue(struct fxt_blame *b, struct fxt_blame_queue *q, struct fxt_victim *v, __u64 ns)
{
	v->queue = q;
	v->waits = true;
	v->at = clip(b->m, ns);
	v->first = q->next;
	v->newer = NULL;
	v->older = q->newest;
	if (v->older)
		v->older->newer = v;
	else
		q->oldest = v;
	q->newest = v;
}

static void dequeue(struct fxt_blame *b, struct fxt_victim *v, __u64 ns)
{
	struct fxt_blame_queue *q = v->queue;

	v->waits = false;
	v->left = clip(b->m, ns);
	v->last = q->next;
	if (v->older)
		v->older->newer = v->newer;
	else
		q->oldest = v->newer;
	if (v->newer)
		v->newer->older = v->older;
	else
		q->newest = v->older;
}

static int queue(void *state, struct fxt_task *task, bool enters, __u64 ns)
{
	struct fxt_blame *b = state;
	struct fxt_victim *v = victim_of(b, task);
	struct fxt_blame_queue *q = v ? queue_of(b, b->m->cpus[task->cpu]) : NULL;
	int err = 0;

	if (!q)
		return -ENOMEM;
	if (!enters) {
		if (v->waits)
			dequeue(b, v, ns);
		return 0;
	}
	/* It was moved from a queue to another. */
	if (v->queue)
		err = walk(b, v, &v->moved);
	enqueue(b, q, v, ns);
	return err;
}

/* What isn't found in the queues, as it was not where it was believed to be, isn't known. */
static int rest_add(struct fxt_blame *b, struct fxt_culprits *to, __u64 before, __u64 ns)
{
	__u64 found = to->ns - before;

	return found < ns ? fxt_culprits_add(to, b->m->spill, b->suspects.count, FXT_SUSPECT_UNKNOWN,
					       ns - found) : 0;
}

static int wait_end(struct fxt_blame *b, struct fxt_victim *v, const struct fxt_interval *i)
{
	__u64 ns = i->to - i->from - i->lost, before;
	bool told = b->on_wait && i->to - i->from > b->over;
	struct fxt_culprits *to = told ? &b->wait : &v->culprits;
	int err = 0;

	before = to->ns;
	/* A doubt that reaches back behind a move leaves no more than the time. */
	if (v->moved.ns <= ns)
		err = fxt_culprits_merge(to, b->m->spill, b->suspects.count, &v->moved);
	if (!err && v->queue && (!v->moved.ns || v->moved.ns <= ns))
		err = walk(b, v, to);
	if (!err)
		err = rest_add(b, to, before, ns);
	if (err || !told)
		return err;
	err = b->on_wait(b->state, i, to);
	if (!err)
		err = fxt_culprits_merge(&v->culprits, b->m->spill, b->suspects.count, to);
	fxt_culprits_clear(to, b->m->spill);
	return err;
}

static int interval(void *state, const struct fxt_interval *i)
{
	struct fxt_blame *b = state;
	struct fxt_victim *v = i->task->data[b->slot];
	int err = 0;

	if (!v)
		return 0;
	fxt_spill_touch(b->m->spill, v);
	if (fxt_phase_waits(i->phase) && i->from < i->to)
		err = wait_end(b, v, i);
	v->queue = NULL;
	fxt_culprits_clear(&v->moved, b->m->spill);
	return err;
}

static const struct fxt_observer_ops ops = {
	.stretch = stretch,
	.queue = queue,
	.interval = interval,
};

int fxt_blame_init(struct fxt_blame *b, struct fxt_machine *m)
{
	*b = (struct fxt_blame){ .m = m };
	b->slot = fxt_machine_observe(m, &ops, b);
	return fxt_suspects_init(&b->suspects, m->spill);
}

void fxt_blame_uninit(struct fxt_blame *b)
{
	struct fxt_blame_queue *q;
	struct fxt_victim *v;
	__u32 i;

	for (v = b->first; v; v = v->next) {
		fxt_spill_touch(b->m->spill, v);
		fxt_culprits_clear(&v->culprits, b->m->spill);
		fxt_culprits_clear(&v->moved, b->m->spill);
	}
	for (i = 0; i < b->m->cpu_count; i++) {
		q = b->m->cpus[i] ? b->m->cpus[i]->data[b->slot] : NULL;
		if (q && q->runs)
			fxt_spill_free(b->m->spill, q->runs, q->room * sizeof(*q->runs));
	}
	fxt_culprits_clear(&b->wait, b->m->spill);
	fxt_suspects_uninit(&b->suspects, b->m->spill);
}
