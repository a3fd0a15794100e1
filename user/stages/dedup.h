/* SPDX-License-Identifier: GPL-2.0-only */
/* Records that more than one input has: of snapshots that overlap, or of a file that is given twice. */
#ifndef FXT_STAGES_DEDUP_H
#define FXT_STAGES_DEDUP_H

#include "model/time_span.h"
#include "stages/stage.h"

/* Different records of one nanosecond that are told apart; those beyond are passed on. */
#define FXT_DEDUP_MAX	64u

struct fxt_dedup {
	__u64 from, to;			/* ns: only there do inputs overlap */
	__u64 secret;
	const __u32 *machines;		/* by input: records of different ones are no twins; NULL: all of one */
	__u64 ns;			/* of those that are kept: the records of one moment */
	unsigned int count;
	struct fxt_dedup_kept {
		__u64 hash;
		__u32 input, times;
	} kept[FXT_DEDUP_MAX];
};

/* spans: of the inputs, in any order; they are sorted.  Nothing is dropped where none overlap. */
void fxt_dedup_init(struct fxt_dedup *dedup, struct fxt_times *spans, size_t count);

/*
 * Drops a record that another input had, and passes all others on.  Records come in the order of their times; one that
 * its input has twice is not a twin of itself.
 */
int fxt_dedup_put(struct fxt_stage *stage, struct fxt_record *r);

#endif
