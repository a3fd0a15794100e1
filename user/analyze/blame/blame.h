/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the causes of each thread's waits: each wait is cut by the runs of the CPU that it
 * waited for.  An observer of the state machine.
 */
#ifndef FXT_ANALYZE_BLAME_H
#define FXT_ANALYZE_BLAME_H

#include "analyze/blame/culprits.h"
#include "analyze/selection.h"

/*
 * A part of a CPU's runs that a thread waited through, not summed by culprit: many threads
 * would each have a sum for each of many threads.  blame/index.h finds the greatest sums.
 */
struct fxt_blame_part {
	struct fxt_blame_queue *queue;
	__u64 at, to;			/* ns */
	size_t first, end;		/* numbers of the runs; end is set by fxt_blame_settle() */
	struct fxt_culprits apart;	/* sums of the runs that don't count for the thread */
	struct fxt_blame_part *next;	/* next part of the same thread or wait */
	struct fxt_blame_part *of_queue;	/* next part of the same queue */
	__u32 distinct;			/* number of culprits of the runs, from the queue's index */
};

struct fxt_victim {
	struct fxt_task *task;
	__u32 number;			/* number as a suspect; 0: none yet */
	struct fxt_culprits culprits;	/* culprits of all waits, without those of the parts */
	struct fxt_blame_part *parts;	/* parts of its waits */
	__u64 waits_count;		/* number of its waits */
	__u64 longest, longest_from;	/* ns, length and start of the longest wait */
	/* Present or last queue of the thread; queue NULL: none. */
	struct fxt_blame_queue *queue;
	bool waits;			/* thread is in the queue */
	__u64 at, left;			/* ns, time in the queue */
	size_t first, last;		/* numbers of the CPU's first run in that time, and after the last */
	struct fxt_victim *older, *newer;	/* neighbours in the queue */
	struct fxt_culprits moved;	/* culprits of this wait in earlier queues and in no queue */
	struct fxt_blame_part *moved_parts;	/* parts of this wait in earlier queues */
	__u64 moved_ns;			/* ns of moved and moved_parts */
	/* An account: waits with culprits that are added later (blame/queue.h). */
	struct fxt_account_open {
		struct fxt_blame_queue *queue;	/* NULL: no account */
		__u64 at, to;		/* ns, start of the first wait, and end of the last */
		size_t first, last;	/* numbers of the first run of that time, and after the last */
		struct fxt_culprits apart;	/* sums of the runs between the waits */
		struct fxt_victim *before, *behind;	/* neighbours in the queue's list of accounts */
	} account;
	struct fxt_blame_lock *held;	/* list of the locks that the thread holds and others wait for */
	struct fxt_victim *next;	/* list of all victims */
};

/* Least number of culprits of a wait that on_wait gets, if others are left. */
#define FXT_BLAME_WAIT_TOP	4u

struct fxt_blame {
	struct fxt_machine *m;
	unsigned int slot;		/* index in data[] of a task's victim and a CPU's queue */
	bool sleeps;			/* sleeps with a reason, except idle ones, are waits, too */
	struct fxt_victim *first;	/* list of all victims */
	struct fxt_blame_queue *queues;	/* list of all queues */
	__u32 queue_count;
	struct fxt_map locks;		/* contended locks by key */
	struct fxt_blame_lock *free_locks;
	unsigned int lock_depth;	/* locks with runs that are being completed, each for the one before */
	struct fxt_suspects *suspects;	/* suspects of all machines */
	size_t account_runs;		/* waits of at least this many runs are summed together */
	size_t account_share;		/* greatest number of runs per suspect in such a sum */
	/* Budgets: runs that may be walked for on_wait, and sums that may be made; beyond them, parts are kept. */
	__u64 walks, sums;
	__u32 run_walks, run_sums;	/* growth of the budgets with each run */
	__u64 shares;			/* budget of runs that may be added to sums that waits share */
	const struct fxt_numbers *victims;	/* victims with sums, by tid; NULL: all */
	/*
	 * Receives each wait of the selection that is longer than over, with its culprits and its
	 * parts, which stay valid.  Returns 0 or -errno.  NULL: no call.
	 */
	int (*on_wait)(void *state, const struct fxt_interval *wait, struct fxt_culprits *culprits,
		       struct fxt_blame_part *parts);
	void *state;
	const struct fxt_selection *selection;
	__u64 over;			/* ns */
	struct fxt_culprits wait;	/* culprits of the present wait for on_wait */
};

/* Initializes.  The suspects are initialized before, and freed after; the victims' tids must live as long. */
void fxt_blame_init(struct fxt_blame *blame, struct fxt_machine *m, struct fxt_suspects *suspects,
		    const struct fxt_numbers *victims);
void fxt_blame_uninit(struct fxt_blame *blame);

/*
 * Completes the sums after the machine's end, before culprits and parts are read; further
 * calls do nothing.  Returns 0 or -ENOMEM.
 */
int fxt_blame_settle(struct fxt_blame *blame);

#endif
