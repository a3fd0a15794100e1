// SPDX-License-Identifier: GPL-2.0-only
/* Collects the tasks of a block, and the runs of each. */
#include <errno.h>
#include <stdlib.h>

#include "page/block.h"

static int compare_numbers(__u64 a, __u64 b)
{
	return a < b ? -1 : a > b;
}

static int compare_runs(const void *a, const void *b)
{
	const struct fxt_page_run *one = a, *other = b;
	int by = compare_numbers(one->from, other->from);

	return by ? by : compare_numbers(one->cpu, other->cpu);
}

/* Returns the task of a row, and in *waker the other task that it names; 0: none. */
static __u32 tasks_of(const struct fxt_page_row *row, __u32 *waker)
{
	*waker = row->kind == FXT_PAGE_THREAD && row->phase == FXT_PAGE_WAKEUP ? row->waker : 0;
	return row->kind == FXT_PAGE_CPU ? row->task : row->kind == FXT_PAGE_THREAD ? row->track + 1 : 0;
}

/* Collects all tasks that the block names, each once. */
static int tasks_gather(struct fxt_page_encoder *e)
{
	__u32 most = 0, task, waker;
	size_t i;
	int err;

	for (i = 0; i < e->count; i++) {
		task = tasks_of(&e->row[i], &waker);
		most = task > most ? task : most;
		most = waker > most ? waker : most;
	}
	err = fxt_page_ranks_init(&e->tasks, most);
	for (i = 0; i < e->count && !err; i++) {
		task = tasks_of(&e->row[i], &waker);
		if (task > FXT_PAGE_IDLE_TASK)
			fxt_page_ranks_add(&e->tasks, task);
		if (waker > FXT_PAGE_IDLE_TASK)
			fxt_page_ranks_add(&e->tasks, waker);
	}
	return err ? err : fxt_page_ranks_settle(&e->tasks);
}

/* Sorts each task's runs by time and CPU, where they aren't in this order already. */
static void runs_sort(struct fxt_page_encoder *e)
{
	size_t task, i;

	for (task = 0; task < e->tasks.count; task++) {
		size_t first = e->first_run[task], end = e->first_run[task + 1];
		bool sorted = true;

		for (i = first + 1; i < end; i++)
			sorted &= compare_runs(&e->runs[i - 1], &e->runs[i]) <= 0;
		if (!sorted)
			qsort(&e->runs[first], end - first, sizeof(*e->runs), compare_runs);
	}
}

/*
 * Collects the runs of each task, to find those that belong to a thread's rows.  The rows are in the order of their
 * ends, still, which mostly is the order of a task's runs.
 */
static int runs_gather(struct fxt_page_encoder *e)
{
	size_t i, first = 0, *next, of;

	e->first_run = next = calloc(e->tasks.count + 2, sizeof(*e->first_run));
	if (!next)
		return -ENOMEM;
	next++;
	for (i = 0; i < e->count; i++)
		if (e->row[i].kind == FXT_PAGE_CPU && e->row[i].task > FXT_PAGE_IDLE_TASK)
			next[fxt_page_rank(&e->tasks, e->row[i].task)]++;
	for (i = 0; i < e->tasks.count; i++) {
		of = next[i];
		next[i] = first;
		first += of;
	}
	e->runs = malloc((first + 1) * sizeof(*e->runs));
	if (!e->runs)
		return -ENOMEM;
	for (i = 0; i < e->count; i++) {
		const struct fxt_page_row *row = &e->row[i];

		if (row->kind == FXT_PAGE_CPU && row->task > FXT_PAGE_IDLE_TASK)
			e->runs[next[fxt_page_rank(&e->tasks, row->task)]++] =
				(struct fxt_page_run){ row->from, row->to, row->track };
	}
	runs_sort(e);
	return 0;
}

int fxt_page_block_gather(struct fxt_page_encoder *e)
{
	int err = tasks_gather(e);

	return err ? err : runs_gather(e);
}
