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

/* Its rate; 0 if the kernel does not trust it. */
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
 * The virtual counter, as user space reads it: of a host it is the physical one.  get_cycles() calls it through
 * a pointer, for which the hot path would keep a stack frame.  isb: not before what the program has before it;
 * nothing that is read later depends on it, so the kernel's three instructions that order that are left out.
 */
static __always_inline u64 fxt_counter_read(void)
{
	u64 ticks;

	asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r" (ticks));
	return ticks;
}

/*
 * The generic timer's: constant and shared by the architecture's own rule.  0 where a processor reads it wrongly
 * now and then: the kernel's other clocks know how to go about that.
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
