/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who made whom wait: each wait cut by what ran on the CPU whose queue the thread was in.  An
 * observer of the state machine.
 */
#ifndef FXT_ANALYZE_BLAME_H
#define FXT_ANALYZE_BLAME_H

#include "analyze/culprits.h"

struct fxt_victim {
	struct fxt_task *task;
	struct fxt_culprits culprits;	/* of all its waits; their sum is that of the waits */
	/* The wait that goes on: up to the first loss, and behind it, which may prove wrong. */
	struct fxt_culprits sure, unsure;
	__u64 began;			/* ns */
	__u64 at;			/* ns up to which it is attributed */
	struct fxt_victim *ahead, **link;	/* in the list of its CPU's queue; link NULL: in none */
	struct fxt_victim *next;	/* of all */
};

struct fxt_blame {
	struct fxt_machine *m;
	unsigned int slot;		/* of data[]: a task's victim, a CPU's queue */
	struct fxt_victim *first;	/* of all */
	/* NULL, or called with each wait of the window, and what ran in it; 0 or -errno. */
	int (*on_wait)(void *state, const struct fxt_interval *wait, const struct fxt_culprits *culprits);
	void *state;
};

void fxt_blame_init(struct fxt_blame *blame, struct fxt_machine *m);
void fxt_blame_uninit(struct fxt_blame *blame);

#endif
