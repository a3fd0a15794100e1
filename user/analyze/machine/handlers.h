/* SPDX-License-Identifier: GPL-2.0-only */
/* Handlers of interrupts that run on CPUs, and the states of idle CPUs. */
#ifndef FXT_ANALYZE_MACHINE_HANDLERS_H
#define FXT_ANALYZE_MACHINE_HANDLERS_H

#include "analyze/machine/machine.h"

/* All of these functions return 0 or -errno. */

/* Reads the start or the end of an interrupt's handler, of category "irq". */
int fxt_handlers_event(struct fxt_machine *m, const struct fxt_record *r);

/* Reads the start or the end of an idle state; ignores any other record of category "power". */
int fxt_handlers_idle(struct fxt_machine *m, const struct fxt_record *r);

/* Sets the names of a CPU's idle states, separated by spaces. */
int fxt_handlers_states(struct fxt_machine *m, __u64 cpu, const struct fxt_text *names);

/* Ends a running handler and the idle state before a loss, as their ends may be among the lost events. */
int fxt_handlers_lose(struct fxt_machine *m, struct fxt_cpu *cpu, __u64 ns);

/* Does the same for all CPUs. */
int fxt_handlers_lose_all(struct fxt_machine *m, __u64 ns);

#endif
