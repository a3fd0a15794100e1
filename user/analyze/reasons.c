// SPDX-License-Identifier: GPL-2.0-only
/* Sums the sleeps of threads by reason, or by lock. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/machine/phase.h"
#include "analyze/reasons.h"

/* The present sleep of a thread. */
struct fxt_reason_sleep {
	struct fxt_reason_sum *sum;	/* NULL: none */
	struct fxt_task *holder;	/* holder at the start; NULL: not known */
	bool counted;			/* thread counts as waiting */
	struct fxt_reason_sleep *free_next;
};

/* Finds or adds the sum of a thread's sleep; NULL: -ENOMEM. */
static struct fxt_reason_sum *sum_get(struct fxt_map *sums, const struct fxt_reason_key *key, const char *name,
				      const struct fxt_task *task)
{
	struct fxt_reason_sum *sum = fxt_map_named(sums, key, sizeof(*key));

	if (sum)
		return sum;
	sum = fxt_map_new_named(sums, key, sizeof(*key), sizeof(*sum));
	if (!sum)
		return NULL;
	sum->name = name;
	sum->reason = task->reason;
	sum->number = sums->count;
	return sum;
}

/* Finds or adds the sum of a thread's last sleep by the reason of the sleep; NULL: -ENOMEM. */
static struct fxt_reason_sum *sum_of(struct fxt_reasons *r, struct fxt_map *sums, const struct fxt_task *task)
{
	const struct fxt_sleep_reason *reason = &task->reason;
	bool any = r->by == FXT_BY_LOCK && reason->kind && (reason->kind != FXT_ON_FUTEX || fxt_reason_is_mapped(reason));
	const char *name = task->process && task->process->name[0] ? task->process->name : task->name;
	struct fxt_reason_key key;

	name = fxt_tasks_string(&r->m->tasks, name);
	if (!name)
		return NULL;
	/* The map compares all bytes. */
	memset(&key, 0, sizeof(key));
	key.scope = any ? NULL : fxt_reason_is_private(reason) && task->process ? (const void *)task->process : name;
	key.object = fxt_reason_is_mapped(reason) ? reason->inode : reason->object;
	key.offset = reason->offset;
	key.device = reason->device;
	key.kind = reason->kind;
	if (r->by != FXT_BY_LOCK || !reason->kind)
		key.call = reason->bits & (FXT_REASON_ENTRY | FXT_REASON_CALL);
	key.wait = task->wait;
	return sum_get(sums, &key, any ? NULL : name, task);
}

static bool is_summed(const struct fxt_reasons *r, const struct fxt_task *task, enum fxt_phase phase)
{
	return task->key && fxt_phase_sleeps(phase) && (r->by != FXT_BY_LOCK || task->wait == FXT_WAIT_LOCK);
}

static struct fxt_reason_sleep *sleep_new(struct fxt_reasons *r, struct fxt_task *task)
{
	struct fxt_reason_sleep *sleep = r->free_sleeps;

	if (!sleep)
		return fxt_task_data_add(&r->m->tasks, task, r->slot, sizeof(*sleep));
	r->free_sleeps = sleep->free_next;
	return task->data[r->slot] = sleep;
}

/* Starts a thread's sleep. */
static int change(void *state, const struct fxt_change *c)
{
	struct fxt_reasons *r = state;
	struct fxt_task *task = c->prev;
	struct fxt_reason_sleep *sleep = fxt_task_data(task, r->slot);

	if (!is_summed(r, task, task->phase) || (c->ns >= r->m->to && !r->m->follows))
		return 0;
	if (!sleep)
		sleep = sleep_new(r, task);
	if (!sleep)
		return -ENOMEM;
	*sleep = (struct fxt_reason_sleep){ .sum = sum_of(r, r->present, task), .counted = !task->woken };
	if (task->reason.holder)
		sleep->holder = fxt_task_live(r->m, task->reason.holder);
	if (!sleep->sum || (task->reason.holder && !sleep->holder))
		return -ENOMEM;
	if (sleep->holder)
		sleep->sum->holder = sleep->holder;
	sleep->sum->waiters += sleep->counted;
	if (c->ns >= r->m->from && sleep->sum->waiters > sleep->sum->waiters_max)
		sleep->sum->waiters_max = sleep->sum->waiters;
	return 0;
}

/* Returns whether the holder of a lock ended a wait, and so hands the lock to the thread that it woke. */
static bool is_handed(const struct fxt_reason_sum *sum, const struct fxt_interval *i)
{
	return sum->holder && fxt_interval_waker(i) == sum->holder;
}

/* Ends the count of a thread as waiting, at the end of an interval. */
static void leave(const struct fxt_reasons *r, struct fxt_reason_sum *sum, struct fxt_reason_sleep *sleep,
		  const struct fxt_interval *i)
{
	/* Threads that sleep when the window starts are in the window together. */
	if (i->begin < r->m->from && i->end > r->m->from && sum->waiters > sum->waiters_max)
		sum->waiters_max = sum->waiters;
	sum->waiters -= sleep->counted;
	/* A lock that no thread waits for changes hands unseen. */
	if (!sum->waiters)
		sum->holder = NULL;
	else if (is_summed(r, i->task, i->phase) && is_handed(sum, i))
		sum->holder = i->task;
	sleep->sum = NULL;
}

