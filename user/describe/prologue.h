/* SPDX-License-Identifier: GPL-2.0-only */
/* What a file begins with, and the readings of its clock. */
#ifndef FXT_DESCRIBE_PROLOGUE_H
#define FXT_DESCRIBE_PROLOGUE_H

#include <stdbool.h>

#include "source/source.h"
#include "util/sink.h"

/*
 * Magic number, the tool's provider and tables, what recorded on which clock;
 * then each CPU's provider and tables.  No section follows.  -errno, as below.
 */
int fxt_prologue_put(const struct fxt_source *source, const struct fxt_sink *to);

/*
 * For the tool's section: one reading of all clocks, as an instant event.  begins: the file's events begin
 * then; the last one is behind them all.
 */
int fxt_prologue_clock(const struct fxt_source *source, bool begins, const struct fxt_sink *to);

/* For the tool's section: reports count records that were lost since loss_start, in ticks, on no known CPU. */
int fxt_prologue_missed(const struct fxt_source *source, __u64 count, __u64 loss_start,
			const struct fxt_sink *to);

/*
 * For the tool's section: what a snapshot ends with.  What asked for it and when, and by
 * index of the source's CPUs the time from which it holds all of each; and the time from which
 * it holds all renames, messages and marks.
 */
int fxt_prologue_snapshot(const struct fxt_source *source, __u64 taken, const __u64 *covered_from,
			  __u64 log_covered_from, const char *trigger, const struct fxt_sink *to);

#endif
