/* SPDX-License-Identifier: GPL-2.0-only */
/* What a CPU ran while threads were in its queue, for blame.c. */
#ifndef FXT_ANALYZE_BLAME_QUEUE_H
#define FXT_ANALYZE_BLAME_QUEUE_H

#include "analyze/blame/blame.h"

/* What a CPU ran from when to when. */
struct fxt_blame_run {
	__u64 from, to;
	__u64 sum;		/* ns of all runs of the queue, up to the end of this one */
	__u32 number;		/* of the suspect */
};

#define FXT_BLAME_SHARED_TOP	(FXT_BLAME_WAIT_TOP + 2)

/* Sums of all runs since one from which several waits began. */
struct fxt_blame_shared {
	size_t first, next;	/* the runs; next 0: there are none */
	struct fxt_culprits sums;
	__u32 count;		/* of these that are not 0 */
	unsigned int used;
	struct fxt_blame_greatest_sum {
		__u64 ns;
		__u32 number;
	} top[FXT_BLAME_SHARED_TOP];	/* of these: the greatest first */
};

/*
 * A CPU's runs since the oldest one in its queue came, by a number that goes on: in a
 * ring.  A wait that ends walks through those of its time.
 *
 * Where many wait, each run would be added to each of them.  A victim that waited through many
 * runs gets an open account instead: of all that ran since that wait began, but for what
 * ran while it didn't wait, which is little.  Accounts are closed after as many runs as make
 * the sum of all of them, which most victims share, cheap beside these.
 */
struct fxt_blame_queue {
	struct fxt_cpu *cpu;
	struct fxt_victim *oldest, *newest;
	struct fxt_blame_run *runs;
	size_t room;		/* a power of two */
	size_t first, next;
	__u64 ns;		/* of all runs so far */
	struct fxt_victim *open;	/* those with accounts */
	size_t open_count;
	size_t base;		/* the first run of any of these accounts */
	struct fxt_culprits sum;	/* of the runs from there on */
	struct fxt_blame_shared shared;
	struct fxt_blame_part *parts;	/* that are kept to the end */
	size_t part_count;
	size_t kept;		/* the first run of any part */
	__u64 kept_to;		/* ns: the latest end of any */
	struct fxt_blame_index *index;	/* of these runs; NULL: there is none yet */
};

/* A run that the queue still has. */
static inline struct fxt_blame_run *fxt_blame_run_at(const struct fxt_blame_queue *q, size_t number)
{
	return &q->runs[number & (q->room - 1)];
}

/* A CPU's queue; NULL: -ENOMEM. */
struct fxt_blame_queue *fxt_blame_queue_of(struct fxt_blame *blame, struct fxt_cpu *cpu);
void fxt_blame_queue_uninit(struct fxt_blame *blame, struct fxt_blame_queue *queue);

/* The number of what a CPU runs; *err. */
__u32 fxt_blame_number(struct fxt_blame *blame, const struct fxt_cpu *cpu, struct fxt_task *task,
		       enum fxt_interrupt kind, const char *handler, int *err);

/* What waits, by its task: a new one; NULL: -ENOMEM. */
struct fxt_victim *fxt_blame_victim_add(struct fxt_blame *b, struct fxt_task *task);

static inline struct fxt_victim *fxt_blame_victim(struct fxt_blame *b, struct fxt_task *task)
{
	struct fxt_victim *victim = fxt_task_data(task, b->slot);

	return victim ? victim : fxt_blame_victim_add(b, task);
}

/*
 * Adds what ran from when to when, of the runs [first, last); of what runs now, too, where last
 * is FXT_BLAME_ALL.  0 or -ENOMEM.
 */
#define FXT_BLAME_ALL	((size_t)-1)

int fxt_blame_range(struct fxt_blame *blame, struct fxt_blame_queue *queue, struct fxt_culprits *to, size_t first,
		    size_t last, __u64 from, __u64 until);

/*
 * Adds the greatest sums of a wait that fits an account, and others, from the sums of all since its begin; *done: whether
 * these could be had.  0 or -ENOMEM.
 */
int fxt_blame_wait_shared(struct fxt_blame *blame, const struct fxt_victim *victim, struct fxt_culprits *to, bool *done);

/* Takes so much off what may be done; few runs are free.  Whether it was left. */
bool fxt_blame_pays(const struct fxt_blame *blame, __u64 *left, size_t runs);

/* Keeps a copy of a part, which is in no queue's list yet, in a list.  0 or -ENOMEM. */
int fxt_blame_part_keep(struct fxt_blame *blame, struct fxt_blame_part **list, const struct fxt_blame_part *part);

/* ns of a part that has just ended: of its runs, and of what runs now. */
__u64 fxt_blame_part_found(const struct fxt_blame_part *part);

/* ns of a part that is settled. */
__u64 fxt_blame_part_ns(const struct fxt_blame_part *part);

/* After the machine's end: a part's runs are all that are in its time. */
void fxt_blame_part_settle(struct fxt_blame_part *part);

/* A run has ended.  0 or -ENOMEM. */
int fxt_blame_run_add(struct fxt_blame *blame, struct fxt_blame_queue *queue, const struct fxt_blame_run *run);

/* Whether a wait, which has just ended, may be added to an account, as nothing of it is in doubt. */
bool fxt_blame_account_fits(struct fxt_blame *blame, const struct fxt_victim *victim);

/* Adds such a one.  0 or -ENOMEM. */
int fxt_blame_account_wait(struct fxt_blame *blame, struct fxt_victim *victim);

/* What an account comes to is the victim's; one that has none is as it was.  0 or -ENOMEM. */
int fxt_blame_account_close(struct fxt_blame *blame, struct fxt_victim *victim);

/* The same, or it becomes a part.  0 or -ENOMEM. */
int fxt_blame_account_keep(struct fxt_blame *blame, struct fxt_victim *victim);

/* Sums that are made to close an account. */
size_t fxt_blame_account_cost(const struct fxt_victim *victim);

#endif
