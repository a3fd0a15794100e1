/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of a ring. */
#ifndef FXT_SOURCE_RING_STATE_H
#define FXT_SOURCE_RING_STATE_H

#include "uapi/fxtrec.h"

/* The words of a ring's producer, read as a consistent set: the counts cover exactly the events before head. */
struct fxt_ring_state {
	__u64 head;
	__u64 records;
	__u64 lost[FXTREC_LOSSES];
	__u64 reported[FXTREC_LOSSES];
	__u64 loss_start;
};

/* Reads the state; waits a little for a writer that is inside. */
void fxt_ring_state_read(const struct fxtrec_producer *producer, struct fxt_ring_state *state);

/*
 * Writes records of a CPU's provider to w, which has space for FXT_LOSS_BYTES_MAX: they report the losses of its ring
 * that its producer has not reported.  Returns the bytes.
 */
__u32 fxt_ring_state_report(const struct fxt_ring_state *state, __u64 *w, __u32 cpu,
			    enum fxtrec_ring_kind kind, __u64 now);

#endif
