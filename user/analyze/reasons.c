// SPDX-License-Identifier: GPL-2.0-only
/* Sums the sleeps of threads by reason, or by lock. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/machine/phase.h"
#include "analyze/reasons.h"
#include "util/array.h"

/* The present sleep of a thread. */
struct sleep {
	struct fxt_reason_sum *sum;	/* NULL: none */
	struct fxt_task *holder;	/* holder at the start; NULL: not known */
	bool counted;			/* thread counts as waiting */
};

/* Finds or adds the sum of a thread's present sleep; NULL: -ENOMEM. */
static struct fxt_reason_sum *sum_of(struct fxt_reasons *r, const struct fxt_task *task)
{
	const struct fxt_sleep_reason *reason = &task->reason;
	bool any = r->by == FXT_BY_LOCK && reason->kind && (reason->kind != FXT_ON_FUTEX || fxt_reason_is_mapped(reason));
	const char *name = task->process && task->process->name[0] ? task->process->name : task->name;
	struct fxt_reason_key key;
	struct fxt_reason_sum *sum;

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
	sum = fxt_map_named(&r->sums, &key, sizeof(key));
	if (sum) {
		sum->process = sum->process == task->process ? sum->process : NULL;
		return sum;
	}
	sum = fxt_map_new_named(&r->sums, &key, sizeof(key), sizeof(*sum));
	if (!sum)
		return NULL;
	sum->name = any ? NULL : name;
	sum->process = task->process;
	sum->sleeper = task;
	sum->reason = *reason;
	sum->number = r->sums.count;
	return sum;
}

static bool is_summed(const struct fxt_reasons *r, const struct fxt_task *task, enum fxt_phase phase)
{
	return task->key && fxt_phase_sleeps(phase) && (r->by != FXT_BY_LOCK || task->wait == FXT_WAIT_LOCK);
}

