// SPDX-License-Identifier: GPL-2.0-only
/* Encodes a block of the timeline as columns: runs of CPUs, and phases of threads. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fxt/linux.h"
#include "page/block.h"
#include "page/order.h"

#define IDLE	1u	/* key + 1 */

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

static struct fxt_buffer *column(struct fxt_page_encoder *e, enum fxt_page_column number)
{
	return &e->columns[number];
}

size_t fxt_page_block_track(const struct fxt_page_encoder *e, size_t at)
{
	const struct fxt_page_row *row = &e->row[at];
	size_t end = e->first[row->kind + 1], next = at + 1;

	while (next < end && e->row[next].track == row->track)
		next++;
	return next - at;
}

static bool is_wait(const struct fxt_page_row *row)
{
	return row->phase == FXT_PAGE_WAKEUP || row->phase == FXT_PAGE_PREEMPTED;
}

/* Returns the number of a task in this block: 0: unknown; 1: idle; else the rank of its key. */
static __u32 task_number(const struct fxt_page_encoder *e, __u32 task)
{
	return task <= IDLE ? task : fxt_page_rank(&e->tasks, task) + 2;
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
		if (task > IDLE)
			fxt_page_ranks_add(&e->tasks, task);
		if (waker > IDLE)
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
		if (e->row[i].kind == FXT_PAGE_CPU && e->row[i].task > IDLE)
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

		if (row->kind == FXT_PAGE_CPU && row->task > IDLE)
			e->runs[next[fxt_page_rank(&e->tasks, row->task)]++] =
				(struct fxt_page_run){ row->from, row->to, row->track };
	}
	runs_sort(e);
	return 0;
}

static void run_put(struct fxt_page_encoder *e, __u64 length, __u32 task)
{
	fxt_column_put_time(column(e, FXT_PAGE_C_RUN_TIMES), length);
	fxt_column_put_split(column(e, FXT_PAGE_C_RUN_TASKS), 1, task_number(e, task));
}

/* Puts the runs of a CPU.  Runs have no time between them: unknown runs fill gaps. */
static void cpu_put(struct fxt_page_encoder *e, size_t first, size_t count)
{
	__u64 at = e->row[first].from, runs = count;
	size_t i;

	for (i = 1; i < count; i++)
		runs += e->row[first + i].from > e->row[first + i - 1].to;
	fxt_column_put(column(e, FXT_PAGE_C_CPUS), runs);
	fxt_column_put_time(column(e, FXT_PAGE_C_RUN_TIMES), at - e->begin);
	for (i = first; i < first + count; i++) {
		const struct fxt_page_row *row = &e->row[i];

		if (row->from > at)
			run_put(e, row->from - at, 0);
		run_put(e, row->to - row->from, row->task);
		at = row->to;
	}
}

static void cpus_put(struct fxt_page_encoder *e)
{
	__u32 before = 0;
	size_t i, count;

	for (i = 0; i < e->first[FXT_PAGE_THREAD]; i += count) {
		count = fxt_page_block_track(e, i);
		fxt_column_put(column(e, FXT_PAGE_C_CPUS), e->row[i].track - before);
		before = e->row[i].track;
		cpu_put(e, i, count);
	}
}

/* Returns the task that a CPU ran at a time, by the block's own rows; 0: unknown in the block. */
static __u32 ran_at(const struct fxt_page_encoder *e, __u32 cpu, __u64 ns)
{
	size_t low = 0, high = e->first[FXT_PAGE_THREAD];

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct fxt_page_row *row = &e->row[middle];

		if (row->track < cpu || (row->track == cpu && row->from <= ns))
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || e->row[low - 1].track != cpu || e->row[low - 1].to <= ns)
		return 0;
	return e->row[low - 1].task;
}

/* Puts a waker.  0: unknown; 2 × CPU + 1: the task that ran on that CPU, or a timer; else 2 × task number + 2. */
static void waker_put(struct fxt_page_encoder *e, const struct fxt_page_row *row)
{
	__u64 code = 0;

	if (row->waker && row->waker_cpu &&
	    (fxt_context_is_timer(row->context) || ran_at(e, row->waker_cpu - 1, row->from) == row->waker))
		code = 2 * (row->waker_cpu - 1) + 1;
	else if (row->waker)
		code = 2 * task_number(e, row->waker) + 2;
	fxt_column_put(column(e, FXT_PAGE_C_WAKERS), code);
}

static void details_put(struct fxt_page_encoder *e, const struct fxt_page_row *row, __u8 code)
{
	if (code & FXT_PAGE_PHASE_CPU)
		fxt_column_put(column(e, FXT_PAGE_C_THREAD_CPUS), row->cpu);
	if (row->phase == FXT_PAGE_WAKEUP) {
		waker_put(e, row);
		if (code & FXT_PAGE_PHASE_MORE)
			fxt_column_put(column(e, FXT_PAGE_C_CONTEXTS), row->context);
	} else if (code & FXT_PAGE_PHASE_MORE) {
		fxt_column_put(column(e, FXT_PAGE_C_SLEEPS), row->function);
		fxt_column_put(column(e, FXT_PAGE_C_SLEEPS), row->stack);
		fxt_column_put(column(e, FXT_PAGE_C_SLEEPS), row->iowait);
	}
}

