/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Which renames are recorded, and which command lines.  Any thread may rename itself, a million times a second, and the
 * INFO ring has other threads' births and names as well: so while the reader is behind, a
 * thread has so many renames recorded, and more are left out and counted.
 */
#ifndef FXT_RENAME_H
#define FXT_RENAME_H

#include "ring.h"

/* Renames that may wait of one thread, where the reader is behind, or far behind; there, of a user's threads, too. */
#define FXT_RENAMES		32u
#define FXT_RENAMES_FAR		4u
#define FXT_RENAMES_USER	64u
#define FXT_RENAMERS_A_SET	4u
/* The first set is of users, the others are of threads. */
#define FXT_RENAMERS_SETS	(FXTREC_RENAMERS / FXT_RENAMERS_A_SET)

/*
 * The entry of a thread or a user in a set: its own; else one all renames of which have been drained; else the one
 * with the fewest, so that those that rename most stay known.
 */
FXT_INLINE struct fxtrec_renamer *fxt_renamer(struct fxtrec_producer *p, __u32 set, __u32 id, __u64 tail)
{
	struct fxtrec_renamer *of_set = &p->renamers[set % FXT_RENAMERS_SETS * FXT_RENAMERS_A_SET], *found = of_set;
	__u32 fewest = ~0u, i;

	for (i = 0; i < FXT_RENAMERS_A_SET; i++) {
		struct fxtrec_renamer *r = &of_set[i];
		__u32 count = FXT_READ(r->position) < tail ? 0 : FXT_READ(r->count);

		if (FXT_READ(r->tid) == id)
			return r;
		if (count < fewest) {
			fewest = count;
			found = r;
		}
	}
	FXT_WRITE(found->tid, id);
	FXT_WRITE(found->count, 0);
	return found;
}

/* The renames of an entry that wait. */
FXT_INLINE __u32 fxt_renamer_waiting(struct fxtrec_renamer *r, __u64 tail, __u64 reserve)
{
	__u32 count = FXT_READ(r->count);

	if (count && FXT_READ(r->position) >= tail)
		return count;
	FXT_WRITE(r->position, reserve);
	return 0;
}

/* Whether a user may have one more rename recorded where the reader is far behind; counts it then. */
FXT_INLINE int fxt_rename_is_users(struct fxtrec_producer *p, __u32 uid, __u64 tail, __u64 reserve)
{
	struct fxtrec_renamer *r = fxt_renamer(p, 0, uid, tail);
	__u32 count = fxt_renamer_waiting(r, tail, reserve);

	if (count >= FXT_RENAMES_USER)
		return 0;
	FXT_WRITE(r->count, count + 1);
	return 1;
}

/*
 * Whether to record a command line: while at most a quarter of the ring waits, as anybody's program may execute others all the
 * time, and names are wanted more.
 */
FXT_INLINE int fxt_command_is_recorded(struct fxtrec_area *area)
{
	struct fxtrec_producer *p = &area->ring[FXTREC_RING_INFO];

	return FXT_READ(p->reserve) - FXT_TAIL(p, FXTREC_RING_INFO) <= ((__u64)p->subbufs << p->subbuf_shift) / 4;
}

/*
 * Whether to record a rename by a thread of a user.  Up to a quarter of the ring, all are; up to three
 * quarters of it, FXT_RENAMES of a thread's that wait; beyond that, as many as a thread has that
 * runs a program, and FXT_RENAMES_USER of all threads of a user: the rest is for new threads.
 *
 * On this CPU, preemption off or not: a rename in between may have one more or less recorded.
 */
FXT_INLINE int fxt_rename_is_recorded(struct fxtrec_area *area, __u32 tid, __u32 uid)
{
	struct fxtrec_producer *p = &area->ring[FXTREC_RING_INFO];
	__u64 tail = FXT_TAIL(p, FXTREC_RING_INFO), reserve = FXT_READ(p->reserve);
	__u64 waiting = reserve - tail;
	__u64 quarter = ((__u64)p->subbufs << p->subbuf_shift) / 4;
	__u32 set = 1 + (tid * 0x9e3779b1u >> 28) % (FXT_RENAMERS_SETS - 1);
	struct fxtrec_renamer *r = fxt_renamer(p, set, tid, tail);
	__u32 count = fxt_renamer_waiting(r, tail, reserve);
	int is_far = waiting > 3 * quarter;

	if (waiting <= quarter || (count < (is_far ? FXT_RENAMES_FAR : FXT_RENAMES) &&
				   (!is_far || fxt_rename_is_users(p, uid, tail, reserve)))) {
		FXT_WRITE(r->count, count + 1);
		return 1;
	}
	FXT_ADD(&p->renames_surplus, 1);
	return 0;
}

#endif
