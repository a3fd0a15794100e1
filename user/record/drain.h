/* SPDX-License-Identifier: GPL-2.0-only */
/* Drains the rings to the file: stretches of whole records, straight from the mapping. */
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
	struct fxt_names *names;	/* of threads, read from the INFO rings */
	struct fxt_output *output;
	/* Final state of each ring by CPU and kind; NULL while the recording goes on. */
	struct fxt_ring_state (*ends)[FXTREC_RINGS];
	/* Heads of the rings of events by CPU and kind, as the current run read them. */
	__u64 (*heads)[FXTREC_RINGS];
	__u64 flushed;		/* CLOCK_MONOTONIC of the last flush */
	__u64 flush_ns;		/* the longest time between two flushes */
	__u64 period_ns;	/* until the next run */
};

/* Allocates the heads.  -ENOMEM. */
int fxt_drain_init(struct fxt_drain *drain, struct fxt_source *source, struct fxt_stacks *stacks,
		   struct fxt_names *names, struct fxt_output *output, __u64 flush_ns);

/* Writes the stretches that are long enough, and sets the period until the next run.  -errno of the file. */
int fxt_drain_run(struct fxt_drain *drain);

/* Drains the INFO rings.  -errno of the file. */
int fxt_drain_names(struct fxt_drain *drain);

/* Drains all rings, and has the records written.  -errno of the file. */
int fxt_drain_flush(struct fxt_drain *drain);

/*
 * Marks the recording's end: later events are not part of the recording.  The caller stops the source between this call
 * and fxt_drain_finish().  -ENOMEM.
 */
int fxt_drain_close(struct fxt_drain *drain);

/* Drains all rings, and writes the losses that no producer can report any more. */
int fxt_drain_finish(struct fxt_drain *drain);

/* Returns whether names were lost, so that a thread may stay unnamed. */
bool fxt_drain_names_lost(const struct fxt_drain *drain);

void fxt_drain_uninit(struct fxt_drain *drain);

/* Reads the state of a ring: the final one once the recording has ended.  cpu is an index of the source's CPUs. */
void fxt_drain_state(const struct fxt_drain *drain, unsigned int cpu, unsigned int kind,
		     struct fxt_ring_state *state);

#endif
