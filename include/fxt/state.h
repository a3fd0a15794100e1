/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/* The records of a thread's state at one moment, from a listing of threads. */
#ifndef FXT_STATE_H
#define FXT_STATE_H

#include "linux.h"

/* Bits of task_struct's state while a thread is being created or woken, and of a dead thread. */
#define FXT_TASK_BETWEEN	0x0a80u

/*
 * Fields of a task, read in this order, each before the next one.  A thread that leaves its
 * CPU, or gets one, changes these fields between the reads only after an event of that thread.
 */
struct fxt_state_fields {
	__u32 on_cpu;
	__u32 delayed;		/* thread sleeps, but is still in its queue */
	__u32 queued;
	__u32 state, exit_state;
	__u32 left;		/* thread has left a CPU before */
	__u32 may_delay;	/* kernel has such sleeps */
};

/*
 * Returns the string of a thread's state: "running", "R", "R+", or its letter; 0 where the fields don't
 * show the state.  A delayed sleep looks for a moment, at the end of its delay, like a thread that was
 * preempted in the kernel.  A thread that never left a CPU may be about to hit sched_wakeup_new.
 */
FXT_INLINE __u32 fxt_state_string(const struct fxt_state_fields *f)
{
	if (f->on_cpu)
		return FXT_STR_RUNNING;
	if (f->queued && !f->delayed) {
		if (!f->left || (f->state && f->may_delay))
			return 0;
		return f->state ? FXT_STR_STATE_PREEMPTED : FXT_STR_STATE_RUNNABLE;
	}
	if (!f->state || f->state & FXT_TASK_BETWEEN || f->exit_state)
		return 0;
	return (__u32)fxt_linux_state_string(fxt_linux_state(f->state, 0));
}

/*
 * Writes an instant event of the tool's thread.  Returns its bytes; 0 if the state isn't
 * known.  ticks: a time after the fields were read.  cpu: CPU of the thread, or its last one.
 */
#define FXT_STATE_BYTES	48u
FXT_INLINE __u32 fxt_state_write(__u64 *w, const struct fxt_state_fields *f, __u64 ticks, __u32 tid, __u32 cpu)
{
	__u32 state = fxt_state_string(f);

	if (!state)
		return 0;
	w[0] = fxt_event(FXT_EVENT_INSTANT, FXT_STATE_BYTES / 8, 3, FXT_THREAD_SUBJECT, FXT_STR_FXTREC,
			 FXT_STR_THREAD_STATE);
	w[1] = ticks;
	w[2] = fxt_arg_koid(FXT_STR_THREAD);
	w[3] = tid;
	w[4] = fxt_arg_string(FXT_STR_STATE, state);
	w[5] = fxt_arg_uint32(FXT_STR_CPU, cpu);
	return FXT_STATE_BYTES;
}

#endif
