/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the processor's counter, which is FXT_CLOCK_TSC for the module. */
#ifndef FXT_SOURCE_COUNTER_H
#define FXT_SOURCE_COUNTER_H

#include <linux/types.h>

#if defined(__x86_64__)
#include <x86intrin.h>

/* Name of the kernel's clock source that is this counter. */
#define FXT_COUNTER_SOURCE	"tsc"

static inline __u64 fxt_counter(void)
{
	return __rdtsc();
}
#elif defined(__aarch64__)
#define FXT_COUNTER_SOURCE	"arch_sys_counter"

static inline __u64 fxt_counter(void)
{
	__u64 ticks;

	/* The barrier keeps the read after earlier instructions. */
	asm volatile("isb; mrs %0, cntvct_el0" : "=r"(ticks) :: "memory");
	return ticks;
}
#else
#define FXT_COUNTER_SOURCE	"none"

static inline __u64 fxt_counter(void)
{
	return 0;
}
#endif

#endif
