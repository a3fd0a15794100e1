/* SPDX-License-Identifier: GPL-2.0-only */
/* Drops records that more than one input has: snapshots that overlap, or a file that is given twice. */
#ifndef FXT_STAGES_DEDUP_H
#define FXT_STAGES_DEDUP_H

#include "model/time_span.h"
#include "stages/stage.h"

/* Most different records of one ns that are compared; further records are passed on. */
#define FXT_DEDUP_MAX	64u

struct fxt_dedup {
	__u64 from, to;			/* time span of the overlaps of inputs, in ns */
	__u64 secret;
	/* Machine by input: records of different machines are not equal; NULL: a single machine. */
	const __u32 *machines;
	__u64 ns;			/* time of the kept records, which all have this time */
	unsigned int count;
	struct fxt_dedup_kept {
		__u64 hash;
		__u32 input, times;
	} kept[FXT_DEDUP_MAX];
};

/*
 * Sets up the stage; spans: of the inputs, in any order; they are sorted.  No record is dropped where no inputs
 * overlap.
 */
void fxt_dedup_init(struct fxt_dedup *dedup, struct fxt_times *spans, size_t count);

/*
 * Drops a record that another input had, and passes all others on.  Records come in time order; a record that its input
 * has twice stays twice.
 */
int fxt_dedup_put(struct fxt_stage *stage, struct fxt_record *r);

#endif
