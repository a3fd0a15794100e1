/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs one conversion: inputs of any format through the sorter to one output. */
#ifndef FXT_CONVERT_CONVERT_H
#define FXT_CONVERT_CONVERT_H

#include "convert/format.h"
#include "util/window.h"

#define FXT_OFFSETS_MAX		16u

struct fxt_convert_options {
	char **inputs;
	int input_count;
	const char *output;
	int output_fd;			/* descriptor to write to, if not 0: parts get no names then */
	/* Limit of the records: with more, -E2BIG and the conversion's cuts; 0: no limit. */
	__u64 records_max;
	const struct fxt_format *from;	/* NULL: detected by each input's content */
	const struct fxt_format *to;	/* default: by the output's suffix */
	__u64 split_bytes;		/* size of a part; 0: no limit */
	__u64 split_ns;			/* or its duration; not both */
	__u64 spool_bytes;		/* limit of temporary files; 0: by the size of the inputs */
	struct fxt_window window;	/* time window of the output; all zero: everything */
	struct {
		const char *input;
		__s64 ns;
	} offsets[FXT_OFFSETS_MAX];	/* offsets for the times of a machine's inputs, by the first of its inputs */
	int offset_count;
	bool apart;			/* machines keep their ids and times: the caller separates them by input */
	bool sched_only;		/* only the times of events of forms (stream/form.h) are needed */
	bool views;			/* only the views of migrations are needed */
	bool fuchsia;			/* JSON gets the system's events of Fuchsia, not ftrace's text */
	bool shown;			/* a window outside of the trace is an error */
	bool strict;			/* malformed input is an error */
	bool sync;			/* sync the output before it gets its name */
	bool progress;			/* show a progress line on standard error */
	size_t memory;			/* memory of the sorted records; 0: default */
};

/* Return the format of a name, or of a path's suffix (before .gz and .zst); NULL: unknown. */
const struct fxt_format *fxt_format_named(const char *name);
const struct fxt_format *fxt_format_suffixed(const char *path);

/* Returns whether an input is standard input, which can't be read by another command. */
bool fxt_convert_reads_stdin(const struct fxt_convert_options *options);

/* Runs a conversion.  0, or -errno with the conversion's error set; its notes are valid in both cases. */
int fxt_convert(struct fxt_conversion *conversion, const struct fxt_convert_options *options);

/*
 * Run a conversion for a caller that takes the records itself, by fxt_chain_next(): begin reads and sorts all inputs,
 * end frees it.  In between, the caller may use the conversion's spill as well.  0, or -errno with the conversion's
 * error set; end is needed in both cases.
 */
int fxt_convert_begin(struct fxt_conversion *conversion, const struct fxt_convert_options *options);
void fxt_convert_end(struct fxt_conversion *conversion);

#endif
