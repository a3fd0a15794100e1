/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Delays above a bound: from a wakeup until the thread runs, and uninterruptible sleeps.
 *
 * For each kind and thread id, a word has the start of a delay in ticks, or 0.  The events
 * of a thread are ordered by its runqueue's lock, except for a wakeup while the thread leaves
 * its CPU, where either order is right: so plain accesses suffice.
 *
 * In addition to the needs of fxt/ring.h, the includer defines
 *
 *   FXT_DELAY_BOUNDED(kind)	whether there is a bound
 *   FXT_DELAY_BOUND(kind)	the bound in ticks
 *   FXT_DELAY_START(kind, tid)	address of that word, or NULL
 *   FXT_DELAY_REPORT(kind, task, ticks)	reports a delay above its bound
 *
 * and fxt_clock_read() and struct task_struct.
 */
#ifndef FXT_DELAY_H
#define FXT_DELAY_H

#include "../uapi/fxtrec.h"
#include "linux.h"

FXT_INLINE void fxt_delay_begin(enum fxtrec_delay kind, __u32 tid, __u64 ticks)
{
	__u64 *start = FXT_DELAY_START(kind, tid);

	if (start)
		FXT_WRITE(*start, ticks);
}

/* Ends the thread's delay.  Returns the start of the delay in ticks, or 0. */
FXT_INLINE __u64 fxt_delay_cancel(enum fxtrec_delay kind, __u32 tid)
{
	__u64 *start = FXT_DELAY_START(kind, tid), waiting_since = start ? FXT_READ(*start) : 0;

	if (waiting_since)
		FXT_WRITE(*start, 0);
	return waiting_since;
}

FXT_INLINE void fxt_delay_end(enum fxtrec_delay kind, enum fxt_linux_clock clock,
			      const struct task_struct *task)
{
	__u64 waiting_since = fxt_delay_cancel(kind, task->pid), ticks;

	if (!waiting_since)
		return;
	/* Negative where another CPU's clock lags. */
	ticks = fxt_clock_read(clock) - waiting_since;
	if (__builtin_expect((__s64)ticks > (__s64)FXT_DELAY_BOUND(kind), 0))
		FXT_DELAY_REPORT(kind, task, ticks);
}

FXT_INLINE void fxt_delay_waking(enum fxt_linux_clock clock, const struct task_struct *task)
{
	if (FXT_DELAY_BOUNDED(FXTREC_DELAY_DSLEEP))
		fxt_delay_end(FXTREC_DELAY_DSLEEP, clock, task);
	if (FXT_DELAY_BOUNDED(FXTREC_DELAY_LATENCY))
		fxt_delay_begin(FXTREC_DELAY_LATENCY, task->pid, fxt_clock_read(clock));
}

/*
 * Restarts the wait of a thread that was woken since it started to run, and so while still
 * on its CPU: it waits from leaving the CPU, in whatever state.  If the thread kept running
 * after that wakeup and now goes to sleep, its next wakeup sets another start.
 */
FXT_INLINE void fxt_delay_leave(enum fxt_linux_clock clock, __u32 tid)
{
	__u64 *start = FXT_DELAY_START(FXTREC_DELAY_LATENCY, tid);

	if (start && FXT_READ(*start))
		FXT_WRITE(*start, fxt_clock_read(clock));
}

FXT_INLINE void fxt_delay_switch(enum fxt_linux_clock clock, int preempt,
				 const struct task_struct *prev, const struct task_struct *next,
				 __u32 prev_state)
{
	if (FXT_DELAY_BOUNDED(FXTREC_DELAY_LATENCY)) {
		fxt_delay_leave(clock, prev->pid);
		fxt_delay_end(FXTREC_DELAY_LATENCY, clock, next);
	}
	if (FXT_DELAY_BOUNDED(FXTREC_DELAY_DSLEEP)) {
		if (!preempt && fxt_linux_state(prev_state, 0) == FXT_LINUX_D)
			fxt_delay_begin(FXTREC_DELAY_DSLEEP, prev->pid, fxt_clock_read(clock));
		/* next may have been woken before it left its CPU. */
		fxt_delay_cancel(FXTREC_DELAY_DSLEEP, next->pid);
	}
}

/* Records of a report: an instant event of the delayed thread. */
#define FXT_DELAY_BYTES	72u
FXT_INLINE void fxt_delay_write(__u64 *w, __u64 ticks, enum fxtrec_delay kind, __u32 tid,
				__u32 tgid, __u64 ns, __u64 bound_ns)
{
	w[0] = fxt_thread(FXT_THREAD_SUBJECT);
	w[1] = tgid;
	w[2] = tid;
	w[3] = fxt_event(FXT_EVENT_INSTANT, 6, 2, FXT_THREAD_SUBJECT, FXT_STR_FXTREC,
			 kind == FXTREC_DELAY_LATENCY ? FXT_STR_LATENCY : FXT_STR_DSLEEP);
	w[4] = ticks;
	w[5] = fxt_arg_uint64(FXT_STR_NS);
	w[6] = ns;
	w[7] = fxt_arg_uint64(FXT_STR_BOUND_NS);
	w[8] = bound_ns;
}

#endif
