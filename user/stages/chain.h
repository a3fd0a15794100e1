/* SPDX-License-Identifier: GPL-2.0-only */
/* The chain of stages that the sorted records of a conversion or an analysis go through. */
#ifndef FXT_STAGES_CHAIN_H
#define FXT_STAGES_CHAIN_H

#include "model/inputs.h"
#include "stages/bounds.h"
#include "stages/dedup.h"
#include "stages/nest.h"
#include "stages/pairing.h"
#include "stages/queue.h"
#include "stages/resolve.h"
#include "stages/ties.h"
#include "stream/merge.h"

#define FXT_CHAIN_STAGES	6u

#define FXT_CHAIN_SEEN		16384u

/* Conditions of stages that only some chains have. */
#define FXT_CHAIN_SEVERAL	1u	/* the sorter has several inputs */
#define FXT_CHAIN_BY_CPU	2u	/* the writer loses the order of CPUs' records with equal times */
#define FXT_CHAIN_PAIRED	4u	/* the writer needs a message as one event */
#define FXT_CHAIN_BOUNDED	8u	/* the output has a window, or starts with facts */

struct fxt_chain {
	struct fxt_merge *merge;	/* sorted records */
	unsigned int has;		/* conditions of the chain */
	struct fxt_resolve resolve;
	struct fxt_dedup dedup;
	struct fxt_nest nest;
	struct fxt_ties ties;
	struct fxt_pairing pairing;
	struct fxt_bounds bounds;	/* the caller sets it */
	struct fxt_queue queue;		/* last stage of fxt_chain_next() */
	struct fxt_stage stages[FXT_CHAIN_STAGES];
	unsigned int count;
	struct fxt_stage *first;
	__u64 read, due;		/* number of records that were read, and that seen() is called at next */
	/* Called about every FXT_CHAIN_SEEN records with their number; NULL: not called. */
	void (*seen)(void *arg, __u64 records);
	void *seen_arg;
	bool unread;			/* the reading of the sorted records failed, not a stage */
	bool ended;			/* fxt_chain_next() has read the last record */
};

/* Prepares a chain, before the first input is read; spill: memory of its tables. */
void fxt_chain_init(struct fxt_chain *chain, struct fxt_spill *spill);
void fxt_chain_uninit(struct fxt_chain *chain);

/*
 * Starts the chain with the sorted records of the inputs; has: FXT_CHAIN_BY_CPU, FXT_CHAIN_PAIRED,
 * FXT_CHAIN_BOUNDED.  Returns 0 or -ENOMEM.
 */
int fxt_chain_begin(struct fxt_chain *chain, struct fxt_merge *merge, const struct fxt_inputs *inputs,
		    unsigned int has);

/* Gets a brief record in place of a whole one; last: the chain's last stage.  Returns as a stage's put() does. */
typedef int (*fxt_chain_brief)(struct fxt_stage *last, const struct fxt_brief *brief);

/*
 * Puts all records through the stages into last.  Brief records go directly to brief() while no stage is busy; NULL: no
 * record does.  Returns 0, -errno, or the result of last's put().
 */
int fxt_chain_run(struct fxt_chain *chain, struct fxt_stage *last, fxt_chain_brief brief);

/*
 * Reads the next record that comes out of the stages, for a caller that can't be a stage.  Returns 1, 0 at the end,
 * -errno.
 */
int fxt_chain_next(struct fxt_chain *chain, struct fxt_record *r);

#endif
