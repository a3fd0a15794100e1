/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Follows a CPU by the chain of its switches, each from the thread that the one before was to.  An event of a thread
 * shows that the thread runs; where the chain has another one, a switch is missing.
 */
#ifndef FXT_ANALYZE_MACHINE_CHAIN_H
#define FXT_ANALYZE_MACHINE_CHAIN_H

#include "analyze/machine/phase.h"

/* Checks the chain by an event that shows a task running on a CPU: &cpu->idle, or a thread.  0 or -errno. */
int fxt_chain_show(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task, __u64 ns);

/*
 * Breaks the chain of the CPU in the queue of which a task has waited: it has run since, unnoticed, while the CPU was
 * believed to run another one.
 */
int fxt_chain_doubt(struct fxt_machine *m, const struct fxt_task *task, __u64 ns);

/* Sets what a CPU runs before a switch: the switch's outgoing task, which the chain doesn't have. */
int fxt_chain_mend(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task, __u64 ns);

/* Goes on from a switch: the chain has no gap to the next one, so far as is known. */
static inline void fxt_chain_link(struct fxt_cpu *cpu, struct fxt_task *task, __u64 ns)
{
	cpu->current = task;
	cpu->sure = cpu->switched = ns;
	cpu->linked = cpu->links = true;
	cpu->broken = false;
}

/* Ends what a CPU is believed to run, as its task is elsewhere. */
int fxt_chain_lose(struct fxt_machine *m, struct fxt_cpu *cpu);

/* Ends the same where no event has shown it since a loss: at ns it isn't known. */
int fxt_chain_check(struct fxt_machine *m, struct fxt_cpu *cpu, __u64 ns);

/* Ends what a CPU runs at the trace's end, where no switch confirms it. */
int fxt_chain_close(struct fxt_machine *m, struct fxt_cpu *cpu);

/* Returns whether a CPU's chain is whole, so far as is known, but for losses: a thread that came to it has a switch. */
bool fxt_chain_is_whole(const struct fxt_machine *m, const struct fxt_cpu *cpu);

/* Returns up to when it is known that a CPU runs current, which goes on: at most to. */
__u64 fxt_chain_known(const struct fxt_machine *m, const struct fxt_cpu *cpu, __u64 to);

/* Ends what a task was believed to do, which can't be true at a time. */
int fxt_phase_deny(struct fxt_machine *m, struct fxt_task *task, __u64 ns);

#endif
