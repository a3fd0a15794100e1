/* SPDX-License-Identifier: GPL-2.0-only */
/* Detects the timer callbacks that this CPU runs. */
#ifndef FXT_KMOD_TIMER_H
#define FXT_KMOD_TIMER_H

#include "fxt/linux.h"

struct timer_list;

/* Finds the kernel's high-resolution timers; called once, before a recording. */
void fxt_timer_init(void);

/*
 * Returns the context of a wakeup in an interrupt or a softirq, with preemption off: that of
 * a timer, if a timer's callback runs at that level.
 */
enum fxt_waker_context fxt_timer_context(enum fxt_waker_context level);

/*
 * Probes on timer_expire_entry and timer_expire_exit, of the timer wheel.  The kernel's own timer_bases
 * don't show the callback that runs here: since 6.9 another CPU may run an idle CPU's timers.
 */
void fxt_timer_probe_begin(void *data, struct timer_list *timer, unsigned long clock);
void fxt_timer_probe_end(void *data, struct timer_list *timer);

#endif
