/* SPDX-License-Identifier: GPL-2.0-only */
/* Detects the timer callbacks that this CPU runs. */
#ifndef FXT_BPF_TIMER_H
#define FXT_BPF_TIMER_H

#include "kernel.h"
#include "fxt/linux.h"

/*
 * Thread that a callback of the timer wheel interrupts; 0: no callback.  The kernel's own
 * timer_bases don't have it: since 6.9 another CPU may run an idle CPU's timers.
 */
struct timer_wheel {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
};
extern struct timer_wheel timer_wheel SEC(".maps");

/* Bytes from a CPU's run queue to its hrtimer_bases; 0: not known.  Set before the programs are loaded. */
extern const volatile __s64 fxt_hrtimers_from_queue;

static __always_inline __u64 *fxt_timer_wheel(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&timer_wheel, &zero);
}

/*
 * Tests whether a callback of one of four clocks runs: clocks 0 to 3 run their callbacks in
 * interrupts, 4 to 7 in softirqs.
 */
#define FXT_HRTIMER_RUNS(bases, clock)					\
	(BPF_CORE_READ(bases, clock_base[clock].running) || BPF_CORE_READ(bases, clock_base[clock + 1].running) || \
	 BPF_CORE_READ(bases, clock_base[clock + 2].running) || BPF_CORE_READ(bases, clock_base[clock + 3].running))

static __always_inline const struct hrtimer_cpu_base *fxt_hrtimers(void)
{
	const struct task_struct *current = bpf_get_current_task_btf();

	/* Read by a helper: for a plain load of a pointer the verifier searches all of the kernel's types, four times. */
	if (!fxt_hrtimers_from_queue || !bpf_core_field_exists(current->se.cfs_rq->rq))
		return 0;
	return (const void *)BPF_CORE_READ(current, se.cfs_rq, rq) + fxt_hrtimers_from_queue;
}

/* Returns whether the softirq is that of hrtimers: with PREEMPT_RT it is a thread that other softirqs may preempt. */
static __always_inline bool fxt_hrtimers_expire_here(const struct hrtimer_cpu_base *bases)
{
	if (!bpf_core_field_exists(bases->softirq_expiry_lock.lock.owner))
		return 1;
	return ((__u64)BPF_CORE_READ(bases, softirq_expiry_lock.lock.owner) & ~1ULL) == bpf_get_current_task();
}

/* Returns the context of a wakeup in a softirq: that of a timer, if a timer's callback runs there. */
static __always_inline enum fxt_waker_context fxt_softirq_context(const struct hrtimer_cpu_base *bases)
{
	const __u64 *wheel = fxt_timer_wheel();

	if (wheel && *wheel && *wheel == bpf_get_current_task())
		return FXT_CONTEXT_SOFTIRQ_TIMER;
	/* Most softirqs are not that of hrtimers. */
	if (!bases || !BPF_CORE_READ_BITFIELD_PROBED(bases, softirq_activated))
		return FXT_CONTEXT_SOFTIRQ;
	return FXT_HRTIMER_RUNS(bases, 4) && fxt_hrtimers_expire_here(bases) ? FXT_CONTEXT_SOFTIRQ_TIMER : FXT_CONTEXT_SOFTIRQ;
}

/* Returns the context of a wakeup: that of a timer, if a timer's callback runs at that level. */
static __always_inline enum fxt_waker_context fxt_timer_context(enum fxt_waker_context level)
{
	const struct hrtimer_cpu_base *bases;

	if (level != FXT_CONTEXT_SOFTIRQ && level != FXT_CONTEXT_HARDIRQ)
		return level;
	bases = fxt_hrtimers();
	if (level == FXT_CONTEXT_SOFTIRQ)
		return fxt_softirq_context(bases);
	return bases && FXT_HRTIMER_RUNS(bases, 0) ? FXT_CONTEXT_HARDIRQ_TIMER : level;
}

#endif
