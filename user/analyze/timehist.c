// SPDX-License-Identifier: GPL-2.0-only
/* Makes a row for each time that a thread leaves its CPU. */
#include <errno.h>

#include "analyze/machine/sleep.h"
#include "analyze/timehist.h"

/* State of a task since it came to its CPU. */
struct turn {
	const struct fxt_task *task;
	__u64 out;		/* ns, last switch-out */
	__u64 in;		/* ns, last switch-in */
	__u64 wait, delay;
	__u64 throttled;	/* ns since the last switch-out */
	const struct fxt_task *waker;
	enum fxt_waker_context context;
	__u32 cpu;		/* last CPU plus one; 0: not known */
	__s64 from_cpu;
	bool slept;		/* thread slept since the last switch-out, for the reason */
	struct fxt_sleep_reason reason;
	enum fxt_wait_class class;
	const struct fxt_task *holder;
};

/* Forgets the last run and the wait before it: the thread may have run, and have waited, unseen. */
static void forget(struct turn *turn)
{
	turn->out = turn->in = turn->wait = turn->delay = FXT_TIMEHIST_UNKNOWN;
	turn->waker = NULL;
	turn->slept = false;
	turn->cpu = 0;
	turn->from_cpu = -1;
}

static struct turn *turn_add(struct fxt_timehist *t, struct fxt_task *task)
{
	struct turn *turn = fxt_task_data_add(&t->m->tasks, task, t->slot, sizeof(*turn));

	if (turn) {
		turn->task = task;
		forget(turn);
	}
	return turn;
}

static inline struct turn *turn_of(struct fxt_timehist *t, struct fxt_task *task)
{
	struct turn *turn = fxt_task_data(task, t->slot);

	return turn ? turn : turn_add(t, task);
}

static int interval(void *state, const struct fxt_interval *i)
{
	struct fxt_timehist *t = state;
	struct turn *turn;

	if (i->phase == FXT_PHASE_RUN && i->ended)
		return 0;
	turn = turn_of(t, i->task);
	if (!turn)
		return -ENOMEM;
	if (fxt_phase_waits(i->phase))
		turn->throttled += i->throttled;
	if (i->phase == FXT_PHASE_UNKNOWN || !i->ended || i->earlier) {
		forget(turn);
	} else if (fxt_phase_sleeps(i->phase)) {
		turn->slept = t->m->reasons;
		turn->reason = i->task->reason;
		turn->class = i->task->wait;
		turn->holder = fxt_sleep_holder(t->m, i->task, i->begin);
	} else if (i->phase == FXT_PHASE_WAIT_WAKEUP) {
		turn->delay = i->end - i->begin;
		turn->waker = i->task->waker;
		turn->context = i->task->context;
	} else if (i->phase == FXT_PHASE_WAIT_PREEMPTED) {
		turn->delay = 0;
		turn->waker = NULL;
	}
	return 0;
}

/* Forgets the run of an idle thread, which has no intervals, where its CPU's task isn't known. */
static int stretch(void *state, const struct fxt_cpu_stretch *s)
{
	struct fxt_timehist *t = state;
	struct turn *turn = fxt_task_data(&s->cpu->idle, t->slot);

	if (turn && (!s->task || fxt_gaps_overlap(&s->cpu->gaps, s->begin, s->end)))
		forget(turn);
	return 0;
}

static __u64 since(__u64 from, __u64 to)
{
	return from == FXT_TIMEHIST_UNKNOWN ? from : to - from;
}

static void enter(struct turn *turn, const struct fxt_change *c)
{
	turn->in = c->ns;
	turn->wait = since(turn->out, c->ns);
	turn->from_cpu = turn->cpu && turn->cpu != c->cpu->id + 1 ? (__s64)turn->cpu - 1 : -1;
	turn->cpu = c->cpu->id + 1;
}

static int change(void *state, const struct fxt_change *c)
{
	struct fxt_timehist *t = state;
	struct turn *prev = turn_of(t, c->prev), *next = prev ? turn_of(t, c->next) : NULL;
	struct fxt_timehist_row row = { .m = t->m, .ns = c->ns, .cpu = c->cpu, .task = c->prev, .view = c->view };
	int err = 0;

	if (!next)
		return -ENOMEM;
	row.wait = prev->wait;
	row.delay = prev->delay;
	row.throttled = t->m->throttling && prev->wait != FXT_TIMEHIST_UNKNOWN ? prev->throttled : FXT_TIMEHIST_UNKNOWN;
	row.run = since(prev->in, c->ns);
	row.waker = prev->waker;
	row.context = prev->context;
	row.from_cpu = prev->from_cpu;
	row.reason = prev->slept ? &prev->reason : NULL;
	row.class = prev->class;
	row.holder = prev->holder;
	if (!c->prev->key)
		row.delay = 0;
	if (fxt_machine_counts(t->m, c->ns))
		err = t->put(t->state, &row);
	prev->out = c->ns;
	prev->cpu = c->cpu->id + 1;
	prev->throttled = 0;
	prev->in = FXT_TIMEHIST_UNKNOWN;
	prev->delay = FXT_TIMEHIST_UNKNOWN;
	prev->waker = NULL;
	prev->slept = false;
	enter(next, c);
	return err;
}

static const struct fxt_observer_ops ops = {
	.interval = interval,
	.stretch = stretch,
	.change = change,
};

void fxt_timehist_init(struct fxt_timehist *t, struct fxt_machine *m,
		       int (*put)(void *state, const struct fxt_timehist_row *row), void *state)
{
	*t = (struct fxt_timehist){ .m = m, .put = put, .state = state };
	t->slot = fxt_machine_observe(m, &ops, t);
}
