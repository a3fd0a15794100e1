/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Limits the renames and command lines that are recorded.  Any thread may rename itself, a million times
 * a second, and the INFO ring has other threads' creations and names as well: so while the reader is
 * behind, each thread gets a limited number of recorded renames; further ones are left out and counted.
 */
#ifndef FXT_RENAME_H
#define FXT_RENAME_H

#include "ring.h"

/*
 * Renames of a thread that may wait in the ring while the reader is behind, or far behind,
 * and then of a user's threads together.
 */
#define FXT_RENAMES		32u
#define FXT_RENAMES_FAR		4u
#define FXT_RENAMES_USER	64u
#define FXT_RENAMERS_A_SET	4u
/* The first set has users, the others have threads. */
#define FXT_RENAMERS_SETS	(FXTREC_RENAMERS / FXT_RENAMERS_A_SET)

/*
 * Finds the entry of a thread or a user in a set: its own, else one with all its renames
 * drained, else the one with the fewest renames, so that the most frequent renamers stay known.
 * Returns its index.
 */
FXT_INLINE __u32 fxt_renamer_index(struct fxtrec_producer *p, __u32 set, __u32 id, __u64 tail)
{
	__u32 first = set % FXT_RENAMERS_SETS * FXT_RENAMERS_A_SET, found = first, fewest = ~0u, i;

	for (i = first; i < first + FXT_RENAMERS_A_SET; i++) {
		struct fxtrec_renamer *r = &p->renamers[i];
		__u32 count = FXT_READ(r->position) < tail ? 0 : FXT_READ(r->count);

		if (FXT_READ(r->tid) == id)
			return i;
		if (count < fewest) {
			fewest = count;
			found = i;
		}
	}
	FXT_WRITE(p->renamers[found].tid, id);
	FXT_WRITE(p->renamers[found].count, 0);
	return found;
}

/* The eBPF programs replace this macro by a global function. */
#ifndef FXT_RENAMER_INDEX
#define FXT_RENAMER_INDEX(p, set, id, tail)	fxt_renamer_index(p, set, id, tail)
#endif

/* Returns the entry that fxt_renamer_index() finds. */
FXT_INLINE struct fxtrec_renamer *fxt_renamer(struct fxtrec_producer *p, __u32 set, __u32 id, __u64 tail)
{
	return &p->renamers[FXT_RENAMER_INDEX(p, set, id, tail) % FXTREC_RENAMERS];
}

/* Returns the number of an entry's renames that wait in the ring. */
FXT_INLINE __u32 fxt_renamer_waiting(struct fxtrec_renamer *r, __u64 tail, __u64 reserve)
{
	__u32 count = FXT_READ(r->count);

	if (count && FXT_READ(r->position) >= tail)
		return count;
	FXT_WRITE(r->position, reserve);
	return 0;
}

/* Returns whether a user may have one more rename recorded while the reader is far behind; counts it if so. */
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
 * Returns whether to record a command line: only while at most a quarter of the ring waits,
 * since any user's program may execute others all the time, and names are more important.
 */
FXT_INLINE int fxt_command_is_recorded(struct fxtrec_area *area)
{
	struct fxtrec_producer *p = &area->ring[FXTREC_RING_INFO];

	return FXT_READ(p->reserve) - FXT_TAIL(p, FXTREC_RING_INFO) <= ((__u64)p->subbufs << p->subbuf_shift) / 4;
}

/*
 * Returns whether to record a rename by a thread of a user.  While at most a quarter of the ring waits: all renames; up
 * to three quarters: FXT_RENAMES waiting renames of each thread; beyond that, FXT_RENAMES_FAR of each thread, enough
 * for running a program, and FXT_RENAMES_USER of all threads of a user: the rest of the ring is for new threads.  Runs
 * on this CPU, with preemption off or on: an intervening rename may have one more or one fewer recorded.
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
