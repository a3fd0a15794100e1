/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Which renames are recorded.  Any thread may rename itself, a million times a second, and the
 * INFO ring has other threads' births and names as well: so while the reader is behind, a
 * thread that renames again and again is left out, and counted.
 */
#ifndef FXT_RENAME_H
#define FXT_RENAME_H

#include "ring.h"

/*
 * Whether to record a rename by a thread that has been switched away so many times.  Up to a
 * quarter of the ring, all are; up to half of it, a thread's first since it was switched to;
 * the other half is for births and messages.
 *
 * On this CPU, preemption off or not: a rename in between may have one more or less recorded.
 */
FXT_INLINE int fxt_rename_is_recorded(struct fxtrec_area *area, __u32 tid, __u64 run)
{
	struct fxtrec_producer *p = &area->ring[FXTREC_RING_INFO];
	__u64 waiting = FXT_READ(p->reserve) - FXT_TAIL(p, FXTREC_RING_INFO);
	__u64 quarter = ((__u64)p->subbufs << p->subbuf_shift) / 4;
	int again = FXT_READ(p->renamer) == tid && FXT_READ(p->renamer_run) == run;

	FXT_WRITE(p->renamer, tid);
	FXT_WRITE(p->renamer_run, run);
	if (waiting <= quarter || (waiting <= 2 * quarter && !again))
		return 1;
	FXT_ADD(&p->renames_surplus, 1);
	return 0;
}

#endif
