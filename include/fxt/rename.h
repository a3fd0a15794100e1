/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Which renames are recorded.  Any thread may rename itself, a million times a second, and the
 * INFO ring has other threads' births and names as well: so while the reader is behind, a
 * thread has so many renames recorded, and more are left out and counted.
 */
#ifndef FXT_RENAME_H
#define FXT_RENAME_H

#include "ring.h"

/* Of one thread that may wait, where the reader is behind, or far behind. */
#define FXT_RENAMES		32u
#define FXT_RENAMES_FAR		4u
#define FXT_RENAMERS_A_SET	4u

/*
 * The entry of a thread: its own; else one all renames of which have been drained; else the one
 * with the fewest, so that those that rename most stay known.
 */
FXT_INLINE struct fxtrec_renamer *fxt_renamer(struct fxtrec_producer *p, __u32 tid, __u64 tail)
{
	__u32 set = (tid * 0x9e3779b1u >> 28) % (FXTREC_RENAMERS / FXT_RENAMERS_A_SET) * FXT_RENAMERS_A_SET;
	struct fxtrec_renamer *found = &p->renamers[set];
	__u32 fewest = ~0u, i;

	for (i = 0; i < FXT_RENAMERS_A_SET; i++) {
		struct fxtrec_renamer *r = &p->renamers[set + i];
		__u32 count = FXT_READ(r->position) < tail ? 0 : FXT_READ(r->count);

		if (FXT_READ(r->tid) == tid)
			return r;
		if (count < fewest) {
			fewest = count;
			found = r;
		}
	}
	FXT_WRITE(found->tid, tid);
	FXT_WRITE(found->count, 0);
	return found;
}

/*
 * Whether to record a rename by a thread.  Up to a quarter of the ring, all are; up to three
 * quarters of it, FXT_RENAMES of a thread's that wait; beyond that, as many as a thread has that
 * runs a program.
 *
 * On this CPU, preemption off or not: a rename in between may have one more or less recorded.
 */
FXT_INLINE int fxt_rename_is_recorded(struct fxtrec_area *area, __u32 tid)
{
	struct fxtrec_producer *p = &area->ring[FXTREC_RING_INFO];
	__u64 tail = FXT_TAIL(p, FXTREC_RING_INFO), reserve = FXT_READ(p->reserve);
	__u64 waiting = reserve - tail;
	__u64 quarter = ((__u64)p->subbufs << p->subbuf_shift) / 4;
	struct fxtrec_renamer *r = fxt_renamer(p, tid, tail);
	__u32 most = waiting <= 3 * quarter ? FXT_RENAMES : FXT_RENAMES_FAR;
	__u32 count = FXT_READ(r->count);

	if (!count || FXT_READ(r->position) < tail) {
		FXT_WRITE(r->position, reserve);
		count = 0;
	}
	if (waiting <= quarter || count < most) {
		FXT_WRITE(r->count, count + 1);
		return 1;
	}
	FXT_ADD(&p->renames_surplus, 1);
	return 0;
}

#endif
