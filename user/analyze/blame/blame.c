// SPDX-License-Identifier: GPL-2.0-only
/* Finds the causes of each thread's waits. */
#include <errno.h>
#include <string.h>

#include "analyze/blame/locks.h"
#include "analyze/machine/phase.h"

/* Waits of at least ACCOUNT_RUNS runs are summed together. */
#define ACCOUNT_RUNS	192u
#define ACCOUNT_SHARE	64u

/* Budget of a trace in runs that are walked and in sums that are made; it grows with each run. */
#define WALKS		((__u64)1 << 21)
#define SUMS		((__u64)1 << 21)
#define RUN_WALKS	64u
#define RUN_SUMS	32u

static int stretch(void *state, const struct fxt_cpu_stretch *s)
{
	struct fxt_blame *b = state;
	struct fxt_blame_queue *q = s->cpu->data[b->slot];
	struct fxt_blame_run run = { .from = s->from, .to = s->to };
	int err;

	if (!q || (!q->oldest && !q->open && s->from >= q->kept_to))
		return 0;
	run.number = fxt_blame_number(b, s->cpu, s->task, s->kind, s->interrupt, &err);
	return err ? err : fxt_blame_run_add(b, q, &run);
}

/* Destination of the culprits of a wait, and the budget that pays for its runs. */
struct target {
	struct fxt_culprits *culprits;
	struct fxt_blame_part **parts;
	__u64 *pays;
};

/*
 * Adds all runs while the victim was in the queue that it has left, up to the first loss of
 * its wait; adds their time to *ns.
 */
static int walk(struct fxt_blame *b, struct fxt_victim *v, const struct target *to, __u64 *ns)
{
	enum fxt_phase phase = v->queue->cpu ? FXT_PHASE_WAIT_WAKEUP : FXT_PHASE_SLEEP;
	__u64 left = fxt_phase_known(b->m, v->task, phase, v->task->since, v->left);
	__u64 before = to->culprits->ns;
	const struct fxt_blame_part part = { .queue = v->queue, .at = v->at, .to = left, .first = v->first };
	int err;

	if (!fxt_blame_pays(b, to->pays, v->queue->next - v->first)) {
		*ns += fxt_blame_part_found(&part);
		return fxt_blame_part_keep(b, to->parts, &part);
	}
	err = fxt_blame_range(b, v->queue, to->culprits, v->first, FXT_BLAME_ALL, v->at, left);
	*ns += to->culprits->ns - before;
	return err;
}

static __u64 clip(const struct fxt_machine *m, __u64 ns)
{
	return ns < m->from ? m->from : ns > m->to ? m->to : ns;
}

void fxt_blame_enqueue(struct fxt_blame *b, struct fxt_blame_queue *q, struct fxt_victim *v, __u64 ns)
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
	struct fxt_victim *v = fxt_blame_victim(b, task);
	struct fxt_blame_queue *q = v ? fxt_blame_queue_of(b, b->m->cpus[task->cpu]) : NULL;
	int err = 0;

	if (!q)
		return -ENOMEM;
	if (!enters) {
		if (v->waits)
			dequeue(b, v, ns);
		return 0;
	}
	/* The thread moved from one queue to another. */
	if (v->queue) {
		err = fxt_culprits_expect(&v->moved, b->m->spill, b->suspects->count, v->queue->next - v->first);
		if (!err)
			err = walk(b, v, &(struct target){ &v->moved, &v->moved_parts, &b->walks }, &v->moved_ns);
		v->queue = NULL;
	}
	fxt_blame_enqueue(b, q, v, ns);
	return err;
}

/* Adds a throttled part of a wait, in no queue. */
static int throttled(void *state, const struct fxt_throttled *t)
{
	struct fxt_blame *b = state;
	struct fxt_victim *v = fxt_blame_victim(b, t->task);

	if (!v)
		return -ENOMEM;
	v->moved_ns += t->to - t->from;
	return fxt_culprits_add(&v->moved, b->m->spill, b->suspects->count, FXT_SUSPECT_THROTTLED, t->to - t->from);
}

/* Adds copies of the parts of another list. */
static int parts_add(struct fxt_blame *b, struct fxt_blame_part **to, const struct fxt_blame_part *part)
{
	int err = 0;

	for (; part && !err; part = part->next)
		err = fxt_blame_part_keep(b, to, part);
	return err;
}

/*
 * Adds all culprits of an ended wait to a sum.  Time that the queues don't show, since the
 * thread was not where it was assumed to be, is unknown.
 */
