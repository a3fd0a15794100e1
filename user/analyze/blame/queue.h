/* SPDX-License-Identifier: GPL-2.0-only */
/* Keeps the runs of a CPU while threads are in its queue, for blame.c. */
#ifndef FXT_ANALYZE_BLAME_QUEUE_H
#define FXT_ANALYZE_BLAME_QUEUE_H

#include "analyze/blame/blame.h"

/* A run of a CPU. */
struct fxt_blame_run {
	__u64 from, to;
	__u64 sum;		/* ns of all runs of the queue, up to the end of this one */
	__u32 number;		/* number of the suspect */
};

#define FXT_BLAME_SHARED_TOP	(FXT_BLAME_WAIT_TOP + 2)

/* Sums of all runs since a run that several waits started in. */
struct fxt_blame_shared {
	size_t first, next;	/* first run, and end of the runs; next 0: no runs */
	struct fxt_culprits sums;
	__u32 count;		/* number of sums that are not 0 */
	unsigned int used;
	struct fxt_blame_greatest_sum {
		__u64 ns;
		__u32 number;
	} top[FXT_BLAME_SHARED_TOP];	/* greatest sums, in descending order */
};

/*
 * A ring of a CPU's runs since the oldest waiting thread came to the CPU's queue, by a running number.
 * A wait that ends walks through the runs of its time.
 *
 * Where many threads wait, each run would be added to each of them.  A victim that waited through
 * many runs gets an open account instead: of all runs since that wait started, except the few
 * runs while it didn't wait.  Closing an account merges the sum of all runs, which most victims share.
 * So accounts stay open until they have enough runs to make this merge cheap in comparison.
 */
struct fxt_blame_queue {
	struct fxt_cpu *cpu;	/* NULL: the queue is of a lock */
	__u32 machine;
	__u32 number;		/* number among the queues of the machine */
	struct fxt_blame_queue *next_queue;	/* list of all queues */
	struct fxt_victim *oldest, *newest;
	struct fxt_blame_run *runs;
	size_t room;		/* capacity in runs, a power of two */
	size_t first, next;
	__u64 ns;		/* ns of all runs so far */
	struct fxt_victim *open;	/* list of victims with accounts */
	size_t open_count;
	size_t base;		/* first run of any account */
	struct fxt_culprits sum;	/* sum of the runs from base on */
	struct fxt_blame_shared shared;
	struct fxt_blame_part *parts;	/* parts that are kept to the end */
	size_t part_count;
	size_t kept;		/* the first run of any part */
	__u64 kept_to;		/* ns, latest end of any part */
	struct fxt_blame_index *index;	/* index of these runs; NULL: none yet */
};

/* Returns a run that is still in the ring. */
static inline struct fxt_blame_run *fxt_blame_run_at(const struct fxt_blame_queue *q, size_t number)
{
	return &q->runs[number & (q->room - 1)];
}

/* Finds or adds a CPU's queue; NULL: -ENOMEM. */
struct fxt_blame_queue *fxt_blame_queue_of(struct fxt_blame *blame, struct fxt_cpu *cpu);

/* Adds a zeroed queue to the list of all queues. */
void fxt_blame_queue_link(struct fxt_blame *blame, struct fxt_blame_queue *queue);
void fxt_blame_queue_uninit(struct fxt_blame *blame, struct fxt_blame_queue *queue);

/* Returns the suspect's number of a CPU's task or handler; sets *err. */
__u32 fxt_blame_number(struct fxt_blame *blame, const struct fxt_cpu *cpu, struct fxt_task *task,
		       enum fxt_interrupt kind, const char *handler, int *err);

/* Puts a victim that is in no queue at the end of a queue. */
void fxt_blame_enqueue(struct fxt_blame *b, struct fxt_blame_queue *q, struct fxt_victim *v, __u64 ns);

/* Adds a victim for a task; NULL: -ENOMEM. */
struct fxt_victim *fxt_blame_victim_add(struct fxt_blame *b, struct fxt_task *task);

static inline struct fxt_victim *fxt_blame_victim(struct fxt_blame *b, struct fxt_task *task)
{
	struct fxt_victim *victim = fxt_task_data(task, b->slot);

	return victim ? victim : fxt_blame_victim_add(b, task);
}

/*
 * Adds the runs [first, last), cut to [from, until); with last FXT_BLAME_ALL, also the
 * present run.  Returns 0 or -ENOMEM.
 */
#define FXT_BLAME_ALL	((size_t)-1)

int fxt_blame_range(struct fxt_blame *blame, struct fxt_blame_queue *queue, struct fxt_culprits *to, size_t first,
		    size_t last, __u64 from, __u64 until);

/*
 * Adds the greatest sums of a wait that fits an account, and others, from the sums of all
 * runs since its start; sets *done if that was possible.  Returns 0 or -ENOMEM.
 */
int fxt_blame_wait_shared(struct fxt_blame *blame, const struct fxt_victim *victim, struct fxt_culprits *to, bool *done);

/* Subtracts runs from a budget; few runs are free.  Returns whether the budget sufficed. */
bool fxt_blame_pays(const struct fxt_blame *blame, __u64 *left, size_t runs);

/* Keeps a copy of a part in a list, and in its queue's list.  Returns 0 or -ENOMEM. */
int fxt_blame_part_keep(struct fxt_blame *blame, struct fxt_blame_part **list, const struct fxt_blame_part *part);

/* Returns ns of a part that has just ended, with those of the present run. */
__u64 fxt_blame_part_found(const struct fxt_blame_part *part);

/* Returns ns of a settled part. */
__u64 fxt_blame_part_ns(const struct fxt_blame_part *part);

/* Sets the runs of a part to those in its time, after the machine's end. */
void fxt_blame_part_settle(struct fxt_blame_part *part);

/* Returns the first run, from a number on, that starts at ns or later. */
size_t fxt_blame_run_find(const struct fxt_blame_queue *queue, size_t first, __u64 ns);

/* Adds a run that has ended.  Returns 0 or -ENOMEM. */
int fxt_blame_run_add(struct fxt_blame *blame, struct fxt_blame_queue *queue, const struct fxt_blame_run *run);

/* Returns whether a wait that has just ended may be added to an account, as no part of it is in doubt. */
bool fxt_blame_account_fits(struct fxt_blame *blame, const struct fxt_victim *victim);

/* Adds such a wait to an account.  Returns 0 or -ENOMEM. */
int fxt_blame_account_wait(struct fxt_blame *blame, struct fxt_victim *victim);

/* Closes a victim's account, or keeps it as a part.  Returns 0 or -ENOMEM. */
int fxt_blame_account_keep(struct fxt_blame *blame, struct fxt_victim *victim);

/* Returns the number of sums that closing an account makes. */
size_t fxt_blame_account_cost(const struct fxt_victim *victim);

#endif
