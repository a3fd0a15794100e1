/* SPDX-License-Identifier: GPL-2.0-only */
/* One conversion: inputs of any format through the sorter to one output. */
#ifndef FXT_CONVERT_CONVERT_H
#define FXT_CONVERT_CONVERT_H

#include "convert/format.h"
#include "convert/progress.h"
#include "util/window.h"

#define FXT_OFFSETS_MAX		16u

struct fxt_convert_options {
	char **inputs;
	int input_count;
	const char *output;
	int output_fd;			/* what is written to instead, if not 0: no part is named then */
	__u64 records_max;		/* -E2BIG beyond, with the conversion's cuts; 0: no limit */
	const struct fxt_format *from;	/* NULL: detected by each input's content */
	const struct fxt_format *to;	/* by default that of the output's suffix */
	__u64 split_bytes;		/* size of a part; 0: no limit */
	__u64 split_ns;			/* or its duration; not both */
	__u64 spool_bytes;		/* of temporary files; 0: by the size of the inputs */
	struct fxt_window window;	/* what is written; all zero: all of it */
	struct {
		const char *input;
		__s64 ns;
	} offsets[FXT_OFFSETS_MAX];	/* to add to the times of a machine's inputs, by the first of them */
	int offset_count;
	bool apart;			/* machines keep their ids and times: the caller tells them apart, by input */
	bool sched_only;		/* of events of forms (stream/form.h) only the times count */
	bool views;			/* of migrations with a view only that is read */
	bool fuchsia;			/* JSON gets the system's events of Fuchsia, not ftrace's text */
	bool shown;			/* a window that has nothing of the trace is an error */
	bool strict;			/* what is malformed is an error */
	bool sync;			/* sync the output before it gets its name */
	bool progress;			/* show a progress line on standard error */
	size_t memory;			/* of the records that are sorted; 0: by default */
};

/* The format of a name, or of a path's suffix (before .gz and .zst); NULL where there is none. */
const struct fxt_format *fxt_format_named(const char *name);
const struct fxt_format *fxt_format_suffixed(const char *path);

/* Whether an input is standard input, which can't be read by another command. */
bool fxt_convert_reads_stdin(const struct fxt_convert_options *options);

/* 0, or -errno with the conversion's error set; its notes are valid in both cases. */
int fxt_convert(struct fxt_conversion *conversion, const struct fxt_convert_options *options);

/*
 * A conversion of which the caller takes the records itself, by fxt_sorter_next(): begin reads
 * all inputs and sorts them, end frees it.  Between them the spill of the conversion is
 * the caller's as well.  0, or -errno with the conversion's error set; end in both cases.
 */
int fxt_convert_begin(struct fxt_conversion *conversion, const struct fxt_convert_options *options,
		      struct fxt_convert_progress *progress);
void fxt_convert_end(struct fxt_conversion *conversion, struct fxt_convert_progress *progress);

#endif
