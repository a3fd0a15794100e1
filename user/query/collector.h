/* SPDX-License-Identifier: GPL-2.0-only */
/* The pass that finds threads and processes: its observer, and the functions that make rows. */
#ifndef FXT_QUERY_COLLECTOR_H
#define FXT_QUERY_COLLECTOR_H

#include "query/threads.h"

/* First life of a thread id. */
struct fxt_query_life {
	struct life_name {
		__u64 tid, machine;
	} of;
	__u64 key;
	__u64 born;		/* ns of the thread's creation; 0: before the trace */
};

/* Process of a thread that was scheduled. */
struct member {
	const struct fxt_process *process;
	__u32 machine;
	struct member *next;
};

struct fxt_query_collector {
	struct fxt_query_threads *t;
	struct fxt_query_pass *pass;
	struct member *members;
	unsigned int slot;
};

/* Returns the first life of a machine's thread id; NULL: it was never scheduled. */
struct fxt_query_life *fxt_query_life_get(const struct fxt_query_threads *threads, __u32 machine, __u64 tid);

/* Put the row of a thread or a process, by its key.  Return 0 or -errno. */
int fxt_query_thread_put(struct fxt_query_threads *threads, __u64 key, const struct fxt_query_row *row);
int fxt_query_process_put(struct fxt_query_collector *collector, const struct fxt_process *process, __u64 key,
			  __u32 machine);

/*
 * Puts, after the pass, the rows of threads and processes that no scheduling event names,
 * after all other rows.  Returns 0 or -errno.
 */
int fxt_query_others_put(struct fxt_query_collector *collector);

#endif
