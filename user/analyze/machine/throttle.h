/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bandwidth throttling: which threads may not run, as their control group has used its share of a CPU.
 *
 * A thread that waits is throttled or not.  While it is, it is in no CPU's queue.
 */
#ifndef FXT_ANALYZE_MACHINE_THROTTLE_H
#define FXT_ANALYZE_MACHINE_THROTTLE_H

#include "analyze/machine/machine.h"

/* A control group of the controller "cpu". */
struct fxt_bandwidth {
	struct fxt_task *members;	/* threads that live, by their member_next */
	__u64 *cpus;			/* a bit for each CPU that it is throttled on */
	size_t words;
	__u64 count;			/* of these CPUs */
	struct fxt_bandwidth *next;	/* of all */
};

/* Makes a thread a member of a group, by its id; 0: of none.  0 or -errno. */
int fxt_throttle_assign(struct fxt_machine *m, struct fxt_task *task, __u64 group, __u64 ns);

/* Removes a thread that ends from its group. */
void fxt_throttle_leave(struct fxt_task *task);

/* A record of category "sched": 0 or -errno. */
int fxt_throttle_event(struct fxt_machine *m, const struct fxt_record *r);

/* From then on it isn't known which groups are throttled: events are lost.  0 or -errno. */
int fxt_throttle_lose(struct fxt_machine *m, __u64 ns);

/* Ends or begins the throttling of a member, as its phase or its CPU says.  0 or -errno. */
int fxt_throttle_settle(struct fxt_machine *m, struct fxt_task *task, __u64 ns);

/* Ends the throttling of a thread, which doesn't return to a queue.  0 or -errno. */
int fxt_throttle_end(struct fxt_machine *m, struct fxt_task *task, __u64 ns);

#endif
