/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads that no scheduling event names, by their ids and their processes'; and all processes, by theirs. */
#ifndef FXT_QUERY_OTHERS_H
#define FXT_QUERY_OTHERS_H

#include "analyze/machine/machine.h"

/* A thread: an id of two processes is of two threads. */
struct fxt_query_other {
	struct fxt_query_other_name {
		__u64 tid, process, machine;
	} of;
	__u64 ns;		/* of its first event; ~0: it has a name alone */
	bool always;		/* it has had that from the trace's begin on */
	const char *name;	/* of the texts; NULL: none */
	__u64 key;		/* 0: it has none, as it is one that was scheduled */
	struct fxt_query_other *next;
};

struct fxt_query_pid {
	struct fxt_query_pid_name {
		__u64 pid, machine;
	} of;
	__u64 key;
	bool put;		/* its row is */
	struct fxt_query_pid *next;
};

/* All are in the order in which the trace names them. */
struct fxt_query_others {
	struct fxt_tasks *texts;
	struct fxt_map threads, processes;
	struct fxt_query_other *first, *last;
	struct fxt_query_pid *first_pid, *last_pid;
};

void fxt_query_others_init(struct fxt_query_others *others, struct fxt_spill *spill, struct fxt_tasks *texts);
void fxt_query_others_uninit(struct fxt_query_others *others);

/* Notes the thread and the process of an event or a log record; or those that a kernel object names.  0 or -ENOMEM. */
int fxt_query_others_event(struct fxt_query_others *others, struct fxt_machine *m, const struct fxt_record *r);
int fxt_query_others_name(struct fxt_query_others *others, struct fxt_machine *m, const struct fxt_record *r);

/* A process, a new one if need be; NULL: -ENOMEM. */
struct fxt_query_pid *fxt_query_pid_need(struct fxt_query_others *others, __u32 machine, __u64 pid);

/* Whether a process is there. */
bool fxt_query_pid_known(const struct fxt_query_others *others, __u32 machine, __u64 pid);

/* The keys of a thread and of a process; 0: none. */
__u64 fxt_query_other_key(const struct fxt_query_others *others, __u32 machine, __u64 process, __u64 tid);
__u64 fxt_query_pid_key(const struct fxt_query_others *others, __u32 machine, __u64 pid);

#endif
