/* SPDX-License-Identifier: GPL-2.0-only */
/* The probes on the frequency and idle states of CPUs. */
#ifndef FXT_KMOD_POWER_H
#define FXT_KMOD_POWER_H

int fxt_power_register(void);
void fxt_power_unregister(void);

#endif
