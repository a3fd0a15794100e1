/* SPDX-License-Identifier: GPL-2.0-only */
/* The counter behind get_cycles(), where the architecture has one that all CPUs share. */
#ifndef FXT_COMPAT_COUNTER_H
#define FXT_COMPAT_COUNTER_H

#include <linux/types.h>

#if defined(CONFIG_X86)
#include <asm/cpufeature.h>
#include <asm/tsc.h>

/* Its rate; 0 if the kernel does not trust it. */
static inline u64 fxt_counter_hz(void)
{
	if (!boot_cpu_has(X86_FEATURE_TSC) || check_tsc_unstable())
		return 0;
	return (u64)tsc_khz * 1000;
}
#elif defined(CONFIG_ARM64)
#include <asm/arch_timer.h>

/* The generic timer's: constant and shared by the architecture's own rule. */
static inline u64 fxt_counter_hz(void)
{
	return arch_timer_get_cntfrq();
}
#else
static inline u64 fxt_counter_hz(void)
{
	return 0;
}
#endif

#endif
