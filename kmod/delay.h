/* SPDX-License-Identifier: GPL-2.0-only */
/* Delays that are watched for: from a wakeup to the run, and uninterruptible sleeps. */
#ifndef FXT_KMOD_DELAY_H
#define FXT_KMOD_DELAY_H

#include <linux/jump_label.h>
#include <linux/sched.h>

#include "env.h"

/* Changed only while no probe runs. */
DECLARE_STATIC_KEY_FALSE(fxt_delay_latency);
DECLARE_STATIC_KEY_FALSE(fxt_delay_dsleep);

/*
 * By thread id, in ticks; 0: nothing is under way.  A thread's own events come one
 * after the other, ordered by its runqueue's lock, so plain words do.
 */
struct fxt_delays {
	u32 tids;
	u64 *woken;	/* and has not run since */
	u64 *slept;	/* and has not been woken since */
	u64 latency;	/* the bounds, in ticks */
	u64 dsleep;
};
extern struct fxt_delays fxt_delays;

void fxt_delay_late(const struct task_struct *task, u64 ticks);
void fxt_delay_overslept(const struct task_struct *task, u64 ticks);

static __always_inline void fxt_delay_waking(enum fxt_linux_clock clock,
					     const struct task_struct *task)
{
	u32 tid = task->pid;

	if (static_branch_unlikely(&fxt_delay_dsleep) && tid < fxt_delays.tids) {
		u64 waiting_since = READ_ONCE(fxt_delays.slept[tid]);

		if (waiting_since) {
			u64 ticks = fxt_clock_read(clock) - waiting_since;

			WRITE_ONCE(fxt_delays.slept[tid], 0);
			if (unlikely((s64)ticks > (s64)fxt_delays.dsleep))
				fxt_delay_overslept(task, ticks);
		}
	}
	if (static_branch_unlikely(&fxt_delay_latency) && tid < fxt_delays.tids)
		WRITE_ONCE(fxt_delays.woken[tid], fxt_clock_read(clock));
}

/*
 * Whoever is switched out runnable has run since it was woken, or was woken while it
 * ran: what it waits for now is no wakeup.  Who goes to sleep may have been woken on
 * another CPU just before: what is told of it stays, and its next wakeup is told anew.
 */
static __always_inline void fxt_delay_switch(enum fxt_linux_clock clock, bool preempt,
					     const struct task_struct *prev,
					     const struct task_struct *next,
					     unsigned int prev_state)
{
	u32 out = prev->pid, in = next->pid;

	if (static_branch_unlikely(&fxt_delay_latency)) {
		if ((preempt || !prev_state) && out < fxt_delays.tids)
			WRITE_ONCE(fxt_delays.woken[out], 0);
		if (in < fxt_delays.tids && READ_ONCE(fxt_delays.woken[in])) {
			u64 ticks = fxt_clock_read(clock) - READ_ONCE(fxt_delays.woken[in]);

			WRITE_ONCE(fxt_delays.woken[in], 0);
			if (unlikely((s64)ticks > (s64)fxt_delays.latency))
				fxt_delay_late(next, ticks);
		}
	}
	if (static_branch_unlikely(&fxt_delay_dsleep)) {
		if (!preempt && fxt_linux_state(prev_state, 0) == FXT_LINUX_D &&
		    out < fxt_delays.tids)
			WRITE_ONCE(fxt_delays.slept[out], fxt_clock_read(clock));
		/* It was woken before it had left its CPU. */
		if (in < fxt_delays.tids && READ_ONCE(fxt_delays.slept[in]))
			WRITE_ONCE(fxt_delays.slept[in], 0);
	}
}

/* Whether anything is watched for. */
bool fxt_delay_any(void);

/*
 * Takes a struct fxtrec_delays in, by its address in the caller's memory (0: none),
 * once the clock is chosen.  0 or -errno.
 */
int fxt_delay_init(u64 address, u64 ticks_per_second);
/* No probe runs any more. */
void fxt_delay_uninit(void);

#endif
