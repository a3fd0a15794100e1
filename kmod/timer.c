// SPDX-License-Identifier: GPL-2.0-only
/* Detects the timer callbacks that this CPU runs. */
#include <linux/percpu.h>
#include <linux/sched.h>

#include "compat/hrtimer.h"
#include "env.h"
#include "timer.h"

/* Number of a CPU's clocks with callbacks in interrupts; as many clocks follow with callbacks in softirqs. */
#define HRTIMER_CLOCKS	HRTIMER_BASE_MONOTONIC_SOFT

static struct hrtimer_cpu_base __percpu *hrtimers;

static enum hrtimer_restart hrtimer_never(struct hrtimer *timer)
{
	return HRTIMER_NORESTART;
}

/* Finds the kernel's hrtimer_bases, which aren't exported: any timer refers to those of the CPU where it is set up. */
void fxt_timer_init(void)
{
	static struct hrtimer any;
	struct hrtimer_cpu_base *here;

	hrtimer_setup(&any, hrtimer_never, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	here = any.base->cpu_base;
	hrtimers = (struct hrtimer_cpu_base __percpu __force *)((unsigned long)here - per_cpu_offset(here->cpu));
}

static bool hrtimer_runs(const struct hrtimer_cpu_base *bases, unsigned int first)
{
	unsigned int i;

	for (i = first; i < first + HRTIMER_CLOCKS; i++)
		if (READ_ONCE(bases->clock_base[i].running))
			return true;
	return false;
}

/* Returns whether the softirq is that of hrtimers: with PREEMPT_RT it is a thread that other softirqs may preempt. */
static bool hrtimers_expire_here(const struct hrtimer_cpu_base *bases)
{
#ifdef CONFIG_PREEMPT_RT
	/* The owner's lowest bit is a flag. */
	return ((unsigned long)READ_ONCE(bases->softirq_expiry_lock.lock.owner) & ~1ul) == (unsigned long)current;
#else
	return true;
#endif
}

notrace enum fxt_waker_context fxt_timer_context(enum fxt_waker_context level)
{
	const struct hrtimer_cpu_base *bases = this_cpu_ptr(hrtimers);

	if (level == FXT_CONTEXT_HARDIRQ)
		return hrtimer_runs(bases, 0) ? FXT_CONTEXT_HARDIRQ_TIMER : level;
	if (level != FXT_CONTEXT_SOFTIRQ)
		return level;
	return this_cpu_read(fxt_cpu.timer_on) == current || (hrtimer_runs(bases, HRTIMER_CLOCKS) && hrtimers_expire_here(bases)) ?
	       FXT_CONTEXT_SOFTIRQ_TIMER : level;
}

notrace void fxt_timer_probe_begin(void *data, struct timer_list *timer, unsigned long clock)
{
	this_cpu_write(fxt_cpu.timer_on, current);
}

notrace void fxt_timer_probe_end(void *data, struct timer_list *timer)
{
	this_cpu_write(fxt_cpu.timer_on, NULL);
}
