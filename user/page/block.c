// SPDX-License-Identifier: GPL-2.0-only
/* Encodes a block of the timeline as columns: runs of CPUs. */
#include <stdlib.h>

#include "page/block.h"
#include "page/order.h"

size_t fxt_page_block_track(const struct fxt_page_encoder *e, size_t at)
{
	const struct fxt_page_row *row = &e->row[at];
	size_t end = e->first[row->kind + 1], next = at + 1;

	while (next < end && e->row[next].track == row->track)
		next++;
	return next - at;
}

static void run_put(struct fxt_page_encoder *e, __u64 length, __u32 task)
{
	fxt_column_put_time(fxt_page_column(e, FXT_PAGE_C_RUN_TIMES), length);
	fxt_column_put_split(fxt_page_column(e, FXT_PAGE_C_RUN_TASKS), 1, fxt_page_task_number(e, task));
}

/* Puts the runs of a CPU.  Runs have no time between them: unknown runs fill gaps. */
static void cpu_put(struct fxt_page_encoder *e, size_t first, size_t count)
{
	__u64 at = e->row[first].from, runs = count;
	size_t i;

	for (i = 1; i < count; i++)
		runs += e->row[first + i].from > e->row[first + i - 1].to;
	fxt_column_put(fxt_page_column(e, FXT_PAGE_C_CPUS), runs);
	fxt_column_put_time(fxt_page_column(e, FXT_PAGE_C_RUN_TIMES), at - e->begin);
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
		fxt_column_put(fxt_page_column(e, FXT_PAGE_C_CPUS), e->row[i].track - before);
		before = e->row[i].track;
		cpu_put(e, i, count);
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
	err = fxt_page_block_gather(e);
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
	fxt_page_block_threads(e);
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
