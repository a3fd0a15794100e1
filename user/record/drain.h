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
	struct fxt_names *names;	/* learned from the INFO rings */
	struct fxt_output *output;
	/* By CPU and ring, where the recording ends; NULL while it goes on. */
	struct fxt_ring_state (*ends)[FXTREC_RINGS];
	/* Likewise: the heads of the rings of events, of this run. */
	__u64 (*heads)[FXTREC_RINGS];
	__u64 flushed;		/* CLOCK_MONOTONIC of the last flush */
	__u64 flush_ns;		/* the longest time between two */
	__u64 period_ns;	/* until the next run */
};

/* -ENOMEM */
int fxt_drain_init(struct fxt_drain *drain, struct fxt_source *source, struct fxt_stacks *stacks,
		   struct fxt_names *names, struct fxt_output *output, __u64 flush_ns);

/* Writes what is worth a write; sets the period until the next run.  -errno of the file. */
int fxt_drain_run(struct fxt_drain *drain);

/* Drains the INFO rings.  -errno of the file. */
int fxt_drain_names(struct fxt_drain *drain);

/* Drains everything, and has it written.  -errno of the file. */
int fxt_drain_flush(struct fxt_drain *drain);

/*
 * The recording ends here: events that are recorded later are no part of it.  The
 * source is stopped between this and fxt_drain_finish().  -ENOMEM.
 */
int fxt_drain_close(struct fxt_drain *drain);

/* Drains everything, and writes the losses that no producer can report any more. */
int fxt_drain_finish(struct fxt_drain *drain);

/* Whether names were lost, so that a thread may have none. */
bool fxt_drain_names_lost(const struct fxt_drain *drain);

void fxt_drain_uninit(struct fxt_drain *drain);

/* The state of a ring, at the end once that has come; cpu is an index of the source's. */
void fxt_drain_state(const struct fxt_drain *drain, unsigned int cpu, unsigned int kind,
		     struct fxt_ring_state *state);

#endif
