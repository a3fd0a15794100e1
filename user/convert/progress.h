/* SPDX-License-Identifier: GPL-2.0-only */
/* The progress line of a conversion, on a terminal: amount, rate, share and time left. */
#ifndef FXT_CONVERT_PROGRESS_H
#define FXT_CONVERT_PROGRESS_H

#include "convert/in.h"

/* All zero except for shown. */
struct fxt_convert_progress {
	bool shown;
	bool drawn;
	__u64 start;		/* CLOCK_MONOTONIC of the first byte read, or record written */
	__u64 last;		/* time of the last line */
	const char *name;	/* name of the output, or of the inputs */
	__u64 all;		/* number of all records */
};

/* Shows the reading of an input from now on. */
void fxt_convert_progress_read(struct fxt_convert_progress *progress, struct fxt_in *in);

/* Shows the writing of all records from now on; name: of the output, or of the inputs. */
void fxt_convert_progress_write(struct fxt_convert_progress *progress, const char *name, __u64 all);
/* Shows that a number of records is written; progress: struct fxt_convert_progress. */
void fxt_convert_progress_wrote(void *progress, __u64 records);

/* Removes the line. */
void fxt_convert_progress_end(struct fxt_convert_progress *progress);

#endif
