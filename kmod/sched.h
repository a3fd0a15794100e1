/* SPDX-License-Identifier: GPL-2.0-only */
/* The scheduling probes. */
#ifndef FXT_KMOD_SCHED_H
#define FXT_KMOD_SCHED_H

int fxt_sched_register(void);
void fxt_sched_unregister(void);

#endif
