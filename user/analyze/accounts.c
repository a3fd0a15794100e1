// SPDX-License-Identifier: GPL-2.0-only
/* Sums the phases of each thread in the window. */
#include <errno.h>

#include "analyze/accounts.h"

static struct fxt_account *account_add(struct fxt_accounts *a, struct fxt_task *task)
{
	struct fxt_account *account = fxt_task_data_add(&a->m->tasks, task, a->slot, sizeof(*account));

	if (account) {
		account->task = task;
		account->threads = 1;
	}
	return account;
}

static inline struct fxt_account *account_of(struct fxt_accounts *a, struct fxt_task *task)
{
	struct fxt_account *account = fxt_task_data(task, a->slot);

	return account ? account : account_add(a, task);
}

/*
 * Adds to the hidden time of a thread.  Before its first and after its last event nothing
 * was missed; without wakeups, a thread on no CPU isn't known to sleep.
 */
static void hide(const struct fxt_machine *m, struct fxt_account *account, const struct fxt_interval *i)
{
	if (i->phase != FXT_PHASE_UNKNOWN)
		account->hidden += i->lost;
	else if (m->wakes && i->begin > i->task->begin && i->end < m->end)
		account->hidden += i->to - i->from;
}

static int interval(void *state, const struct fxt_interval *i)
{
	struct fxt_accounts *a = state;
	struct fxt_account *account;

	if (fxt_interval_empty(i))
		return 0;
	account = account_of(a, i->task);
	if (!account)
		return -ENOMEM;
	if (i->lost || i->phase == FXT_PHASE_UNKNOWN)
		hide(a->m, account, i);
	return fxt_account_interval(account, a->m->spill, i);
}

static int wakeup(void *state, struct fxt_task *task, const struct fxt_wakeup_view *view, __u64 ns)
{
	struct fxt_accounts *a = state;
	struct fxt_account *account;

	if (!fxt_machine_counts(a->m, ns))
		return 0;
	account = account_of(a, task);
	return account ? fxt_account_wakeup(account, a->m->spill, view, ns) : -ENOMEM;
}

static int migrate(void *state, struct fxt_task *task, const struct fxt_migrate_view *view, __u64 ns)
{
	struct fxt_accounts *a = state;
	struct fxt_account *account;

	(void)view;
	if (!fxt_machine_counts(a->m, ns))
		return 0;
	account = account_of(a, task);
	if (!account)
		return -ENOMEM;
	account->migrations++;
	return 0;
}

int fxt_account_settle(struct fxt_account *account, struct fxt_spill *spill)
{
	int err = fxt_histogram_settle(&account->latency, spill);

	if (!err)
		err = fxt_histogram_settle(&account->preempted, spill);
	return err ? err : fxt_histogram_settle(&account->lock, spill);
}

static int task_end(void *state, struct fxt_task *task)
{
	struct fxt_accounts *a = state;
	struct fxt_account *account;

	/* The task lived outside the window. */
	if (task->end < a->m->from || task->begin >= a->m->events_to)
		return 0;
	account = account_of(a, task);
	if (!account)
		return -ENOMEM;
	account->begin = task->begin > a->m->from ? task->begin : a->m->from;
	account->end = task->end < a->m->to ? task->end : a->m->to;
	account->next = a->first;
	a->first = account;
	a->count++;
	return fxt_account_settle(account, a->m->spill);
}

static const struct fxt_observer_ops ops = {
	.interval = interval,
	.wakeup = wakeup,
	.migrate = migrate,
	.task_end = task_end,
};

void fxt_accounts_init(struct fxt_accounts *a, struct fxt_machine *m)
{
	*a = (struct fxt_accounts){ .m = m };
	a->slot = fxt_machine_observe(m, &ops, a);
}

int fxt_account_merge(struct fxt_account *to, struct fxt_spill *spill, const struct fxt_account *from)
{
	unsigned int phase, wait;
	int err;

	for (phase = 0; phase < FXT_PHASES; phase++)
		to->ns[phase] += from->ns[phase];
	for (wait = 0; wait < FXT_WAITS; wait++)
		to->off[wait] += from->off[wait];
	to->iowait += from->iowait;
	to->throttled += from->throttled;
	to->hidden += from->hidden;
	to->begin = !to->threads || from->begin < to->begin ? from->begin : to->begin;
	to->end = from->end > to->end ? from->end : to->end;
	to->switches += from->switches;
	to->preemptions += from->preemptions;
	to->wakeups += from->wakeups;
	to->migrations += from->migrations;
	if (!to->latency.count || from->latency.max > to->latency.max)
		to->max_at = from->max_at;
	to->threads += from->threads;
	if (!to->task)
		to->task = from->task;
	err = fxt_histogram_merge(&to->latency, spill, &from->latency);
	if (!err)
		err = fxt_histogram_merge(&to->preempted, spill, &from->preempted);
	return err ? err : fxt_histogram_merge(&to->lock, spill, &from->lock);
}

void fxt_account_uninit(struct fxt_account *account, struct fxt_spill *spill)
{
	fxt_histogram_uninit(&account->latency, spill);
	fxt_histogram_uninit(&account->preempted, spill);
	fxt_histogram_uninit(&account->lock, spill);
	fxt_wakers_uninit(&account->wakers, spill);
}

void fxt_accounts_uninit(struct fxt_accounts *a)
{
	struct fxt_account *account, *next;

	for (account = a->first; account; account = next) {
		next = account->next;
		fxt_account_uninit(account, a->m->spill);
	}
}