static int wait_sum(struct fxt_blame *b, struct fxt_victim *v, const struct fxt_interval *i, const struct target *to)
{
	__u64 ns = i->to - i->from - i->lost, found = 0;
	__u32 count = b->suspects->count;
	int err = 0;

	/* A doubt that starts before a move leaves only the time. */
	if (!i->strayed && v->moved_ns <= ns) {
		found = v->moved_ns;
		err = fxt_culprits_merge(to->culprits, b->m->spill, count, &v->moved);
		if (!err)
			err = parts_add(b, to->parts, v->moved_parts);
		if (!err && v->queue)
			err = walk(b, v, to, &found);
	}
	if (err || found >= ns)
		return err;
	return fxt_culprits_add(to->culprits, b->m->spill, count, FXT_SUSPECT_UNKNOWN, ns - found);
}

static int wait_report(struct fxt_blame *b, struct fxt_victim *v, const struct fxt_interval *i, bool sums, bool fits)
{
	size_t runs = v->queue ? v->queue->next - v->first : 0;
	struct fxt_blame_part *parts = NULL;
	bool done = false;
	int err = 0;

	if (fits && runs > b->walks)
		err = fxt_blame_wait_shared(b, v, &b->wait, &done);
	if (!err && !done)
		err = fxt_culprits_expect(&b->wait, b->m->spill, b->suspects->count, runs);
	if (!err && !done)
		err = wait_sum(b, v, i, &(struct target){ &b->wait, &parts, &b->walks });
	if (!err && sums && parts)
		err = wait_sum(b, v, i, &(struct target){ &v->culprits, &v->parts, &b->sums });
	else if (!err && sums)
		err = fxt_culprits_merge(&v->culprits, b->m->spill, b->suspects->count, &b->wait);
	if (!err)
		err = b->on_wait(b->state, i, &b->wait, parts);
	fxt_culprits_clear(&b->wait, b->m->spill);
	return err;
}

/* Returns whether on_wait must be called for the wait. */
static bool is_asked_for(const struct fxt_blame *b, const struct fxt_interval *i)
{
	if (!b->on_wait || !fxt_phase_waits(i->phase) || i->to - i->from - i->lost <= b->over)
		return false;
	return fxt_selection_task(b->selection, i->task) && fxt_selection_cpu(b->selection, i->cpu);
}

/* Returns whether the wait has many runs, and no part in doubt. */
static bool fits(struct fxt_blame *b, const struct fxt_victim *v, const struct fxt_interval *i)
{
	return v->queue && !v->waits && !v->moved_ns && !i->lost && !i->strayed && v->left - v->at == i->to - i->from &&
	       fxt_blame_account_fits(b, v);
}

static int wait_end(struct fxt_blame *b, struct fxt_victim *v, const struct fxt_interval *i)
{
	bool reported = is_asked_for(b, i), sums = !b->victims || fxt_numbers_have(b->victims, i->task->tid);
	bool whole = (reported || sums) && fits(b, v, i);
	int err = reported ? wait_report(b, v, i, sums && !whole, whole) : 0;
	__u64 ns = i->to - i->from - i->lost;

	v->waits_count += sums;
	if (sums && ns > v->longest) {
		v->longest = ns;
		v->longest_from = i->from;
	}
	if (!err && sums && whole)
		return fxt_blame_account_wait(b, v);
	if (err || reported || !sums)
		return err;
	return wait_sum(b, v, i, &(struct target){ &v->culprits, &v->parts, &b->sums });
}

/* Ends a sleep for a lock. */
static int lock_end(struct fxt_blame *b, struct fxt_victim *v, const struct fxt_interval *i)
{
	struct fxt_blame_lock *lock = fxt_blame_lock_of(v);
	int err = fxt_blame_lock_flush(b, lock, i->end);

	dequeue(b, v, i->end);
	if (!err && fxt_phase_sleeps(i->phase) && i->from < i->to)
		err = wait_end(b, v, i);
	fxt_blame_lock_pass(lock, v, fxt_interval_waker(i));
	fxt_blame_lock_leave(b, lock);
	return err;
}

/* Charges a sleep to its object. */
static int sleep_end(struct fxt_blame *b, const struct fxt_interval *i)
{
	enum fxt_wait_class wait = i->task->wait;
	__u64 ns = i->to - i->from - i->lost;
	struct fxt_victim *v;
	__u32 number;

	if (i->from >= i->to || !ns || !i->task->reason.bits || wait == FXT_WAIT_UNKNOWN || wait == FXT_WAIT_IDLE ||
	    fxt_reason_entry(&i->task->reason) == FXT_ENTRY_KERNEL ||
	    (b->victims && !fxt_numbers_have(b->victims, i->task->tid)))
		return 0;
	v = fxt_blame_victim(b, i->task);
	number = v ? fxt_blame_sleep_number(b, i->task) : 0;
	if (!number)
		return -ENOMEM;
	v->waits_count++;
	if (ns > v->longest) {
		v->longest = ns;
		v->longest_from = i->from;
	}
	return fxt_culprits_add(&v->culprits, b->m->spill, b->suspects->count, number, ns);
}