static void code_put(struct fxt_page_encoder *e, __u8 code)
{
	fxt_buffer_put(column(e, FXT_PAGE_C_PHASES), &code, 1);
}

/* Position in a thread's rows. */
struct place {
	const struct fxt_page_run *run, *runs_end;	/* the thread's next run */
	__u64 begin, end;	/* times of the previous row */
	bool ended;		/* the reader knows the previous row's end */
	__u64 count;		/* number of rows, including skipped and filled ones */
};

static bool run_is(const struct place *p, const struct fxt_page_row *row)
{
	return p->run < p->runs_end && p->run->from == row->from && p->run->cpu == row->cpu && p->run->to == row->to;
}

/* Skips runs that are not rows of the thread; returns whether the next run is this row. */
static bool run_matches(struct fxt_page_encoder *e, const struct fxt_page_row *row, struct place *p)
{
	for (; p->run < p->runs_end && p->run->from <= row->from; p->run++) {
		if (run_is(p, row))
			return true;
		code_put(e, FXT_PAGE_SKIP);
		p->count++;
	}
	return false;
}

static void row_put(struct fxt_page_encoder *e, const struct fxt_page_row *row, const struct fxt_page_row *next,
		    struct place *p)
{
	bool run = row->phase == FXT_PAGE_RUN, implied = run && run_matches(e, row, p);
	__u8 code = row->phase;

	if (!implied && (run || !p->ended || p->end != row->from))
		code |= FXT_PAGE_PHASE_BEGIN;
	if (run ? !implied : is_wait(row) && (!next || next->phase != FXT_PAGE_RUN || next->cpu != row->cpu))
		code |= FXT_PAGE_PHASE_CPU;
	if (row->phase == FXT_PAGE_WAKEUP ? row->context != 0 :
	    row->phase >= FXT_PAGE_SLEEP && (row->function || row->stack || row->iowait))
		code |= FXT_PAGE_PHASE_MORE;
	code_put(e, code);
	if (code & FXT_PAGE_PHASE_BEGIN)
		fxt_column_put_time(column(e, FXT_PAGE_C_BEGINS), row->from - p->begin);
	/* Stored unless the next row implies it. */
	if (!implied && (!next || run))
		fxt_column_put_time(column(e, FXT_PAGE_C_LENGTHS), row->to - row->from);
	details_put(e, row, code);
	p->run += implied;
	p->begin = row->from;
	p->end = row->to;
	p->ended = run;
	p->count++;
}

static __u64 thread_put(struct fxt_page_encoder *e, size_t first, size_t count)
{
	__u32 rank = fxt_page_rank(&e->tasks, e->row[first].track + 1);
	struct place p = {
		.run = &e->runs[e->first_run[rank]], .runs_end = &e->runs[e->first_run[rank + 1]], .begin = e->begin,
	};
	size_t i;

	for (i = first; i < first + count; i++) {
		const struct fxt_page_row *row = &e->row[i], *next = i + 1 < first + count ? row + 1 : NULL;
		struct fxt_page_row gap = { .from = row->to, .track = row->track };

		if (next && next->from > row->to) {
			gap.to = next->from;
			row_put(e, row, &gap, &p);
			row_put(e, &gap, next, &p);
		} else {
			row_put(e, row, next, &p);
		}
	}
	return p.count;
}

static void threads_put(struct fxt_page_encoder *e)
{
	size_t i = e->first[FXT_PAGE_THREAD], end = e->first[FXT_PAGE_SLICE], task, count;
	__u32 before = 0;

	for (task = 0; task < e->tasks.count; task++) {
		__u64 rows = 0;

		fxt_column_put(column(e, FXT_PAGE_C_THREADS), e->tasks.numbers[task] - before);
		before = e->tasks.numbers[task];
		if (i < end && e->row[i].track + 1 == before) {
			count = fxt_page_block_track(e, i);
			rows = thread_put(e, i, count);
			i += count;
		}
		fxt_column_put(column(e, FXT_PAGE_C_THREAD_ROWS), rows);
	}
}

int fxt_page_block_encode(struct fxt_page_encoder *e, struct fxt_page_row *rows, size_t count, __u64 begin)
{
	unsigned int kind;
	size_t i = 0;
	int err;

	e->row = rows;
	e->count = count;
	e->begin = begin;
	err = tasks_gather(e);
	if (!err)
		err = runs_gather(e);
	if (!err)
		err = fxt_page_rows_sort(&e->row, count);
	if (err)
		return err;
	for (kind = 0; kind <= FXT_PAGE_KINDS; kind++) {
		while (i < count && e->row[i].kind < kind)
			i++;
		e->first[kind] = i;
	}
	cpus_put(e);
	threads_put(e);
	return fxt_page_block_events(e);
}

void fxt_page_block_release(struct fxt_page_encoder *e)
{
	free(e->row);
	free(e->runs);
	free(e->first_run);
	fxt_page_ranks_uninit(&e->tasks);
	e->row = NULL;
	e->runs = NULL;
	e->first_run = NULL;
}

void fxt_page_encoder_uninit(struct fxt_page_encoder *e)
{
	unsigned int i;

	fxt_page_block_release(e);
	for (i = 0; i < FXT_PAGE_COLUMNS; i++)
		fxt_buffer_uninit(&e->columns[i]);
}
