/* SPDX-License-Identifier: GPL-2.0-only */
/* A block of the timeline as columns.  Documentation/page-timeline.rst has their layout. */
#ifndef FXT_PAGE_BLOCK_H
#define FXT_PAGE_BLOCK_H

#include "page/columns.h"
#include "page/rows.h"
#include "util/buffer.h"

/* The first column of each kind of number; a time has FXT_COLUMNS_OF_TIME. */
enum fxt_page_column {
	FXT_PAGE_C_THREADS,	/* differences of keys: all that the block names */
	FXT_PAGE_C_THREAD_ROWS,	/* rows of each */
	FXT_PAGE_C_CPUS,	/* differences of numbers, and how many runs */
	FXT_PAGE_C_RUN_TIMES,	/* begin of the first, length of each */
	FXT_PAGE_C_RUN_TASKS = FXT_PAGE_C_RUN_TIMES + FXT_COLUMNS_OF_TIME,	/* low byte, rest */
	FXT_PAGE_C_PHASES = FXT_PAGE_C_RUN_TASKS + 2,	/* a byte a row: FXT_PAGE_PHASE_* */
	FXT_PAGE_C_BEGINS,
	FXT_PAGE_C_LENGTHS = FXT_PAGE_C_BEGINS + FXT_COLUMNS_OF_TIME,
	FXT_PAGE_C_THREAD_CPUS = FXT_PAGE_C_LENGTHS + FXT_COLUMNS_OF_TIME,
	FXT_PAGE_C_WAKERS,
	FXT_PAGE_C_CONTEXTS,
	FXT_PAGE_C_SLEEPS,	/* function, stack, iowait */
	FXT_PAGE_C_SLICES,	/* per track: difference of its number, rows */
	FXT_PAGE_C_SLICE_BEGINS,	/* after the one before */
	FXT_PAGE_C_SLICE_LENGTHS = FXT_PAGE_C_SLICE_BEGINS + FXT_COLUMNS_OF_TIME,
	FXT_PAGE_C_SLICE_NAMES = FXT_PAGE_C_SLICE_LENGTHS + FXT_COLUMNS_OF_TIME,
	FXT_PAGE_C_SLICE_DEPTHS,	/* twice that; and one: its end is not known */
	FXT_PAGE_C_SLICE_CATEGORIES,
	FXT_PAGE_C_SLICE_TEXTS,	/* lengths */
	FXT_PAGE_C_INSTANTS,	/* the same for these */
	FXT_PAGE_C_INSTANT_BEGINS,
	FXT_PAGE_C_INSTANT_NAMES = FXT_PAGE_C_INSTANT_BEGINS + FXT_COLUMNS_OF_TIME,
	FXT_PAGE_C_INSTANT_CATEGORIES,
	FXT_PAGE_C_INSTANT_TEXTS,
	FXT_PAGE_C_COUNTERS,
	FXT_PAGE_C_COUNTER_BEGINS,
	FXT_PAGE_C_VALUES = FXT_PAGE_C_COUNTER_BEGINS + FXT_COLUMNS_OF_TIME,	/* 8 bytes, a double's */
	FXT_PAGE_C_TEXTS,	/* of slices, then of instants */
	FXT_PAGE_COLUMNS,
};

/* Beside the phase in the lower four bits. */
#define FXT_PAGE_PHASE_BEGIN	0x10	/* its begin is in the column; else the end of the row before, or its run's */
#define FXT_PAGE_PHASE_CPU	0x20	/* a wait: so is its CPU; else that of the run behind it */
#define FXT_PAGE_PHASE_MORE	0x40	/* a wait: not woken by a task; a sleep: its function is known */

struct fxt_page_encoder {
	struct fxt_page_rows *rows;
	__u64 begin;			/* ns of the block */
	struct fxt_buffer columns[FXT_PAGE_COLUMNS];
	struct fxt_page_row *row;	/* sorted by kind, track and time */
	size_t count;
	size_t first[FXT_PAGE_KINDS + 1];	/* of each kind */
	__u32 *tasks;			/* all that the block names: keys and one, ascending */
	size_t task_count;
	size_t *runs;			/* rows of CPUs, by task and time */
	char text[FXT_PAGE_TEXT_MAX];
};

/* Sorts the rows and fills the columns.  0 or -errno; uninit in both cases. */
int fxt_page_block_encode(struct fxt_page_encoder *encoder, struct fxt_page_row *rows, size_t count, __u64 begin);

/* What of the encoder is of a block. */
void fxt_page_block_release(struct fxt_page_encoder *encoder);
void fxt_page_encoder_uninit(struct fxt_page_encoder *encoder);

/* Slices, instants and counters. */
int fxt_page_block_events(struct fxt_page_encoder *encoder);

/* How many rows from one on are of its kind and track. */
size_t fxt_page_block_track(const struct fxt_page_encoder *encoder, size_t at);

#endif
