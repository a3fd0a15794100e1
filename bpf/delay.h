/* SPDX-License-Identifier: GPL-2.0-only */
/* Delays that are watched for: from a wakeup to the run, and uninterruptible sleeps. */
#ifndef FXT_BPF_DELAY_H
#define FXT_BPF_DELAY_H

#include "filter.h"
#include "kernel.h"

/*
 * By thread id, in ticks; 0: nothing is under way.  A thread's own events come one
 * after the other, ordered by its runqueue's lock, so plain words do.  Each exists
 * only where it is needed; the loader sets how many.
 */
struct delay_table {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
};
extern struct delay_table delay_woken SEC(".maps");	/* and has not run since */
extern struct delay_table delay_slept SEC(".maps");	/* and has not been woken since */

/* Set before the programs are loaded: what is not asked for costs nothing. */
extern const volatile struct fxtrec_delays fxt_delays;

/* Tells of a delay of so many nanoseconds; what is an enum fxt_linux_string. */
int fxt_delay_report(__u32 what, __u32 tid, __u32 tgid, __u64 ns);

/* What is under way for a thread, which it ends; 0: nothing. */
static __always_inline __u64 delay_end(void *table, __u32 tid)
{
	__u64 *waiting_since = bpf_map_lookup_elem(table, &tid), was;

	if (!waiting_since || !*waiting_since)
		return 0;
	was = *waiting_since;
	FXT_WRITE(*waiting_since, 0);
	return was;
}

static __always_inline void delay_set(void *table, __u32 tid, __u64 ticks)
{
	__u64 *waiting_since = bpf_map_lookup_elem(table, &tid);

	if (waiting_since)
		FXT_WRITE(*waiting_since, ticks);
}

static __always_inline void delay_waking(enum fxt_linux_clock clock,
					 const struct task_struct *task)
{
	__u32 tid = task->pid;

	if (fxt_delays.dsleep_ns) {
		__u64 waiting_since = delay_end(&delay_slept, tid), now;

		if (waiting_since) {
			now = fxt_clock_read(clock);
			if ((__s64)(now - waiting_since) > (__s64)fxt_delays.dsleep_ns)
				fxt_delay_report(FXT_STR_DSLEEP, tid, task->tgid, now - waiting_since);
		}
	}
	if (fxt_delays.latency_ns)
		delay_set(&delay_woken, tid, fxt_clock_read(clock));
}

/*
 * Whoever is switched out runnable has run since it was woken, or was woken while it
 * ran: what it waits for now is no wakeup.  Who goes to sleep may have been woken on
 * another CPU just before: what is told of it stays, and its next wakeup is told anew.
 */
static __always_inline void delay_switch(enum fxt_linux_clock clock, int preempt,
					 const struct task_struct *prev,
					 const struct task_struct *next, __u32 prev_state)
{
	__u32 out = prev->pid, in = next->pid;

	if (fxt_delays.latency_ns) {
		__u64 waiting_since, now;

		if (preempt || !prev_state)
			delay_set(&delay_woken, out, 0);
		waiting_since = delay_end(&delay_woken, in);
		if (waiting_since) {
			now = fxt_clock_read(clock);
			if ((__s64)(now - waiting_since) > (__s64)fxt_delays.latency_ns)
				fxt_delay_report(FXT_STR_LATENCY, in, next->tgid, now - waiting_since);
		}
	}
	if (fxt_delays.dsleep_ns) {
		if (!preempt && fxt_linux_state(prev_state, 0) == FXT_LINUX_D)
			delay_set(&delay_slept, out, fxt_clock_read(clock));
		/* It was woken before it had left its CPU. */
		delay_end(&delay_slept, in);
	}
}

#endif
