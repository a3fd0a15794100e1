// SPDX-License-Identifier: GPL-2.0-only
/* Sums the phases of each thread and CPU in each lap: the observer. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/laps_sums.h"
#include "analyze/machine/phase.h"
#include "analyze/reasons.h"
#include "util/array.h"
#include "util/extreme.h"

/* An account of a task in a lap, in a list with those in older laps. */
struct lap_account {
	struct fxt_account account;
	struct fxt_lap *lap;
	struct lap_account *older;
};

static bool counts(const struct fxt_lap *lap, __u64 ns)
{
	return ns >= lap->from && ns < lap->events_to;
}

/* Returns the position of a lap in the list of a task. */
static struct lap_account **place_of(struct fxt_laps *l, struct fxt_task *task, const struct fxt_lap *lap)
{
	struct lap_account **at = (struct lap_account **)&task->data[l->slot];

	while (*at && (*at)->lap != lap && (*at)->lap->from > lap->from)
		at = &(*at)->older;
	return at;
}

static struct fxt_account *account_of(struct fxt_laps *l, struct fxt_task *task, struct fxt_lap *lap)
{
	struct lap_account **at = place_of(l, task, lap), *more = *at;

	if (more && more->lap == lap)
		return &more->account;
	more = fxt_spill_alloc(l->m->spill, sizeof(*more));
	if (!more)
		return NULL;
	more->lap = lap;
	more->account.task = task;
	more->account.threads = 1;
	more->account.next = lap->accounts.first;
	lap->accounts.first = &more->account;
	lap->accounts.count++;
	more->older = *at;
	*at = more;
	return &more->account;
}

/* Adds a part of a task's interval, from begin to end, to a lap. */
static int part_add(struct fxt_laps *l, struct fxt_lap *lap, struct fxt_interval *i)
{
	struct fxt_account *account;
	int err;

	if (fxt_interval_empty(i))
		return 0;
	account = account_of(l, i->task, lap);
	err = account ? fxt_account_interval(account, l->m->spill, i) : -ENOMEM;
	return err || !l->reasons ? err : fxt_reasons_add(l->reasons, &lap->reasons, i);
}

int fxt_lap_part(struct fxt_laps *l, struct fxt_lap *lap, struct fxt_interval *i, __u64 from, __u64 to)
{
	i->from = fxt_max(from, lap->from);
	i->to = fxt_max(i->from, fxt_min(to, lap->to));
	i->lost = fxt_phase_lost(l->m, i->task, i->phase, i->begin, i->from, i->to);
	i->counts = i->ended && !i->earlier && counts(lap, i->end);
	return part_add(l, lap, i);
}

static int interval(void *state, const struct fxt_interval *ended)
{
	struct fxt_laps *l = state;
	struct fxt_interval i = *ended;
	struct fxt_lap *lap;
	int err = 0;

	/* The machine has cut the interval to the newest lap, and counts its end there. */
	i.left = NULL;
	i.throttled = 0;
	for (lap = l->oldest; lap && lap->newer && !err; lap = lap->newer)
		if (i.begin < lap->events_to)
			err = fxt_lap_part(l, lap, &i, i.begin, i.end);
	if (err || !lap)
		return err;
	i = *ended;
	i.throttled = 0;
	return part_add(l, lap, &i);
}

int fxt_lap_throttled(struct fxt_laps *l, struct fxt_lap *lap, struct fxt_task *task, __u64 from, __u64 to)
{
	struct fxt_account *account;

	from = fxt_max(from, lap->from);
	to = fxt_min(to, lap->to);
	if (from >= to)
		return 0;
	account = account_of(l, task, lap);
	if (!account)
		return -ENOMEM;
	account->throttled += to - from;
	return 0;
}

static int throttled(void *state, const struct fxt_throttled *t)
{
	struct fxt_laps *l = state;
	struct fxt_lap *lap;
	int err = 0;

	for (lap = l->oldest; lap && !err; lap = lap->newer)
		err = fxt_lap_throttled(l, lap, t->task, t->begin, t->end);
	return err;
}

struct fxt_load *fxt_lap_load(struct fxt_lap *lap, struct fxt_cpu *cpu)
{
	if (fxt_array_reach(lap->loads, lap->cpu_room, cpu->number))
		return NULL;
	lap->loads[cpu->number].cpu = cpu;
	return &lap->loads[cpu->number];
}

