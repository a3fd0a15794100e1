/* SPDX-License-Identifier: GPL-2.0-only */
/* The time-stamp counter, where the architecture has one. */
#ifndef FXT_COMPAT_TSC_H
#define FXT_COMPAT_TSC_H

#include <linux/types.h>

#ifdef CONFIG_X86
#include <asm/cpufeature.h>
#include <asm/tsc.h>

/* Its rate; 0 if the kernel does not trust it. */
static inline u64 fxt_tsc_hz(void)
{
	if (!boot_cpu_has(X86_FEATURE_TSC) || check_tsc_unstable())
		return 0;
	return (u64)tsc_khz * 1000;
}
#else
static inline u64 fxt_tsc_hz(void)
{
	return 0;
}
#endif

#endif
