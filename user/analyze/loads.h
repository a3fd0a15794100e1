/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums the states of each CPU in the window: an observer of the state machine. */
#ifndef FXT_ANALYZE_LOADS_H
#define FXT_ANALYZE_LOADS_H

#include "analyze/machine/machine.h"

struct fxt_load {
	struct fxt_cpu *cpu;
	__u64 busy, idle, unknown;	/* ns */
	__u64 interrupts;		/* part of busy and idle with a running interrupt */
	__u64 switches;
	__u64 runnable;			/* threads that run on the CPU or wait for it now */
	bool runs_known;		/* the running thread was known when runnable was counted; else it is not
					 * included */
	__u64 waiting_max;		/* greatest runnable since the last stretch */
	bool waits;			/* threads wait */
	bool is_idle;			/* CPU is known to be idle */
	__u64 lost_at;			/* ns, last loss, which hides the state up to the next event; 0: none */
	struct fxt_load *next, **at;	/* list of idle and contended CPUs; at NULL: not in the list */
	__u64 runnable_max;
	unsigned __int128 runnable_ns;	/* sum over time of runnable threads, while the CPU's task is known */
	unsigned __int128 open_ns;	/* sum over time of runnable threads since open_since, not yet covered by a
					 * stretch */
	__u64 open_since;		/* ns, start of open_ns */
	__u64 changed;			/* ns, last change of runnable */
	__u64 idle_others;		/* idle time of other CPUs at the last change of waits or is_idle, in ns */
	__u64 idle_while_waiting;	/* ns with waiting threads here and another idle CPU */
};

/* Computes the average number of runnable threads.  Returns false, and 0, if it is not known at any time. */
static inline bool fxt_load_mean(const struct fxt_load *load, double *mean)
{
	__u64 known = load->busy + load->idle;

	*mean = known ? (double)load->runnable_ns / known : 0;
	return known;
}

struct fxt_loads {
	struct fxt_machine *m;
	unsigned int slot;		/* index in data[] */
	__u64 now;			/* ns, latest change of any CPU */
	__u32 idle_count;		/* number of idle CPUs */
	__u64 idle_since;		/* ns, end of the sums below */
	__u64 any_idle, two_idle;	/* ns with at least one, and with at least two idle CPUs */
	__u64 lost_at;			/* ns, last loss on all CPUs; 0: none */
	struct fxt_load *first;		/* list of idle and contended CPUs */
};

void fxt_loads_init(struct fxt_loads *loads, struct fxt_machine *m);

/*
 * Ends the window, before the machine gets the next one: completes each CPU's load except the sums
 * of stretches, passes it to take, and resets it.  Returns 0, or the error of take or of memory.
 */
int fxt_loads_turn(struct fxt_loads *loads, int (*take)(void *arg, const struct fxt_load *load), void *arg);

/* Adds a stretch. */
void fxt_load_stretch(struct fxt_load *load, const struct fxt_cpu_stretch *stretch);

/*
 * Returns the load of a CPU, complete after the machine's end; NULL: none.  idle_while_waiting is limited to the
 * time that the other CPUs are known to be idle, since a later event may have shown that a CPU was not idle.
 */
const struct fxt_load *fxt_loads_get(const struct fxt_loads *loads, const struct fxt_cpu *cpu);

#endif
