/* SPDX-License-Identifier: GPL-2.0-only */
/* The probes on interrupts. */
#ifndef FXT_KMOD_IRQ_H
#define FXT_KMOD_IRQ_H

int fxt_irq_register(void);
void fxt_irq_unregister(void);

#endif
