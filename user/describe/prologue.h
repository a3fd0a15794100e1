/* SPDX-License-Identifier: GPL-2.0-only */
/* The tool's own records: what a file begins with, and its clock's readings. */
#ifndef FXT_DESCRIBE_PROLOGUE_H
#define FXT_DESCRIBE_PROLOGUE_H

#include "output/output.h"
#include "source/source.h"

/*
 * Magic number, the tool's provider and tables, what recorded on which clock;
 * then each CPU's provider and tables.  The tool's section is the last.  -errno.
 */
int fxt_prologue_write(struct fxt_output *output, const struct fxt_source *source);

/* One reading of all clocks, as an instant event of the tool; its section is on.  -errno. */
int fxt_prologue_clock(struct fxt_output *output, const struct fxt_source *source);

/* Tells of count records that were lost on no known CPU. */
int fxt_prologue_missed(struct fxt_output *output, const struct fxt_source *source, __u64 count);

/*
 * What a snapshot ends with, in the tool's section: what asked for it and when,
 * and by index of the source's CPUs since when it holds all of each.  -errno.
 */
int fxt_prologue_snapshot(struct fxt_output *output, const struct fxt_source *source, __u64 taken,
			  const __u64 *since, const char *trigger);

/* Goes back to the tool's section. */
int fxt_prologue_section(struct fxt_output *output);

#endif