static bool is_gone(const struct fxt_task *task, __u64 ns)
{
	return task && task->phase == FXT_PHASE_DEAD && task->end < ns;
}

static int sleep_add(struct fxt_reasons *r, struct fxt_reason_sum *sum, struct fxt_task *holder,
		     const struct fxt_interval *i)
{
	__u64 known = i->to - i->from - i->lost;
	int err = i->counts ? fxt_histogram_add(&sum->waits, r->m->spill, i->end - i->begin) : 0;

	if (!known)
		return err;
	sum->process = !sum->count || sum->process == i->task->process ? i->task->process : NULL;
	sum->count++;
	sum->ns += known;
	if (known > sum->longest) {
		sum->longest = known;
		sum->longest_at = i->from;
		sum->longest_of = i->task;
	}
	/* A task that died before the window may be recycled while the sum has it. */
	if (r->m->follows && is_gone(holder, i->from))
		holder = NULL;
	return err || !holder ? err : fxt_wakers_add(&sum->holders, r->m->spill, holder, FXT_CONTEXT_TASK, known);
}

int fxt_reasons_add(struct fxt_reasons *r, struct fxt_map *sums, const struct fxt_interval *i)
{
	const struct fxt_reason_sleep *sleep = fxt_task_data(i->task, r->slot);
	const struct fxt_reason_sum *present = sleep ? sleep->sum : NULL;
	struct fxt_reason_sum *sum;

	if (!is_summed(r, i->task, i->phase))
		return 0;
	sum = present ? sum_get(sums, &present->key, present->name, i->task) : sum_of(r, sums, i->task);
	if (!sum)
		return -ENOMEM;
	sum->handoffs += present && i->counts && is_handed(present, i);
	if (i->from >= i->to || !fxt_selection_task(r->selection, i->task))
		return 0;
	return sleep_add(r, sum, present ? sleep->holder : NULL, i);
}

static int interval(void *state, const struct fxt_interval *i)
{
	struct fxt_reasons *r = state;
	struct fxt_reason_sleep *sleep = fxt_task_data(i->task, r->slot);
	/* Laps add the intervals to their own sums. */
	int err = r->present == &r->sums ? fxt_reasons_add(r, &r->sums, i) : 0;

	if (sleep && sleep->sum)
		leave(r, sleep->sum, sleep, i);
	return err;
}

static int task_end(void *state, struct fxt_task *task)
{
	struct fxt_reasons *r = state;
	struct fxt_reason_sleep *sleep = fxt_task_data(task, r->slot);

	if (!sleep)
		return 0;
	sleep->free_next = r->free_sleeps;
	r->free_sleeps = sleep;
	task->data[r->slot] = NULL;
	return 0;
}

static const struct fxt_observer_ops ops = { .change = change, .interval = interval, .task_end = task_end };

void fxt_reasons_init(struct fxt_reasons *r, struct fxt_machine *m, const struct fxt_selection *selection,
		      enum fxt_report_by by)
{
	*r = (struct fxt_reasons){ .m = m, .selection = selection, .by = by, .sums.memory.spill = m->spill };
	r->present = r->shown = &r->sums;
	r->slot = fxt_machine_observe(m, &ops, r);
}

void fxt_reason_sums_uninit(struct fxt_map *sums)
{
	struct fxt_spill *spill = sums->memory.spill;
	struct fxt_reason_sum *sum;
	size_t at = 0;

	while ((sum = fxt_map_next(sums, &at))) {
		fxt_histogram_uninit(&sum->waits, spill);
		fxt_wakers_uninit(&sum->holders, spill);
	}
	fxt_map_uninit(sums, free);
}

void fxt_reasons_uninit(struct fxt_reasons *r)
{
	fxt_reason_sums_uninit(&r->sums);
}

int fxt_reasons_turn(struct fxt_reasons *r, struct fxt_map *sums)
{
	struct fxt_reason_sum *before, *sum;
	struct fxt_task *task;
	struct fxt_reason_sleep *sleep;
	__u64 at = 0;

	sums->memory.spill = r->m->spill;
	while ((task = fxt_tasks_next(&r->m->tasks, &at))) {
		sleep = fxt_task_data(task, r->slot);
		before = sleep ? sleep->sum : NULL;
		if (!before)
			continue;
		sum = sum_get(sums, &before->key, before->name, task);
		if (!sum)
			return -ENOMEM;
		sum->waiters += sleep->counted;
		sum->waiters_max = sum->waiters;
		sum->holder = before->holder;
		sleep->sum = sum;
	}
	r->present = sums;
	return 0;
}

void fxt_reasons_forget(struct fxt_reasons *r, __u64 ns)
{
	struct fxt_reason_sum *sum;
	struct fxt_task *task;
	struct fxt_reason_sleep *sleep;
	__u64 next = 0;
	size_t at = 0;

	while ((sum = fxt_map_next(r->present, &at)))
		if (is_gone(sum->holder, ns))
			sum->holder = NULL;
	while ((task = fxt_tasks_next(&r->m->tasks, &next))) {
		sleep = fxt_task_data(task, r->slot);
		if (sleep && is_gone(sleep->holder, ns))
			sleep->holder = NULL;
	}
}
