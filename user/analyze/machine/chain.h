/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Follows a CPU by the chain of its switches, each from the thread that the preceding switch was to.  An
 * event of a thread shows that the thread runs; if the chain has another thread, a switch is missing.
 */
#ifndef FXT_ANALYZE_MACHINE_CHAIN_H
#define FXT_ANALYZE_MACHINE_CHAIN_H

#include "analyze/machine/phase.h"

/* Checks the chain by an event that shows a task running on a CPU: &cpu->idle, or a thread.  Returns 0 or -errno. */
int fxt_chain_show(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task, __u64 ns);

/*
 * Breaks the chain of the CPU that a task has waited for: the task has run since then,
 * unseen, while the CPU was assumed to run another task.
 */
int fxt_chain_doubt(struct fxt_machine *m, const struct fxt_task *task, __u64 ns);

/* Sets the outgoing task of a switch as the CPU's task before it, if the chain has another task. */
int fxt_chain_mend(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task, __u64 ns);

/* Continues with a switch: the chain has no gap up to the next switch, as far as is known. */
static inline void fxt_chain_link(struct fxt_cpu *cpu, struct fxt_task *task, __u64 ns)
{
	cpu->current = task;
	cpu->sure = cpu->switched = ns;
	cpu->interrupt[FXT_INTERRUPT_IDLE] = NULL;
	cpu->linked = cpu->links = true;
	cpu->broken = false;
}

/* Ends the assumed run of a CPU's task at ns, if no event has confirmed it since a loss. */
int fxt_chain_check(struct fxt_machine *m, struct fxt_cpu *cpu, __u64 ns);

/* Ends a CPU's run at the trace's end, where no switch confirms it. */
int fxt_chain_close(struct fxt_machine *m, struct fxt_cpu *cpu);

/*
 * Returns whether a CPU's chain is complete except for losses, as far as is known: a thread
 * that came to the CPU has a switch.
 */
bool fxt_chain_is_whole(const struct fxt_machine *m, const struct fxt_cpu *cpu);

/* Returns the end of the time that a CPU is known to run current, which continues: at most to. */
__u64 fxt_chain_known(const struct fxt_machine *m, const struct fxt_cpu *cpu, __u64 to);

/* Ends a task's assumed phase, which can't be true at ns. */
int fxt_phase_deny(struct fxt_machine *m, struct fxt_task *task, __u64 ns);

#endif