int fxt_lap_stretch(struct fxt_lap *lap, struct fxt_cpu_stretch *s, __u64 from, __u64 to)
{
	struct fxt_load *load;

	s->from = fxt_max(from, lap->from);
	s->to = fxt_min(to, lap->to);
	if (s->from >= s->to)
		return 0;
	s->lost = s->task ? fxt_gaps_overlap(&s->cpu->gaps, s->from, s->to) : 0;
	load = fxt_lap_load(lap, s->cpu);
	if (!load)
		return -ENOMEM;
	fxt_load_stretch(load, s);
	return 0;
}

static int stretch(void *state, const struct fxt_cpu_stretch *ended)
{
	struct fxt_laps *l = state;
	struct fxt_cpu_stretch s = *ended;
	struct fxt_lap *lap;
	int err = 0;

	for (lap = l->oldest; lap && !err; lap = lap->newer)
		err = fxt_lap_stretch(lap, &s, s.begin, s.end);
	return err;
}

static int wakeup(void *state, struct fxt_task *task, const struct fxt_wakeup_view *view, __u64 ns)
{
	struct fxt_laps *l = state;
	struct fxt_account *account;

	if (!l->newest || !counts(l->newest, ns))
		return 0;
	account = account_of(l, task, l->newest);
	return account ? fxt_account_wakeup(account, l->m->spill, view, ns) : -ENOMEM;
}

static int migrate(void *state, struct fxt_task *task, const struct fxt_migrate_view *view, __u64 ns)
{
	struct fxt_laps *l = state;
	struct fxt_account *account;

	(void)view;
	if (!l->newest || !counts(l->newest, ns))
		return 0;
	account = account_of(l, task, l->newest);
	if (!account)
		return -ENOMEM;
	account->migrations++;
	return 0;
}

int fxt_lap_life(struct fxt_laps *l, struct fxt_lap *lap, struct fxt_task *task, __u64 end)
{
	struct fxt_account *account;

	if (end < lap->from || task->begin >= lap->events_to)
		return 0;
	account = account_of(l, task, lap);
	if (!account)
		return -ENOMEM;
	account->begin = fxt_max(task->begin, lap->from);
	account->end = fxt_min(end, lap->to);
	return fxt_account_settle(account, l->m->spill);
}

/* Notes a dead task.  Without a spill, its memory is reused once no lap has the task. */
static int dead_add(struct fxt_laps *l, struct fxt_task *task)
{
	if (l->m->spill)
		return 0;
	if (fxt_array_reach(l->dead, l->dead_room, l->dead_count))
		return -ENOMEM;
	l->dead[l->dead_count++] = task;
	return 0;
}

void fxt_laps_forget(struct fxt_laps *l)
{
	struct fxt_task *task;
	__u64 at = 0;
	size_t i, count = 0;

	while ((task = fxt_tasks_next(&l->m->tasks, &at)))
		if (task->waker && task->waker->phase == FXT_PHASE_DEAD)
			task->waker = NULL;
	if (l->reasons)
		fxt_reasons_forget(l->reasons, l->oldest->from);
	for (i = 0; i < l->dead_count; i++) {
		task = l->dead[i];
		if (task->end < l->oldest->from)
			fxt_tasks_recycle(&l->m->tasks, task);
		else
			l->dead[count++] = task;
	}
	l->dead_count = count;
}

static int task_end(void *state, struct fxt_task *task)
{
	struct fxt_laps *l = state;
	struct fxt_lap *lap;
	int err = 0;

	for (lap = l->oldest; lap && !err; lap = lap->newer)
		err = fxt_lap_life(l, lap, task, task->end);
	return err ? err : dead_add(l, task);
}

static int loss(void *state, const struct fxt_loss_span *span)
{
	struct fxt_laps *l = state;
	struct fxt_origin_loss *lost = calloc(1, sizeof(*lost));

	if (!lost)
		return -ENOMEM;
	lost->span = *span;
	lost->next = l->losses;
	l->losses = lost;
	return 0;
}

const struct fxt_observer_ops fxt_laps_ops = {
	.interval = interval,
	.throttled = throttled,
	.stretch = stretch,
	.wakeup = wakeup,
	.migrate = migrate,
	.loss = loss,
	.task_end = task_end,
};

void fxt_lap_free(struct fxt_laps *l, struct fxt_lap *lap)
{
	struct fxt_account *account;

	while ((account = lap->accounts.first)) {
		struct lap_account *a = (struct lap_account *)account, **at;

		lap->accounts.first = account->next;
		at = place_of(l, account->task, lap);
		*at = a->older;
		fxt_account_uninit(account, l->m->spill);
		fxt_spill_free(l->m->spill, a, sizeof(*a));
	}
	fxt_reason_sums_uninit(&lap->reasons);
	free(lap->loads);
	free(lap);
}
