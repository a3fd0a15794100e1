/* SPDX-License-Identifier: GPL-2.0-only */
/* What each CPU did in the window, in sums: an observer of the state machine. */
#ifndef FXT_ANALYZE_LOADS_H
#define FXT_ANALYZE_LOADS_H

#include "analyze/machine/machine.h"

struct fxt_load {
	struct fxt_cpu *cpu;
	__u64 busy, idle, unknown;	/* ns */
	__u64 interrupts;		/* of busy and idle, in which an interrupt ran */
	__u64 switches;
	__u64 runnable;			/* threads that run there, or wait in its queue, now */
	bool runs_known;		/* that was so when these were counted: else its thread is not among them */
	__u64 waiting_max;		/* the most of these since then */
	bool waits;			/* some wait */
	bool is_idle;			/* it runs none, and that is known */
	__u64 lost_at;			/* ns of its last loss, up to its next event of which nothing is known; 0: none */
	struct fxt_load *next, **at;	/* among those that are idle, or where some wait; at NULL: it is none of these */
	__u64 runnable_max;
	unsigned __int128 runnable_ns;	/* sum of the threads that could run there over time, while it is known what ran */
	unsigned __int128 open_ns;	/* the same, of which no stretch has said yet whether it is known */
	__u64 open_since;		/* ns from when on that is */
	__u64 changed;			/* ns since when so many can run */
	__u64 idle_others;		/* ns in which other CPUs had been idle, when waits or is_idle changed */
	__u64 idle_while_waiting;	/* ns in which threads waited here while another CPU was idle */
};

/* How many threads could run there, on average; false, and 0, where that is not known at any time. */
static inline bool fxt_load_mean(const struct fxt_load *load, double *mean)
{
	__u64 known = load->busy + load->idle;

	*mean = known ? (double)load->runnable_ns / known : 0;
	return known;
}

struct fxt_loads {
	struct fxt_machine *m;
	unsigned int slot;		/* of data[] */
	__u64 now;			/* ns of the latest change of any */
	__u32 idle_count;		/* CPUs that are idle */
	__u64 idle_since;		/* ns up to when these sums are */
	__u64 any_idle, two_idle;	/* ns with at least one, and two, that were idle */
	__u64 lost_at;			/* ns of the last loss of all; 0: none */
	struct fxt_load *first;		/* that is idle, or where some wait */
};

void fxt_loads_init(struct fxt_loads *loads, struct fxt_machine *m);

/*
 * At the window's end, before the machine has the next one: completes all but what stretches add,
 * gives each CPU's load away, and begins anew.  0 or what take or memory fail with.
 */
int fxt_loads_turn(struct fxt_loads *loads, int (*take)(void *arg, const struct fxt_load *load), void *arg);

/* Adds a stretch. */
void fxt_load_stretch(struct fxt_load *load, const struct fxt_cpu_stretch *stretch);

/*
 * The load of a CPU, complete after the machine's end; NULL: it has none.  That threads waited while another CPU was
 * idle is no longer than the others were known to be idle: of some an event showed later that they were not.
 */
const struct fxt_load *fxt_loads_get(const struct fxt_loads *loads, const struct fxt_cpu *cpu);

#endif
