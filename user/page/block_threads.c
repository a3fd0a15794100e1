// SPDX-License-Identifier: GPL-2.0-only
/* Encodes phases of threads as columns. */
#include <stdlib.h>
#include <string.h>

#include "fxt/linux.h"
#include "page/block.h"

/* The most runs of a waker after the run that woke a thread, before the thread runs. */
#define WAKER_RUNS_MAX	255

static bool is_wait(const struct fxt_page_row *row)
{
	return row->phase == FXT_PAGE_WAKEUP || row->phase == FXT_PAGE_PREEMPTED;
}

static bool is_sleep(const struct fxt_page_row *row)
{
	return row->phase >= FXT_PAGE_SLEEP && row->phase <= FXT_PAGE_BLOCKED;
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
		code = 2 * fxt_page_task_number(e, row->waker) + 2;
	fxt_column_put(fxt_page_column(e, FXT_PAGE_C_WAKERS), code);
}

static void details_put(struct fxt_page_encoder *e, const struct fxt_page_row *row, __u8 code)
{
	if (code & FXT_PAGE_PHASE_CPU)
		fxt_column_put(fxt_page_column(e, FXT_PAGE_C_THREAD_CPUS), row->cpu);
	if (row->phase == FXT_PAGE_WAKEUP) {
		if (!(code & FXT_PAGE_PHASE_WAKER))
			waker_put(e, row);
		if (code & FXT_PAGE_PHASE_MORE)
			fxt_column_put(fxt_page_column(e, FXT_PAGE_C_CONTEXTS), row->context);
	} else if (code & FXT_PAGE_PHASE_MORE) {
		fxt_column_put(fxt_page_column(e, FXT_PAGE_C_SLEEPS), row->function);
		fxt_column_put(fxt_page_column(e, FXT_PAGE_C_SLEEPS), row->stack);
		fxt_column_put(fxt_page_column(e, FXT_PAGE_C_SLEEPS), row->iowait);
	}
	if (is_sleep(row) && code & FXT_PAGE_PHASE_REASON)
		fxt_column_put(fxt_page_column(e, FXT_PAGE_C_SLEEPS), row->reason);
}

/* Puts a row's phase and flags, unless they follow those of the row before as they did the last time. */
static void code_put(struct fxt_page_encoder *e, __u8 code)
{
	if (e->follows[e->before] == code) {
		e->repeats++;
	} else {
		fxt_column_put(fxt_page_column(e, FXT_PAGE_C_REPEATS), e->repeats);
		fxt_buffer_put(fxt_page_column(e, FXT_PAGE_C_PHASES), &code, 1);
		e->follows[e->before] = code;
		e->repeats = 0;
	}
	e->before = code;
}

static void codes_begin(struct fxt_page_encoder *e)
{
	memset(e->follows, 0, sizeof(e->follows));
	e->before = 0;
	e->repeats = 0;
}

