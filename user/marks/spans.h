/* SPDX-License-Identifier: GPL-2.0-only */
/* Durations of programs' threads that are open, so that each end that is written has its begin. */
#ifndef FXT_MARKS_SPANS_H
#define FXT_MARKS_SPANS_H

#include <sys/types.h>

#include "util/map.h"

/* So many of a thread may lie in each other. */
#define FXT_SPANS_DEPTH_MAX	1024u

/* All zero is empty, and without a bound. */
struct fxt_spans {
	struct fxt_map threads;	/* those that have any open */
	size_t open;		/* durations, of all of them */
	size_t max;		/* of these; 0: as many as there are */
};

/*
 * Takes the next event record of a program, thread and strings inline.  Returns how
 * many ends are to be put before it: of durations whose own end is missing, and that it
 * would else close instead of the one that it belongs to.  -ENOENT: it is an end
 * whose begin is missing; -E2BIG: a begin too deep, or one too many; -ENOMEM.
 */
int fxt_spans_take(struct fxt_spans *spans, const __u64 *w);

/*
 * Leaves out of the tool's records, in place, the ends of programs' durations whose begin is
 * missing.  The words that are left, or -ENOMEM.
 */
ssize_t fxt_spans_filter(struct fxt_spans *spans, __u64 *records, size_t words);

void fxt_spans_uninit(struct fxt_spans *spans);

#endif
