/* SPDX-License-Identifier: GPL-2.0-only */
/* Puts the records at the start of a file, and the readings of its clock. */
#ifndef FXT_DESCRIBE_PROLOGUE_H
#define FXT_DESCRIBE_PROLOGUE_H

#include <stdbool.h>

#include "source/source.h"
#include "util/sink.h"

/*
 * Puts the magic number, the tool's provider and tables, the backend and its clock; then each CPU's provider and
 * tables.  No section follows.  -errno, as below.
 */
int fxt_prologue_put(const struct fxt_source *source, const struct fxt_sink *to);

/*
 * Puts, for the tool's section, one reading of all clocks, as an instant event.  begins: the file's events start after
 * this reading; the last reading comes after all events.
 */
int fxt_prologue_clock(const struct fxt_source *source, bool begins, const struct fxt_sink *to);

/* Reports, for the tool's section, count records that were lost on an unknown CPU since loss_start, in ticks. */
int fxt_prologue_missed(const struct fxt_source *source, __u64 count, __u64 loss_start,
			const struct fxt_sink *to);

/*
 * Puts, for the tool's section, the end of a snapshot: its trigger and time; by index of the source's CPUs, the start
 * of the time that it fully holds of each CPU; and the start of the time that it fully holds of renames, messages and
 * marks.
 */
int fxt_prologue_snapshot(const struct fxt_source *source, __u64 taken, const __u64 *covered_from,
			  __u64 log_covered_from, const char *trigger, const struct fxt_sink *to);

#endif
