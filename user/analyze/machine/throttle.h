/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bandwidth throttling: the threads that may not run, as their control group has used its share of a CPU.
 * A waiting thread is throttled or not.  While it is throttled, it is in no CPU's queue.
 */
#ifndef FXT_ANALYZE_MACHINE_THROTTLE_H
#define FXT_ANALYZE_MACHINE_THROTTLE_H

#include "analyze/machine/machine.h"

/* A control group of the controller "cpu". */
struct fxt_bandwidth {
	struct fxt_task *members;	/* living threads, linked by member_next */
	__u64 *cpus;			/* a bit for each CPU where the group is throttled */
	size_t words;
	__u64 count;			/* number of these CPUs */
	struct fxt_bandwidth *next;	/* list of all groups */
};

/* Makes a thread a member of a group, by its id; 0: of no group.  Returns 0 or -errno. */
int fxt_throttle_assign(struct fxt_machine *m, struct fxt_task *task, __u64 group, __u64 ns);

/* Removes a thread that ends from its group. */
void fxt_throttle_leave(struct fxt_task *task);

/* Reads a record of category "sched".  Returns 0 or -errno. */
int fxt_throttle_event(struct fxt_machine *m, const struct fxt_record *r);

/*
 * Clears all throttling at ns, as events are lost and the throttled groups aren't known from
 * then on.  Returns 0 or -errno.
 */
int fxt_throttle_lose(struct fxt_machine *m, __u64 ns);

/* Starts or ends the throttling of a member, depending on its phase and its CPU.  Returns 0 or -errno. */
int fxt_throttle_settle(struct fxt_machine *m, struct fxt_task *task, __u64 ns);

/* Ends the throttling of a thread that doesn't return to a queue.  Returns 0 or -errno. */
int fxt_throttle_end(struct fxt_machine *m, struct fxt_task *task, __u64 ns);

#endif
