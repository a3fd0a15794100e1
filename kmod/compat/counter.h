/* SPDX-License-Identifier: GPL-2.0-only */
/* The counter that all CPUs share, where the architecture has one. */
#ifndef FXT_COMPAT_COUNTER_H
#define FXT_COMPAT_COUNTER_H

#include <linux/types.h>

#if defined(CONFIG_X86)
#include <asm/cpufeature.h>
#include <asm/tsc.h>

static __always_inline u64 fxt_counter_read(void)
{
	return rdtsc();
}

/* Returns the counter's rate; 0 if the kernel does not trust the counter. */
static inline u64 fxt_counter_hz(void)
{
	if (!boot_cpu_has(X86_FEATURE_TSC) || check_tsc_unstable())
		return 0;
	return (u64)tsc_khz * 1000;
}
#elif defined(CONFIG_ARM64)
#include <linux/cpumask.h>

#include <asm/arch_timer.h>

/*
 * Reads the virtual counter, as user space does; on a host it equals the physical counter.
 * get_cycles() would call it through a pointer, and cost the hot path a stack frame.  The
 * isb keeps the read after the program's earlier instructions.  No later read depends on
 * this one, so the kernel's three instructions that order later reads are left out.
 */
static __always_inline u64 fxt_counter_read(void)
{
	u64 ticks;

	asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r" (ticks));
	return ticks;
}

/*
 * Returns the rate of the generic timer, which the architecture defines as constant and shared; 0 on a
 * processor that sometimes reads the counter wrongly, since the kernel's other clocks work around that.
 */
static inline u64 fxt_counter_hz(void)
{
#ifdef CONFIG_ARM_ARCH_TIMER_OOL_WORKAROUND
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		const struct arch_timer_erratum_workaround *workaround = per_cpu(timer_unstable_counter_workaround, cpu);

		if (workaround && workaround->read_cntvct_el0)
			return 0;
	}
#endif
	return arch_timer_get_cntfrq();
}
#else
static __always_inline u64 fxt_counter_read(void)
{
	return 0;
}

static inline u64 fxt_counter_hz(void)
{
	return 0;
}
#endif

#endif
