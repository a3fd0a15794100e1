/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether this CPU runs a timer's callback. */
#ifndef FXT_KMOD_TIMER_H
#define FXT_KMOD_TIMER_H

#include "fxt/linux.h"

struct timer_list;

/* Finds the kernel's timers of high resolution; once, before a recording. */
void fxt_timer_init(void);

/* The context of a wakeup in an interrupt or a softirq, with preemption off: that of a timer, if one's callback runs there. */
enum fxt_waker_context fxt_timer_context(enum fxt_waker_context level);

/*
 * Probes on timer_expire_entry and timer_expire_exit, of the timer wheel.  The kernel's own timer_bases don't say what
 * runs here: since 6.9 another CPU may run an idle CPU's timers.
 */
void fxt_timer_probe_begin(void *data, struct timer_list *timer, unsigned long clock);
void fxt_timer_probe_end(void *data, struct timer_list *timer);

#endif
