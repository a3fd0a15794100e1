/* SPDX-License-Identifier: GPL-2.0-only */
/* The threads and processes of a trace, by their keys: what a pass of its own found. */
#ifndef FXT_QUERY_THREADS_H
#define FXT_QUERY_THREADS_H

#include "query/others.h"
#include "query/scan.h"

struct fxt_query_threads {
	struct fxt_spill spill;
	struct fxt_tasks texts;		/* strings of the rows */
	struct fxt_tape thread, process;	/* rows, in no order */
	struct fxt_query_numbers {
		__u64 thread, process;	/* of the rows, and one; 0: none */
	} *numbers;			/* by key; in the spill's memory */
	size_t count;			/* keys, and one */
	size_t room;
	struct fxt_map first;		/* by hashes of thread ids: struct fxt_query_life */
	struct fxt_query_others others;
};

/* Runs the pass.  0 or -errno; close in both cases. */
int fxt_query_threads_open(struct fxt_query_threads *threads, const struct fxt_query_source *source);
void fxt_query_threads_close(struct fxt_query_threads *threads);

/* The row of a key: 1; 0: there is none; -errno. */
int fxt_query_thread_get(struct fxt_query_threads *threads, bool process, __u64 key, struct fxt_query_row *row);

/* The key of the first thread of a machine's id, if it may have lived at a time; 0: there is none. */
__u64 fxt_query_thread_first(struct fxt_query_threads *threads, __u32 machine, __u64 tid, __u64 ns);

#endif