/* Starts a thread's sleep. */
static int change(void *state, const struct fxt_change *c)
{
	struct fxt_reasons *r = state;
	struct fxt_task *task = c->prev;
	struct sleep *sleep = fxt_task_data(task, r->slot);

	if (!is_summed(r, task, task->phase) || c->ns >= r->m->to)
		return 0;
	if (!sleep)
		sleep = fxt_task_data_add(&r->m->tasks, task, r->slot, sizeof(*sleep));
	if (!sleep)
		return -ENOMEM;
	*sleep = (struct sleep){ .sum = sum_of(r, task), .counted = !task->woken };
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

/* Ends the count of a thread as waiting, at the end of an interval. */
static void leave(const struct fxt_reasons *r, struct fxt_reason_sum *sum, struct sleep *sleep,
		  const struct fxt_interval *i)
{
	/* Threads that sleep when the window starts are in the window together. */
	if (i->begin < r->m->from && i->end > r->m->from && sum->waiters > sum->waiters_max)
		sum->waiters_max = sum->waiters;
	sum->waiters -= sleep->counted;
	sleep->sum = NULL;
}

/* Notes a wakeup by the holder, which hands the lock to the thread that it wakes. */
static void hand_off(struct fxt_reason_sum *sum, const struct fxt_interval *i)
{
	if (!sum->holder || fxt_interval_waker(i) != sum->holder)
		return;
	sum->handoffs += i->counts;
	sum->holder = i->task;
}

static int sleep_add(struct fxt_reasons *r, struct fxt_reason_sum *sum, struct fxt_task *holder,
		     const struct fxt_interval *i)
{
	__u64 known = i->to - i->from - i->lost;
	int err = i->counts ? fxt_histogram_add(&sum->waits, r->m->spill, i->end - i->begin) : 0;

	if (!known)
		return err;
	sum->count++;
	sum->ns += known;
	if (known > sum->longest) {
		sum->longest = known;
		sum->longest_at = i->from;
		sum->longest_of = i->task;
	}
	return err || !holder ? err : fxt_wakers_add(&sum->holders, r->m->spill, holder, FXT_CONTEXT_TASK, known);
}

static int interval(void *state, const struct fxt_interval *i)
{
	struct fxt_reasons *r = state;
	struct sleep *sleep = fxt_task_data(i->task, r->slot);
	struct fxt_reason_sum *sum = sleep ? sleep->sum : NULL;

	if (sum)
		leave(r, sum, sleep, i);
	if (!is_summed(r, i->task, i->phase))
		return 0;
	if (sum)
		hand_off(sum, i);
	if (i->from >= i->to || !fxt_selection_task(r->selection, i->task))
		return 0;
	if (!sum)
		sum = sum_of(r, i->task);
	return sum ? sleep_add(r, sum, sleep ? sleep->holder : NULL, i) : -ENOMEM;
}

static const struct fxt_observer_ops ops = { .change = change, .interval = interval };

void fxt_reasons_init(struct fxt_reasons *r, struct fxt_machine *m, const struct fxt_selection *selection,
		      enum fxt_report_by by)
{
	*r = (struct fxt_reasons){ .m = m, .selection = selection, .by = by, .sums.memory.spill = m->spill };
	r->slot = fxt_machine_observe(m, &ops, r);
}

void fxt_reasons_uninit(struct fxt_reasons *r)
{
	struct fxt_reason_sum *sum;
	size_t at = 0;

	while ((sum = fxt_map_next(&r->sums, &at))) {
		fxt_histogram_uninit(&sum->waits, r->m->spill);
		fxt_wakers_uninit(&sum->holders, r->m->spill);
	}
	fxt_map_uninit(&r->sums, NULL);
}

/* Returns the rank of a sum: kernel threads and unknown reasons come after other waits, and waits for work last. */
static unsigned int rank_of(const struct fxt_reason_sum *sum)
{
	if (sum->key.wait == FXT_WAIT_IDLE)
		return 2;
	return sum->key.wait == FXT_WAIT_UNKNOWN || fxt_reason_entry(&sum->reason) == FXT_ENTRY_KERNEL;
}

static int order(const void *a, const void *b)
{
	const struct fxt_reason_row *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	if (x->m != y->m)
		return x->m->tasks.machine < y->m->tasks.machine ? -1 : 1;
	return (x->sum->number > y->sum->number) - (x->sum->number < y->sum->number);
}

static int row_add(struct fxt_reason_rows *rows, const struct fxt_machine *m, struct fxt_reason_sum *sum)
{
	int err = fxt_histogram_settle(&sum->waits, m->spill);

	if (!err)
		err = fxt_array_more(rows->rows, rows->count);
	if (!err)
		rows->rows[rows->count++] = (struct fxt_reason_row){
			.sum = sum, .m = m, .ns = sum->ns, .rank = rank_of(sum),
		};
	return err;
}

int fxt_reason_rows_init(struct fxt_reason_rows *rows, struct fxt_reasons *reasons, __u32 count)
{
	struct fxt_reason_sum *sum;
	size_t at;
	int err = 0;
	__u32 i;

	*rows = (struct fxt_reason_rows){ 0 };
	for (i = 0; i < count && !err; i++)
		for (at = 0; !err && (sum = fxt_map_next(&reasons[i].sums, &at));)
			err = sum->count ? row_add(rows, reasons[i].m, sum) : 0;
	if (!err && rows->count)
		qsort(rows->rows, rows->count, sizeof(*rows->rows), order);
	return err;
}

void fxt_reason_rows_uninit(struct fxt_reason_rows *rows)
{
	free(rows->rows);
}

int fxt_reason_figures_init(struct fxt_reason_figures *figures, const struct fxt_reason_sum *sum)
{
	struct fxt_histogram_bucket *buckets = fxt_histogram_buckets(&sum->waits);
	int err = sum->waits.used && !buckets ? -ENOMEM : 0;
	unsigned int i;

	*figures = (struct fxt_reason_figures){
		.p50 = fxt_histogram_quantile(&sum->waits, buckets, 500),
		.p99 = fxt_histogram_quantile(&sum->waits, buckets, 990),
		.holders = fxt_wakers_sorted(&sum->holders),
	};
	free(buckets);
	if (sum->holders.used && !figures->holders)
		err = -ENOMEM;
	for (i = 0; figures->holders && i < sum->holders.used; i++)
		figures->held += figures->holders[i].count;
	return err;
}

void fxt_reason_figures_uninit(struct fxt_reason_figures *figures)
{
	free(figures->holders);
}
