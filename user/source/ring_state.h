/* SPDX-License-Identifier: GPL-2.0-only */
/* What a ring has come to. */
#ifndef FXT_SOURCE_RING_STATE_H
#define FXT_SOURCE_RING_STATE_H

#include "uapi/fxtrec.h"

/* Its producer's words, read together: what is counted lies before head, and nothing else does. */
struct fxt_ring_state {
	__u64 head;
	__u64 records;
	__u64 lost[FXTREC_LOSSES];
	__u64 reported[FXTREC_LOSSES];
	__u64 loss_start;
};

/* Waits for a writer that is inside, but not for one that stays there. */
void fxt_ring_state_read(const struct fxtrec_producer *producer, struct fxt_ring_state *state);

/*
 * What a CPU's ring has lost and no record of its tells of yet, as records of that CPU's
 * provider at w, which has room for FXT_LOSS_BYTES_MAX.  Returns the bytes.
 */
__u32 fxt_ring_state_report(const struct fxt_ring_state *state, __u64 *w, __u32 cpu,
			    enum fxtrec_ring_kind kind, __u64 now);

#endif
