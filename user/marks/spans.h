/* SPDX-License-Identifier: GPL-2.0-only */
/* Open slices of programs' threads, so that each written end has its begin. */
#ifndef FXT_MARKS_SPANS_H
#define FXT_MARKS_SPANS_H

#include <sys/types.h>

#include "store/map.h"

/* Depth of a thread's nested slices. */
#define FXT_SPANS_DEPTH_MAX	1024u

/* All zero is empty, and without a limit. */
struct fxt_spans {
	struct fxt_map threads;	/* threads that have an open slice */
	size_t open;		/* open slices of all threads */
	size_t max;		/* limit of open; 0: no limit */
};

/*
 * Handles the next event record of a program, with inline thread and strings.  Returns the number of ends to write
 * before it, for slices without an end of their own, which its end would close instead of its own slice.  -ENOENT: an
 * end without its begin; -E2BIG: a begin that is too deep, or one too many; -ENOMEM.
 */
int fxt_spans_take(struct fxt_spans *spans, const __u64 *w);

/*
 * Removes, in place, ends of programs' slices without a begin from the tool's records.  Returns the number of remaining
 * words, or -ENOMEM.
 */
ssize_t fxt_spans_filter(struct fxt_spans *spans, __u64 *records, size_t words);

void fxt_spans_uninit(struct fxt_spans *spans);

#endif
