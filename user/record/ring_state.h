/* SPDX-License-Identifier: GPL-2.0-only */
/* What a ring has come to. */
#ifndef FXT_RING_STATE_H
#define FXT_RING_STATE_H

#include "uapi/fxtrec.h"

/* Its producer's words, read together: what is counted lies before head, and nothing else does. */
struct fxt_ring_state {
	__u64 head;
	__u64 records;
	__u64 lost[FXTREC_LOSSES];
	__u64 told[FXTREC_LOSSES];
	__u64 lost_since;
};

/* Waits for a writer that is inside, but not for one that stays there. */
void fxt_ring_state_read(const struct fxtrec_producer *producer, struct fxt_ring_state *state);

#endif
