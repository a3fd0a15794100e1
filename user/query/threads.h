/* SPDX-License-Identifier: GPL-2.0-only */
/* The threads and processes of a trace by key, found in a pass of their own. */
#ifndef FXT_QUERY_THREADS_H
#define FXT_QUERY_THREADS_H

#include "query/others.h"
#include "query/scan.h"

struct fxt_query_threads {
	struct fxt_spill spill;
	struct fxt_tasks texts;		/* strings of the rows */
	struct fxt_tape thread, process;	/* rows in any order */
	struct fxt_query_numbers {
		__u64 thread, process;	/* number of the row plus one; 0: none */
	} *numbers;			/* numbers by key, in the spill's memory */
	size_t count;			/* largest key plus one */
	size_t room;
	struct fxt_map first;		/* struct fxt_query_life by hash of the thread id */
	struct fxt_map lives;		/* keys by thread id and start of the life */
	struct fxt_query_others others;
};

/* Runs the pass.  Returns 0 or -errno; the caller closes in both cases. */
int fxt_query_threads_open(struct fxt_query_threads *threads, const struct fxt_query_source *source);
void fxt_query_threads_close(struct fxt_query_threads *threads);

/*
 * Returns the key of a scan's thread, which has other keys where its observer adds threads before their first events;
 * 0: no such thread.
 */
__u64 fxt_query_thread_key(struct fxt_query_threads *threads, const struct fxt_task *task);

/* Returns the key of the first thread with a machine's id, if that thread may have lived at ns; 0: none. */
__u64 fxt_query_thread_first(struct fxt_query_threads *threads, __u32 machine, __u64 tid, __u64 ns);

#endif
