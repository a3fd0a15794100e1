// SPDX-License-Identifier: GPL-2.0-only
/* What made each thread wait. */
#include <errno.h>
#include <string.h>

#include "analyze/blame_queue.h"
#include "analyze/machine/phase.h"

/* Waits of as many runs are summed together. */
#define ACCOUNT_RUNS	192u
#define ACCOUNT_SHARE	64u

static int stretch(void *state, const struct fxt_cpu_stretch *s)
{
	struct fxt_blame *b = state;
	struct fxt_blame_queue *q = s->cpu->data[b->slot];
	struct fxt_blame_run run = { s->from, s->to, 0 };
	int err;

	if (!q || (!q->oldest && !q->open))
		return 0;
	run.number = fxt_blame_number(b, s->cpu, s->task, s->kind, s->interrupt, &err);
	return err ? err : fxt_blame_run_add(b, q, &run);
}

/* Adds all that ran while the victim was in the queue that it has left, up to the first loss of its wait. */
static int walk(struct fxt_blame *b, struct fxt_victim *v, struct fxt_culprits *to)
{
	__u64 left = fxt_phase_known(b->m, v->task, FXT_PHASE_WAIT_WAKEUP, v->task->since, v->left);

	return fxt_blame_range(b, v->queue, to, v->first, FXT_BLAME_ALL, v->at, left);
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
	/* It was moved from a queue to another. */
	if (v->queue) {
		err = fxt_culprits_expect(&v->moved, b->m->spill, b->suspects->count, v->queue->next - v->first);
		if (!err)
			err = walk(b, v, &v->moved);
		v->queue = NULL;
	}
	enqueue(b, q, v, ns);
	return err;
}

/* What isn't found in the queues, as it was not where it was believed to be, isn't known. */
static int rest_add(struct fxt_blame *b, struct fxt_culprits *to, __u64 before, __u64 ns)
{
	__u64 found = to->ns - before;

	return found < ns ? fxt_culprits_add(to, b->m->spill, b->suspects->count, FXT_SUSPECT_UNKNOWN,
					       ns - found) : 0;
}

/* All culprits of a wait, which has ended, to a sum. */
static int wait_sum(struct fxt_blame *b, struct fxt_victim *v, const struct fxt_interval *i,
		    struct fxt_culprits *to)
{
	__u64 ns = i->to - i->from - i->lost, before = to->ns;
	int err = 0;

	if (i->strayed)
		return rest_add(b, to, before, ns);
	/* A doubt that reaches back behind a move leaves no more than the time. */
	if (v->moved.ns <= ns)
		err = fxt_culprits_merge(to, b->m->spill, b->suspects->count, &v->moved);
	if (!err && v->queue && (!v->moved.ns || v->moved.ns <= ns))
		err = walk(b, v, to);
	return err ? err : rest_add(b, to, before, ns);
}

static int wait_report(struct fxt_blame *b, struct fxt_victim *v, const struct fxt_interval *i, bool sums)
{
	size_t runs = v->queue ? v->queue->next - v->first : 0;
	int err = fxt_culprits_expect(&b->wait, b->m->spill, b->suspects->count, runs);

	if (!err)
		err = wait_sum(b, v, i, &b->wait);
	if (!err)
		err = b->on_wait(b->state, i, &b->wait);
	if (!err && sums)
		err = fxt_culprits_merge(&v->culprits, b->m->spill, b->suspects->count, &b->wait);
	fxt_culprits_clear(&b->wait, b->m->spill);
	return err;
}

/* Whether on_wait has to be called with it. */
static bool is_asked_for(const struct fxt_blame *b, const struct fxt_interval *i)
{
	if (!b->on_wait || i->to - i->from - i->lost <= b->over)
		return false;
	fxt_task_touch(b->m->spill, i->task);
	return fxt_selection_task(b->selection, i->task) && fxt_selection_cpu(b->selection, i->cpu);
}

static int wait_end(struct fxt_blame *b, struct fxt_victim *v, const struct fxt_interval *i)
{
	bool reported = is_asked_for(b, i);
	bool sums = !b->victims || fxt_numbers_have(b->victims, i->task->tid);
	bool account = sums && v->queue && !v->waits && !v->moved.ns && !i->lost && !i->strayed &&
		       v->left - v->at == i->to - i->from && fxt_blame_account_fits(b, v);
	int err = reported ? wait_report(b, v, i, sums && !account) : 0;

	if (!err && account)
		return fxt_blame_account_wait(b, v);
	return err || reported || !sums ? err : wait_sum(b, v, i, &v->culprits);
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

void fxt_blame_init(struct fxt_blame *b, struct fxt_machine *m, struct fxt_suspects *suspects,
		    const struct fxt_numbers *victims)
{
	*b = (struct fxt_blame){ .m = m, .suspects = suspects, .victims = victims,
				 .account_runs = ACCOUNT_RUNS, .account_share = ACCOUNT_SHARE };
	b->slot = fxt_machine_observe(m, &ops, b);
}

int fxt_blame_settle(struct fxt_blame *b)
{
	struct fxt_victim *v;
	int err = 0;

	for (v = b->first; v && !err; v = v->next) {
		fxt_spill_touch(b->m->spill, v);
		err = fxt_blame_account_close(b, v);
	}
	return err;
}

void fxt_blame_uninit(struct fxt_blame *b)
{
	struct fxt_victim *v;
	__u32 i;

	for (v = b->first; v; v = v->next) {
		fxt_spill_touch(b->m->spill, v);
		fxt_culprits_clear(&v->culprits, b->m->spill);
		fxt_culprits_clear(&v->moved, b->m->spill);
		fxt_culprits_clear(&v->account.apart, b->m->spill);
	}
	for (i = 0; b->m && i < b->m->seen_count; i++)
		if (b->m->seen[i]->data[b->slot])
			fxt_blame_queue_uninit(b, b->m->seen[i]->data[b->slot]);
	fxt_culprits_clear(&b->wait, b->m->spill);
}
