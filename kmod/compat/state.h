/* SPDX-License-Identifier: GPL-2.0-only */
/* Detects threads that sleep, but are still in their queue. */
#ifndef FXT_COMPAT_STATE_H
#define FXT_COMPAT_STATE_H

#include <linux/sched.h>
#include <linux/version.h>

/* Since 6.12: 152e11f6df29 ("sched/fair: Implement delayed dequeue"). */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#define FXT_MAY_DELAY	1
#define fxt_is_delayed(task)	READ_ONCE((task)->se.sched_delayed)
#else
#define FXT_MAY_DELAY	0
#define fxt_is_delayed(task)	0
#endif

#endif
