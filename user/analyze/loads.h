/* SPDX-License-Identifier: GPL-2.0-only */
/* What each CPU did in the window, in sums: an observer of the state machine. */
#ifndef FXT_ANALYZE_LOADS_H
#define FXT_ANALYZE_LOADS_H

#include "analyze/machine.h"

struct fxt_load {
	struct fxt_cpu *cpu;
	__u64 busy, idle, unknown;	/* ns */
	__u64 interrupts;		/* of busy and idle, in which an interrupt ran */
	__u64 switches;
	__u64 waiting;			/* threads in its queue now */
	__u64 running;			/* 1 while it runs a thread */
	bool is_idle;			/* it runs none, and that is known */
	__u64 runnable_max;
	unsigned __int128 runnable_ns;	/* sum of the threads that could run there over time */
	__u64 changed;			/* ns since when these are so */
	__u64 idle_others;		/* at that time: ns in which other CPUs had been idle */
	__u64 idle_while_waiting;	/* ns in which threads waited here while another CPU was idle */
};

struct fxt_loads {
	struct fxt_machine *m;
	unsigned int slot;		/* of data[] */
	__u32 idle_count;		/* CPUs that are idle now */
	__u64 changed;			/* ns since when they are so many */
	__u64 any_idle, two_idle;	/* ns so far with at least one, and two, that were idle */
};

void fxt_loads_init(struct fxt_loads *loads, struct fxt_machine *m);

/*
 * At the window's end, before the machine has the next one: completes all but what stretches add,
 * gives each CPU's load away, and begins anew.  0 or what take or memory fail with.
 */
int fxt_loads_turn(struct fxt_loads *loads, int (*take)(void *arg, const struct fxt_load *load), void *arg);

/* Adds a stretch. */
void fxt_load_stretch(struct fxt_load *load, const struct fxt_cpu_stretch *stretch);

/* The load of a CPU, complete after the machine's end; NULL: it has none. */
const struct fxt_load *fxt_loads_get(const struct fxt_loads *loads, __u32 cpu);

#endif
