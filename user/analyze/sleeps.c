// SPDX-License-Identifier: GPL-2.0-only
/* Sums the sleeps of threads. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/machine/phase.h"
#include "analyze/sleeps.h"
#include "store/keyed.h"
#include "util/array.h"

#define STATE_NAME(id, name)	name,
const char *const fxt_sleep_state_names[] = { FXT_SLEEP_STATES(STATE_NAME) };

#define COLUMN_NAME(id, name, value)	name,
const char *const fxt_sleep_column_names[] = { FXT_SLEEP_COLUMNS(COLUMN_NAME) NULL };

static __u64 value_of(const struct fxt_sleep *s, enum fxt_sleep_column column)
{
	switch (column) {
#define COLUMN_CASE(id, name, value) case FXT_SLEEP_BY_##id: return value;
	FXT_SLEEP_COLUMNS(COLUMN_CASE)
	default:
		return 0;
	}
}

/*
 * Finds or adds the sum of sleeps with the same properties; sleeper and waker are a thread
 * or a group each.  Returns NULL without memory.
 */
static struct fxt_sleep *sum_of(struct fxt_sleep_sums *sums, const struct fxt_sleep *like, const void *sleeper,
				const void *waker)
{
	const void *key[] = { sleeper, waker, like->function, (const void *)(unsigned long)like->context,
			      (const void *)(unsigned long)like->state };
	__u64 hash = fxt_keyed_bytes(key, sizeof(key));
	struct fxt_sleep *sum;

	/* Keys with the same hash have the next numbers. */
	for (; (sum = fxt_map_get(&sums->map, hash)); hash++) {
		if (!memcmp(sum->key, key, sizeof(key)))
			return sum;
	}
	sum = fxt_map_new(&sums->map, hash, sizeof(*sum));
	if (!sum)
		return NULL;
	*sum = *like;
	memcpy(sum->key, key, sizeof(key));
	sum->count = sum->ns = sum->longest = 0;
	sum->next = NULL;
	*(sums->last ? &sums->last->next : &sums->first) = sum;
	sums->last = sum;
	return sum;
}

static void sum_add(struct fxt_sleep *to, const struct fxt_sleep *sleep)
{
	to->count += sleep->count;
	to->ns += sleep->ns;
	if (sleep->longest > to->longest) {
		to->longest = sleep->longest;
		to->longest_at = sleep->longest_at;
	}
}

static enum fxt_sleep_state state_of(const struct fxt_task *task, enum fxt_phase phase)
{
	if (phase == FXT_PHASE_BLOCKED)
		return task->iowait ? FXT_SLEEP_IOWAIT : FXT_SLEEP_BLOCKED;
	return phase == FXT_PHASE_STOPPED ? FXT_SLEEP_STOPPED : FXT_SLEEP_SLEEP;
}

static int interval(void *state, const struct fxt_interval *i)
{
	struct fxt_sleeps *s = state;
	const struct fxt_task *task = i->task;
	__u64 known = i->to - i->from - i->lost;
	struct fxt_sleep sleep, *sum;

	if (!fxt_phase_sleeps(i->phase) || !known || !fxt_selection_task(s->selection, task))
		return 0;
	sleep = (struct fxt_sleep){
		.task = task, .state = state_of(task, i->phase), .function = task->function, .context = FXT_SLEEP_OPEN,
		.count = 1, .ns = known, .longest = known, .longest_at = i->from,
	};
	if (task->waker && task->woken_ns == i->end) {
		sleep.context = task->context;
		/* An interrupted thread is not the cause of the wakeup. */
		sleep.waker = task->context || !task->waker->key ? NULL : task->waker;
	}
	sum = sum_of(&s->sums, &sleep, task, sleep.waker);
	if (!sum)
		return -ENOMEM;
	sum_add(sum, &sleep);
	return 0;
}

static const struct fxt_observer_ops ops = { .interval = interval };

void fxt_sleeps_init(struct fxt_sleeps *s, struct fxt_machine *m, const struct fxt_selection *selection)
{
	*s = (struct fxt_sleeps){ .m = m, .selection = selection, .sums.map.memory.spill = m->spill };
	s->slot = fxt_machine_observe(m, &ops, s);
}

void fxt_sleeps_uninit(struct fxt_sleeps *s)
{
	fxt_map_uninit(&s->sums.map, NULL);
}

/* Adds a sum of threads to the sum of their groups. */
static int row_add(struct fxt_sleep_rows *r, struct fxt_tasks *tasks, const struct fxt_sleep *threads)
{
	struct fxt_sleep like = *threads, *sum;
	const void *sleeper, *waker = NULL;
	size_t count = r->sums.map.count;
	int err;

	sleeper = fxt_report_common(r->by, tasks, like.task, &like.name, &err);
	if (!err && like.waker)
		waker = fxt_report_common(r->by, tasks, like.waker, &like.waker_name, &err);
	sum = err ? NULL : sum_of(&r->sums, &like, sleeper, waker);
	if (!sum)
		return err ? err : -ENOMEM;
	if (r->sums.map.count > count) {
		err = fxt_array_more(r->rows, r->count);
		if (err)
			return err;
		r->rows[r->count] = (struct fxt_sleep_row){ .sum = sum, .key = like.task->key, .number = r->count };
		r->count++;
	}
	sum_add(sum, &like);
	r->ns += like.ns;
	return 0;
}

static int descending(const void *a, const void *b)
{
	const struct fxt_sleep_row *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? 1 : -1;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

int fxt_sleep_rows_init(struct fxt_sleep_rows *r, struct fxt_sleeps *sleeps, __u32 count, enum fxt_report_by by,
			enum fxt_sleep_column sort)
{
	const struct fxt_sleep *sum;
	size_t i;
	int err = 0;
	__u32 k;

	*r = (struct fxt_sleep_rows){ .by = by, .sums.map.memory.spill = sleeps->m->spill };
	for (k = 0; k < count && !err; k++)
		for (sum = sleeps[k].sums.first; sum && !err; sum = sum->next)
			err = row_add(r, &sleeps[k].m->tasks, sum);
	for (i = 0; i < r->count; i++)
		r->rows[i].order = value_of(r->rows[i].sum, sort);
	if (!err && r->count)
		qsort(r->rows, r->count, sizeof(*r->rows), descending);
	return err;
}

void fxt_sleep_rows_uninit(struct fxt_sleep_rows *r)
{
	fxt_map_uninit(&r->sums.map, NULL);
	free(r->rows);
}
