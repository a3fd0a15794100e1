/* SPDX-License-Identifier: GPL-2.0-only */
/* Copies the latest records of a ring that is overwritten at the same time. */
#ifndef FXT_SOURCE_RING_COPY_H
#define FXT_SOURCE_RING_COPY_H

#include <stdbool.h>

#include "source/source.h"

struct fxt_ring_copy {
	__u8 *memory;
	__u64 *records;		/* whole records, in memory */
	size_t words;
	bool from_start;	/* the records are the first that were recorded */
};

/* Copies a CPU's ring of events, SCHED or EVENTS, up to head.  -ENOMEM. */
int fxt_ring_copy_make(struct fxt_ring_copy *copy, const struct fxt_source_cpu *cpu,
		       enum fxtrec_ring_kind kind, __u64 head);
void fxt_ring_copy_free(struct fxt_ring_copy *copy);

/*
 * Drops records older than ticks.  Returns the start of the time that the copy fully holds: ticks, or the time of its
 * first record, or opened if it holds all records since then; the greatest number if it is empty.
 */
__u64 fxt_ring_copy_cut(struct fxt_ring_copy *copy, __u64 ticks, __u64 opened);

/* Calls each() for every thread that the records name, maybe repeatedly. */
void fxt_ring_copy_threads(const struct fxt_ring_copy *copy, void (*each)(__u64 tid, void *arg),
			   void *arg);

#endif
