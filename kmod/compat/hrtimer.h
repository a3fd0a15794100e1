/* SPDX-License-Identifier: GPL-2.0-only */
/* Adapts high-resolution timers to the spelling of the newest kernel. */
#ifndef FXT_COMPAT_HRTIMER_H
#define FXT_COMPAT_HRTIMER_H

#include <linux/hrtimer.h>
#include <linux/version.h>

/* Since 6.13: 908a1d775422 ("hrtimers: Introduce hrtimer_setup() to replace hrtimer_init()"). */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

#endif
