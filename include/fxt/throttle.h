/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The records of bandwidth throttling, the same from every producer.
 *
 * Kernels throttle a control group on one CPU.  Before 6.18 the group's run queue leaves the CPU, with all of its
 * threads that are ready; since then each of its threads stops by itself, on its way to user space.
 * Documentation/fxt-on-linux.rst has the details.
 */
#ifndef FXT_THROTTLE_H
#define FXT_THROTTLE_H

#include "events.h"
#include "linux.h"

/* Kinds of records of throttling; the numbers are part of the interface between module and tool. */
enum fxt_throttling {
	FXT_THROTTLING_UNKNOWN,	/* no records: the kernel lacks the needed functions */
	FXT_THROTTLING_QUEUES,	/* groups; a ready thread is throttled with its group */
	FXT_THROTTLING_THREADS,	/* groups and threads; a thread of a throttled group may still run, or wait for a CPU */
};

/*
 * Writes that a group is throttled on a CPU from now on, or no longer: an instant event on a
 * track of the CPU that writes it.
 */
#define FXT_THROTTLE_GROUP_BYTES	40u
FXT_INLINE void fxt_throttle_group(__u64 *w, __u64 ticks, int throttled, __u64 cgroup_id, __u32 cpu)
{
	w[0] = fxt_event(FXT_EVENT_INSTANT, FXT_THROTTLE_GROUP_BYTES / 8, 2, FXT_THREAD_TRACK(FXT_TRACK_THROTTLING),
			 FXT_STR_SCHED, throttled ? FXT_STR_THROTTLE_GROUP : FXT_STR_UNTHROTTLE_GROUP);
	w[1] = ticks;
	w[2] = fxt_arg_uint64(FXT_STR_CGROUP_ID);
	w[3] = cgroup_id;
	w[4] = fxt_arg_uint32(FXT_STR_CPU, cpu);
}

/*
 * Writes that a thread of a throttled group is about to leave its CPU; or that it may run
 * again, if no record reports that for its group.  An instant event of the thread.
 */
#define FXT_THROTTLE_THREAD_BYTES	48u
FXT_INLINE void fxt_throttle_thread(__u64 *w, __u64 ticks, int throttled, __u32 tgid, __u32 tid, __u64 cgroup_id)
{
	w[0] = fxt_event(FXT_EVENT_INSTANT, FXT_THROTTLE_THREAD_BYTES / 8, 1, 0, FXT_STR_SCHED,
			 throttled ? FXT_STR_THROTTLE_THREAD : FXT_STR_UNTHROTTLE_THREAD);
	w[1] = ticks;
	w[2] = tgid;
	w[3] = tid;
	w[4] = fxt_arg_uint64(FXT_STR_CGROUP_ID);
	w[5] = cgroup_id;
}

#endif
