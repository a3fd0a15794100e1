/* SPDX-License-Identifier: GPL-2.0-only */
/* Keeps threads that no scheduling event names, by thread id and process id; and all processes, by id. */
#ifndef FXT_QUERY_OTHERS_H
#define FXT_QUERY_OTHERS_H

#include "analyze/machine/machine.h"

/* A thread.  The same thread id in two processes means two threads. */
struct fxt_query_other {
	struct fxt_query_other_name {
		__u64 tid, process, machine;
	} of;
	__u64 ns;		/* time of its first event; ~0: the trace only names it */
	bool always;		/* the thread has the name from the trace's start on */
	const char *name;	/* name, in the memory of texts; NULL: none */
	__u64 key;		/* utid; 0: no row, as a scheduled thread has this id */
	struct fxt_query_other *next;
};

struct fxt_query_pid {
	struct fxt_query_pid_name {
		__u64 pid, machine;
	} of;
	__u64 key;
	bool put;		/* its row has been put */
	struct fxt_query_pid *next;
};

/* Threads and processes, listed in the order of their first appearance in the trace. */
struct fxt_query_others {
	struct fxt_tasks *texts;
	struct fxt_map threads, processes;
	struct fxt_query_other *first, *last;
	struct fxt_query_pid *first_pid, *last_pid;
};

void fxt_query_others_init(struct fxt_query_others *others, struct fxt_spill *spill, struct fxt_tasks *texts);
void fxt_query_others_uninit(struct fxt_query_others *others);

/* Note the thread and the process of an event or a log record, or of a kernel object's name.  Return 0 or -ENOMEM. */
int fxt_query_others_event(struct fxt_query_others *others, struct fxt_machine *m, const struct fxt_record *r);
int fxt_query_others_name(struct fxt_query_others *others, struct fxt_machine *m, const struct fxt_record *r);

/* Finds or adds a process; NULL: -ENOMEM. */
struct fxt_query_pid *fxt_query_pid_need(struct fxt_query_others *others, __u32 machine, __u64 pid);

/* Returns whether a process is known. */
bool fxt_query_pid_known(const struct fxt_query_others *others, __u32 machine, __u64 pid);

/* Return the key of a thread or of a process; 0: none. */
__u64 fxt_query_other_key(const struct fxt_query_others *others, __u32 machine, __u64 process, __u64 tid);
__u64 fxt_query_pid_key(const struct fxt_query_others *others, __u32 machine, __u64 pid);

#endif
