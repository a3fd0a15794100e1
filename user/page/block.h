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
	FXT_PAGE_C_PHASES = FXT_PAGE_C_RUN_TASKS + 2,	/* a byte per row: FXT_PAGE_PHASE_* */
	FXT_PAGE_C_BEGINS,
	FXT_PAGE_C_LENGTHS = FXT_PAGE_C_BEGINS + FXT_COLUMNS_OF_TIME,
	FXT_PAGE_C_THREAD_CPUS = FXT_PAGE_C_LENGTHS + FXT_COLUMNS_OF_TIME,
	FXT_PAGE_C_WAKERS,
	FXT_PAGE_C_CONTEXTS,
	FXT_PAGE_C_SLEEPS,	/* function, stack, iowait */
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
	char text[FXT_PAGE_TEXT_MAX];
};

/* Sorts the rows, which it takes, and fills the columns.  0 or -errno; to be uninitialized in both cases. */
int fxt_page_block_encode(struct fxt_page_encoder *encoder, struct fxt_page_row *rows, size_t count, __u64 begin);

/* Frees the encoder's data of a block. */
void fxt_page_block_release(struct fxt_page_encoder *encoder);
void fxt_page_encoder_uninit(struct fxt_page_encoder *encoder);

/* Encodes slices, instants and counters. */
int fxt_page_block_events(struct fxt_page_encoder *encoder);

/* Returns the number of rows from one on that have its kind and track. */
size_t fxt_page_block_track(const struct fxt_page_encoder *encoder, size_t at);

#endif
