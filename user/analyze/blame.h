/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What made each thread wait: each wait cut by what ran on the CPU that it waited for.  An
 * observer of the state machine.
 */
#ifndef FXT_ANALYZE_BLAME_H
#define FXT_ANALYZE_BLAME_H

#include "analyze/culprits.h"
#include "analyze/selection.h"

struct fxt_victim {
	struct fxt_task *task;
	__u32 number;			/* as a suspect; 0: it has none yet */
	struct fxt_culprits culprits;	/* of all its waits; their sum is that of the waits */
	/* Its place in a queue, or the one that it has just left: queue NULL is none. */
	struct fxt_blame_queue *queue;
	bool waits;			/* it is in the queue */
	__u64 at, left;			/* ns from when to when */
	size_t first, last;		/* the runs of the CPU in that time */
	struct fxt_victim *older, *newer;	/* in the queue */
	struct fxt_culprits moved;	/* of this wait, in the queues before */
	/* Waits without their culprits, which are added later: blame_queue.h. */
	struct fxt_account_open {
		struct fxt_blame_queue *queue;	/* NULL: there are none */
		__u64 at, to;		/* ns: the first one's begin, and the last one's end */
		size_t first, last;	/* the runs of that time */
		struct fxt_culprits apart;	/* what ran between them */
		struct fxt_victim *before, *behind;	/* of the queue's */
	} account;
	struct fxt_victim *next;	/* of all */
};

struct fxt_blame {
	struct fxt_machine *m;
	unsigned int slot;		/* of data[]: a task's victim, a CPU's queue */
	struct fxt_victim *first;	/* of all */
	struct fxt_suspects *suspects;	/* of all machines */
	size_t account_runs;		/* waits of as many runs are summed together */
	size_t account_share;		/* up to so many runs for each suspect among these */
	const struct fxt_numbers *victims;	/* by tid: those that have sums; NULL: all have */
	/* NULL, or called with each wait of the selection that is longer than over, and what ran in it; 0 or -errno. */
	int (*on_wait)(void *state, const struct fxt_interval *wait, const struct fxt_culprits *culprits);
	void *state;
	const struct fxt_selection *selection;
	__u64 over;			/* ns */
	struct fxt_culprits wait;	/* of such a one */
};

/* Suspects are initialized before, and uninitialized after; the victims' tids stay as long. */
void fxt_blame_init(struct fxt_blame *blame, struct fxt_machine *m, struct fxt_suspects *suspects,
		    const struct fxt_numbers *victims);
void fxt_blame_uninit(struct fxt_blame *blame);

/* After the machine's end, before culprits are read.  0 or -ENOMEM. */
int fxt_blame_settle(struct fxt_blame *blame);

#endif
