/* SPDX-License-Identifier: GPL-2.0-only */
/* Encodes a block of the timeline as columns.  Documentation/page-timeline.rst has their layout. */
#ifndef FXT_PAGE_BLOCK_H
#define FXT_PAGE_BLOCK_H

#include "page/columns.h"
#include "page/ranks.h"
#include "page/rows.h"
#include "util/buffer.h"

/* The first column of each kind of number; a time has FXT_COLUMNS_OF_TIME columns. */
enum fxt_page_column {
	FXT_PAGE_C_THREADS,	/* differences of keys, for all threads that the block names */
	FXT_PAGE_C_THREAD_ROWS,	/* number of rows of each thread */
	FXT_PAGE_C_CPUS,	/* per CPU: difference of its number, number of runs */
	FXT_PAGE_C_RUN_TIMES,	/* begin of the first run, length of each run */
	FXT_PAGE_C_RUN_TASKS = FXT_PAGE_C_RUN_TIMES + FXT_COLUMNS_OF_TIME,	/* low byte, rest */
	FXT_PAGE_C_REPEATS = FXT_PAGE_C_RUN_TASKS + 2,	/* before each phase, number of rows that imply theirs */
	FXT_PAGE_C_PHASES,	/* a byte for each other row: FXT_PAGE_PHASE_* */
	FXT_PAGE_C_BEGINS,
	FXT_PAGE_C_LENGTHS = FXT_PAGE_C_BEGINS + FXT_COLUMNS_OF_TIME,
	FXT_PAGE_C_THREAD_CPUS = FXT_PAGE_C_LENGTHS + FXT_COLUMNS_OF_TIME,
	FXT_PAGE_C_WAKERS,
	FXT_PAGE_C_CONTEXTS,
	FXT_PAGE_C_WAKER_TASKS,	/* of FXT_PAGE_PHASE_WAKER: 0: as before, task; runs back; time since that run's begin */
	FXT_PAGE_C_WAKER_RUNS,
	FXT_PAGE_C_WAKER_TIMES,
	FXT_PAGE_C_SLEEPS = FXT_PAGE_C_WAKER_TIMES + FXT_COLUMNS_OF_TIME,	/* function, stack, iowait; reason */
	FXT_PAGE_C_SLICES,	/* per track: difference of its number, rows */
	FXT_PAGE_C_SLICE_BEGINS,	/* time since the previous begin */
	FXT_PAGE_C_SLICE_LENGTHS = FXT_PAGE_C_SLICE_BEGINS + FXT_COLUMNS_OF_TIME,
	FXT_PAGE_C_SLICE_NAMES = FXT_PAGE_C_SLICE_LENGTHS + FXT_COLUMNS_OF_TIME,
	FXT_PAGE_C_SLICE_DEPTHS,	/* 2 × depth, + 1 if the end is unknown */
	FXT_PAGE_C_SLICE_CATEGORIES,
	FXT_PAGE_C_SLICE_TEXTS,	/* lengths */
	FXT_PAGE_C_INSTANTS,	/* the same columns for instants */
	FXT_PAGE_C_INSTANT_BEGINS,
	FXT_PAGE_C_INSTANT_NAMES = FXT_PAGE_C_INSTANT_BEGINS + FXT_COLUMNS_OF_TIME,
	FXT_PAGE_C_INSTANT_CATEGORIES,
	FXT_PAGE_C_INSTANT_TEXTS,
	FXT_PAGE_C_COUNTERS,
	FXT_PAGE_C_COUNTER_BEGINS,
	FXT_PAGE_C_VALUES = FXT_PAGE_C_COUNTER_BEGINS + FXT_COLUMNS_OF_TIME,	/* the 8 bytes of a double */
	FXT_PAGE_C_TEXTS,	/* texts of slices, then of instants */
	FXT_PAGE_COLUMNS,
};

/* Flags beside the phase in the lower four bits. */
#define FXT_PAGE_PHASE_BEGIN	0x10	/* its begin is in the column; else: the previous row's end, its run's begin */
#define FXT_PAGE_PHASE_CPU	0x20	/* a wait: its CPU is in the column; else it is the CPU of the following run */
#define FXT_PAGE_PHASE_MORE	0x40	/* a wait: its waker is not a task; a sleep: its function is known */
/* A wait since a wakeup: waker and begin are those of a run of the waker.  The next row is a run of the CPUs' columns. */
#define FXT_PAGE_PHASE_WAKER	0x80
/* A sleep: its reason is in the column; else it is that of the thread's sleep before in the block, at first none. */
#define FXT_PAGE_PHASE_REASON	0x80

struct fxt_page_run {
	__u64 from, to;
	__u32 cpu;
};

struct fxt_page_encoder {
	struct fxt_page_rows *rows;
	__u64 begin;			/* ns of the block's begin */
	struct fxt_buffer columns[FXT_PAGE_COLUMNS];
	struct fxt_page_row *row;	/* sorted by kind, track and time */
	size_t count;
	size_t first[FXT_PAGE_KINDS + 1];	/* index of the first row of each kind */
	struct fxt_page_ranks tasks;	/* all tasks that the block names: keys + 1 */
	struct fxt_page_run *runs;	/* runs of threads, by task, time and CPU */
	size_t *first_run;		/* by a task's rank: index of its first run; one more: the end */
	__u8 follows[256];		/* by a row's phase and flags: those of the row after it, the last time */
	__u8 before;			/* phase and flags of the previous row */
	__u64 repeats;			/* number of rows since the last phase that was put */
	char text[FXT_PAGE_TEXT_MAX];
};

/* Sorts the rows, which it takes, and fills the columns.  0 or -errno; to be uninitialized in both cases. */
int fxt_page_block_encode(struct fxt_page_encoder *encoder, struct fxt_page_row *rows, size_t count, __u64 begin);

/* Frees the encoder's data of a block. */
void fxt_page_block_release(struct fxt_page_encoder *encoder);
void fxt_page_encoder_uninit(struct fxt_page_encoder *encoder);

/* The idle task's key + 1. */
#define FXT_PAGE_IDLE_TASK	1u

/* Returns the number of a task in the block: 0: unknown; 1: idle; else the rank of its key, and two. */
static inline __u32 fxt_page_task_number(const struct fxt_page_encoder *encoder, __u32 task)
{
	return task <= FXT_PAGE_IDLE_TASK ? task : fxt_page_rank(&encoder->tasks, task) + 2;
}

static inline struct fxt_buffer *fxt_page_column(struct fxt_page_encoder *encoder, enum fxt_page_column number)
{
	return &encoder->columns[number];
}

/* Collects the tasks of the block's rows, and their runs, before the rows are sorted.  0 or -ENOMEM. */
int fxt_page_block_gather(struct fxt_page_encoder *encoder);

/* Encodes the rows of threads. */
void fxt_page_block_threads(struct fxt_page_encoder *encoder);

/* Encodes slices, instants and counters. */
int fxt_page_block_events(struct fxt_page_encoder *encoder);

/* Returns the number of rows from one on that have its kind and track. */
size_t fxt_page_block_track(const struct fxt_page_encoder *encoder, size_t at);

#endif
