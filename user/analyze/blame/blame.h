/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What made each thread wait: each wait cut by what ran on the CPU that it waited for.  An
 * observer of the state machine.
 */
#ifndef FXT_ANALYZE_BLAME_H
#define FXT_ANALYZE_BLAME_H

#include "analyze/blame/culprits.h"
#include "analyze/selection.h"

/*
 * A part of a CPU's runs that a thread waited through, not summed by culprit: many threads would have a sum for each of
 * many threads.  blame_index.h finds the greatest sums.
 */
struct fxt_blame_part {
	struct fxt_blame_queue *queue;
	__u64 at, to;			/* ns */
	size_t first, end;		/* the runs; end is set by fxt_blame_settle() */
	struct fxt_culprits apart;	/* sums of these runs that are not the thread's */
	struct fxt_blame_part *next;	/* of the same thread or wait */
	struct fxt_blame_part *of_queue;	/* of the same queue */
	__u32 distinct;			/* culprits of these runs, by the queue's index */
};

struct fxt_victim {
	struct fxt_task *task;
	__u32 number;			/* as a suspect; 0: it has none yet */
	struct fxt_culprits culprits;	/* of all its waits; with parts, their sum is that of the waits */
	struct fxt_blame_part *parts;	/* of its waits */
	__u64 waits_count;		/* of these */
	__u64 longest, longest_from;	/* ns: of the longest one, and its begin */
	/* Its place in a queue, or the one that it has just left: queue NULL is none. */
	struct fxt_blame_queue *queue;
	bool waits;			/* it is in the queue */
	__u64 at, left;			/* ns from when to when */
	size_t first, last;		/* the runs of the CPU in that time */
	struct fxt_victim *older, *newer;	/* in the queue */
	struct fxt_culprits moved;	/* of this wait, in the queues before and in none */
	struct fxt_blame_part *moved_parts;	/* of this wait, likewise */
	__u64 moved_ns;			/* of both */
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

/* Culprits of a wait that on_wait gets, at least, if others are left. */
#define FXT_BLAME_WAIT_TOP	4u

struct fxt_blame {
	struct fxt_machine *m;
	unsigned int slot;		/* of data[]: a task's victim, a CPU's queue */
	struct fxt_victim *first;	/* of all */
	struct fxt_suspects *suspects;	/* of all machines */
	size_t account_runs;		/* waits of as many runs are summed together */
	size_t account_share;		/* up to so many runs for each suspect among these */
	/* Runs that may be walked through for on_wait, and sums that may be made; beyond these, parts are kept. */
	__u64 walks, sums;
	__u32 run_walks, run_sums;	/* more of these for each run */
	__u64 shares;			/* runs that may be added to sums that waits share */
	const struct fxt_numbers *victims;	/* by tid: those that have sums; NULL: all have */
	/*
	 * NULL, or called with each wait of the selection that is longer than over, and what ran in it: culprits, and parts,
	 * which stay valid.  0 or -errno.
	 */
	int (*on_wait)(void *state, const struct fxt_interval *wait, struct fxt_culprits *culprits,
		       struct fxt_blame_part *parts);
	void *state;
	const struct fxt_selection *selection;
	__u64 over;			/* ns */
	struct fxt_culprits wait;	/* of such a one */
};

/* Suspects are initialized before, and uninitialized after; the victims' tids stay as long. */
void fxt_blame_init(struct fxt_blame *blame, struct fxt_machine *m, struct fxt_suspects *suspects,
		    const struct fxt_numbers *victims);
void fxt_blame_uninit(struct fxt_blame *blame);

/* After the machine's end, before culprits and parts are read; again, it does nothing.  0 or -ENOMEM. */
int fxt_blame_settle(struct fxt_blame *blame);

#endif