/* Position in a thread's rows. */
struct place {
	const struct fxt_page_run *run, *runs_end;	/* the thread's next run */
	__u64 begin, end;	/* times of the previous row */
	bool ended;		/* the reader knows the previous row's end */
	__u64 count;		/* number of rows, including skipped and filled ones */
	__u32 waker;		/* waker of the last row with FXT_PAGE_PHASE_WAKER, and its last run before the row after */
	const struct fxt_page_run *waker_run;
	__u32 reason;		/* reason of the last sleep */
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

/* Returns the last run of a task that begins before a time; NULL: none. */
static const struct fxt_page_run *run_before(const struct fxt_page_encoder *e, __u32 task, __u64 ns)
{
	__u32 rank = fxt_page_rank(&e->tasks, task);
	size_t low = e->first_run[rank], high = e->first_run[rank + 1];

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (e->runs[middle].from < ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low > e->first_run[rank] ? &e->runs[low - 1] : NULL;
}

/*
 * Puts waker and begin of a wait by the waker's run, if possible: a waker wakes the same threads at the same times of
 * its runs, so the time since the run's begin differs less than the time that a thread slept.
 */
static bool waker_run_put(struct fxt_page_encoder *e, const struct fxt_page_row *row, const struct fxt_page_row *next,
			  struct place *p)
{
	const struct fxt_page_run *last, *run, *end;
	__u32 rank;

	if (row->waker <= FXT_PAGE_IDLE_TASK || row->context || !next || next->phase != FXT_PAGE_RUN || !run_is(p, next))
		return false;
	rank = fxt_page_rank(&e->tasks, row->waker);
	end = &e->runs[e->first_run[rank + 1]];
	last = p->waker == row->waker ? p->waker_run : run_before(e, row->waker, next->from);
	if (!last)
		return false;
	while (last + 1 < end && last[1].from < next->from)
		last++;
	for (run = last; run->from > row->from; run--)
		if (run == &e->runs[e->first_run[rank]] || last - run == WAKER_RUNS_MAX)
			return false;
	if (run->to <= row->from || run->cpu + 1 != row->waker_cpu)
		return false;
	fxt_column_put(fxt_page_column(e, FXT_PAGE_C_WAKER_TASKS), p->waker == row->waker ? 0 : rank + 1);
	fxt_column_put(fxt_page_column(e, FXT_PAGE_C_WAKER_RUNS), last - run);
	fxt_column_put_time(fxt_page_column(e, FXT_PAGE_C_WAKER_TIMES), row->from - run->from);
	p->waker = row->waker;
	p->waker_run = last;
	return true;
}

static void row_put(struct fxt_page_encoder *e, const struct fxt_page_row *row, const struct fxt_page_row *next,
		    struct place *p)
{
	bool run = row->phase == FXT_PAGE_RUN, implied = run && run_matches(e, row, p);
	__u8 code = row->phase;

	if (!implied && (run || !p->ended || p->end != row->from))
		code |= row->phase == FXT_PAGE_WAKEUP && waker_run_put(e, row, next, p) ? FXT_PAGE_PHASE_WAKER :
			FXT_PAGE_PHASE_BEGIN;
	if (run ? !implied : is_wait(row) && (!next || next->phase != FXT_PAGE_RUN || next->cpu != row->cpu))
		code |= FXT_PAGE_PHASE_CPU;
	if (row->phase == FXT_PAGE_WAKEUP ? row->context != 0 :
	    row->phase >= FXT_PAGE_SLEEP && (row->function || row->stack || row->iowait))
		code |= FXT_PAGE_PHASE_MORE;
	if (is_sleep(row) && row->reason != p->reason) {
		code |= FXT_PAGE_PHASE_REASON;
		p->reason = row->reason;
	}
	code_put(e, code);
	if (code & FXT_PAGE_PHASE_BEGIN)
		fxt_column_put_time(fxt_page_column(e, FXT_PAGE_C_BEGINS), row->from - p->begin);
	/* Stored unless the next row implies it. */
	if (!implied && (!next || run))
		fxt_column_put_time(fxt_page_column(e, FXT_PAGE_C_LENGTHS), row->to - row->from);
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

void fxt_page_block_threads(struct fxt_page_encoder *e)
{
	size_t i = e->first[FXT_PAGE_THREAD], end = e->first[FXT_PAGE_SLICE], task, count;
	__u32 before = 0;

	codes_begin(e);
	for (task = 0; task < e->tasks.count; task++) {
		__u64 rows = 0;

		fxt_column_put(fxt_page_column(e, FXT_PAGE_C_THREADS), e->tasks.numbers[task] - before);
		before = e->tasks.numbers[task];
		if (i < end && e->row[i].track + 1 == before) {
			count = fxt_page_block_track(e, i);
			rows = thread_put(e, i, count);
			i += count;
		}
		fxt_column_put(fxt_page_column(e, FXT_PAGE_C_THREAD_ROWS), rows);
	}
	fxt_column_put(fxt_page_column(e, FXT_PAGE_C_REPEATS), e->repeats);
}
