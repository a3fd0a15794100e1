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
	__u64 records, all;	/* number of records that were written; of all records */
};

/* Shows the reading of an input from now on. */
void fxt_convert_progress_read(struct fxt_convert_progress *progress, struct fxt_in *in);

/* Shows the writing of all records from now on; name: of the output, or of the inputs. */
void fxt_convert_progress_write(struct fxt_convert_progress *progress, const char *name, __u64 all);
void fxt_convert_progress_renew(struct fxt_convert_progress *progress);

/* Counts a record that was written. */
static inline void fxt_convert_progress_wrote(struct fxt_convert_progress *progress)
{
	if (!(++progress->records % 16384))
		fxt_convert_progress_renew(progress);
}

/* Removes the line. */
void fxt_convert_progress_end(struct fxt_convert_progress *progress);

#endif
