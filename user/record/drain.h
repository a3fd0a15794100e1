/* SPDX-License-Identifier: GPL-2.0-only */
/* From the rings to the file: stretches of whole records, straight from the mapping. */
#ifndef FXT_RECORD_DRAIN_H
#define FXT_RECORD_DRAIN_H

#include "describe/names.h"
#include "describe/stacks.h"
#include "output/output.h"
#include "source/ring_state.h"
#include "source/source.h"

struct fxt_drain {
	struct fxt_source *source;
	struct fxt_stacks *stacks;	/* NULL: there are no records of stacks */
	struct fxt_names *names;	/* learned from the INFO rings */
	struct fxt_output *output;
	/* By CPU and ring, where the recording ends; NULL while it goes on. */
	struct fxt_ring_state (*ends)[FXTREC_RINGS];
	/* Likewise: how far the rings of events are, of this run. */
	__u64 (*heads)[FXTREC_RINGS];
	__u64 flushed;		/* CLOCK_MONOTONIC when all there was had been written */
	__u64 flush_ns;		/* longest time between that */
	__u64 period_ns;	/* until the next run */
};

/* -ENOMEM */
int fxt_drain_init(struct fxt_drain *drain, struct fxt_source *source, struct fxt_stacks *stacks,
		   struct fxt_names *names, struct fxt_output *output, __u64 flush_ns);

/* Writes what is worth a write; sets the period until the next run.  -errno of the file. */
int fxt_drain_run(struct fxt_drain *drain);

/* Takes in the names that are there.  -errno of the file. */
int fxt_drain_names(struct fxt_drain *drain);

/* Writes all there is.  -errno of the file. */
int fxt_drain_flush(struct fxt_drain *drain);

/*
 * The recording ends here: of events, what is written later is no part of
 * it.  Between, the source is stopped.  -ENOMEM.
 */
int fxt_drain_close(struct fxt_drain *drain);

/* Writes all there is, and the losses that no producer could tell of any more. */
int fxt_drain_finish(struct fxt_drain *drain);

/* Whether names were lost, so that a thread may have none. */
bool fxt_drain_names_lost(const struct fxt_drain *drain);

void fxt_drain_uninit(struct fxt_drain *drain);

/* How a ring stands, or stood at the end; cpu is an index of the source's. */
void fxt_drain_state(const struct fxt_drain *drain, unsigned int cpu, unsigned int kind,
		     struct fxt_ring_state *state);

#endif