static int interval(void *state, const struct fxt_interval *i)
{
	struct fxt_blame *b = state;
	struct fxt_victim *v = i->task->data[b->slot];
	int err = v ? fxt_blame_locks_phase(b, v, i) : 0;

	if (!err && v && fxt_blame_lock_of(v))
		err = lock_end(b, v, i);
	else if (!err && b->sleeps && fxt_phase_sleeps(i->phase))
		err = sleep_end(b, i);
	v = i->task->data[b->slot];
	if (!v)
		return err;
	if (!err && fxt_phase_waits(i->phase) && i->from < i->to)
		err = wait_end(b, v, i);
	v->queue = NULL;
	fxt_culprits_clear(&v->moved, b->m->spill);
	v->moved_parts = NULL;
	v->moved_ns = 0;
	return err;
}

/* Puts a thread that goes to sleep for a lock into its queue. */
static int change(void *state, const struct fxt_change *c)
{
	struct fxt_blame *b = state;
	struct fxt_victim *v;

	if (!b->sleeps || !c->prev->key || !fxt_phase_sleeps(c->prev->phase) || c->prev->wait != FXT_WAIT_LOCK)
		return 0;
	v = fxt_blame_victim(b, c->prev);
	if (!v)
		return -ENOMEM;
	/* A thread that was woken before it left its CPU is in the CPU's queue already. */
	return v->waits ? 0 : fxt_blame_lock_enter(b, v, c->ns);
}

static int task_end(void *state, struct fxt_task *task)
{
	struct fxt_victim *v = task->data[((struct fxt_blame *)state)->slot];

	if (v)
		fxt_blame_locks_drop(v);
	return 0;
}

static const struct fxt_observer_ops ops = {
	.change = change,
	.task_end = task_end,
	.stretch = stretch,
	.queue = queue,
	.throttled = throttled,
	.interval = interval,
};

void fxt_blame_init(struct fxt_blame *b, struct fxt_machine *m, struct fxt_suspects *suspects,
		    const struct fxt_numbers *victims)
{
	*b = (struct fxt_blame){ .m = m, .suspects = suspects, .victims = victims,
				 .account_runs = ACCOUNT_RUNS, .account_share = ACCOUNT_SHARE,
				 .walks = WALKS, .sums = SUMS, .run_walks = RUN_WALKS, .run_sums = RUN_SUMS };
	b->locks.memory.spill = m->spill;
	b->slot = fxt_machine_observe(m, &ops, b);
}

/* Sums all accounts, or keeps all as parts: no victim is preferred. */
static int accounts_end(struct fxt_blame *b)
{
	struct fxt_victim *v;
	__u64 cost = 0;
	int err = 0;

	for (v = b->first; v; v = v->next)
		cost += fxt_blame_account_cost(v);
	if (cost > b->sums)
		b->sums = 0;
	for (v = b->first; v && !err; v = v->next)
		err = fxt_blame_account_keep(b, v);
	return err;
}

/* Names the objects of sleeps, which the recorder names at its end. */
static void suspects_name(const struct fxt_blame *b)
{
	struct fxt_culprit *c;

	for (c = b->suspects->of; c < b->suspects->of + b->suspects->count; c++)
		if (c->kind >= FXT_CULPRIT_LOCK)
			c->what = fxt_sleep_named(b->m, c->what);
}

int fxt_blame_settle(struct fxt_blame *b)
{
	struct fxt_blame_part *part;
	struct fxt_blame_queue *q;
	int err = accounts_end(b);

	suspects_name(b);
	for (q = b->queues; q; q = q->next_queue)
		for (part = q->parts; part; part = part->of_queue)
			fxt_blame_part_settle(part);
	return err;
}

void fxt_blame_uninit(struct fxt_blame *b)
{
	struct fxt_blame_queue *q;
	struct fxt_victim *v;

	for (v = b->first; v; v = v->next) {
		fxt_culprits_clear(&v->culprits, b->m->spill);
		fxt_culprits_clear(&v->moved, b->m->spill);
		fxt_culprits_clear(&v->account.apart, b->m->spill);
	}
	for (q = b->queues; q; q = q->next_queue)
		fxt_blame_queue_uninit(b, q);
	fxt_map_uninit(&b->locks, NULL);
	fxt_culprits_clear(&b->wait, b->m->spill);
}
