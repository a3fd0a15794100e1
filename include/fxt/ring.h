/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The producer's side of a CPU's rings: reserve, commit, advance to the next sub-buffer, report losses.
 *
 * The module, the eBPF programs and the unit tests compile this same code.  Each
 * of them defines, before it includes this file:
 *
 *   FXT_READ(x), FXT_WRITE(x, v)	one untorn access
 *   FXT_RELEASE(x, v)			an untorn store-release
 *   FXT_BARRIER()			compiler barrier
 *   FXT_STORE_BARRIER()		orders earlier stores before later ones
 *   FXT_ADD(p, v), FXT_CAS(p, old, new)	atomic on this CPU; return the old value
 *   FXT_AREA_AT(area, offset)		address of a word at an offset of the area's data
 *   FXT_TAIL(p, kind)			the reader's tail of this ring, load-acquire
 *   FXT_CLOCK()			the current time in ticks
 *   FXT_SLOW				attributes of functions off the hot path
 *
 * All functions run on the area's own CPU, and the caller can't migrate between
 * reserve and commit.
 */
#ifndef FXT_RING_H
#define FXT_RING_H

#include "area.h"
#include "loss.h"
#include "sched.h"

/* Values in place of an offset: the record was dropped and counted; the ring is not open yet; another writer moved reserve. */
#define FXT_DROPPED	(~0ULL)
#define FXT_UNOPENED	(~1ULL)
#define FXT_INTERRUPTED	(~2ULL)

/*
 * Returns whether the sub-buffer that starts at start may be written.  The reader can write any tail.  A tail past
 * start makes the unsigned difference huge, so that a wrong tail loses records of this ring and does no other harm.
 */
FXT_INLINE int fxt_ring_free(const struct fxtrec_producer *p, __u64 start, __u64 tail)
{
	return tail == FXTREC_OVERWRITE ||
	       start - tail <= (__u64)(p->subbufs - 1) << p->subbuf_shift;
}

FXT_INLINE int fxt_ring_has_unreported_loss(const struct fxtrec_producer *p)
{
	return p->lost[FXTREC_LOST_FULL] != p->reported[FXTREC_LOST_FULL] ||
	       p->lost[FXTREC_LOST_NESTED] != p->reported[FXTREC_LOST_NESTED];
}

/* Counts a lost record, in any context of this CPU. */
FXT_INLINE void fxt_ring_count_loss(struct fxtrec_producer *p, enum fxtrec_loss cause, __u64 ticks)
{
	FXT_ADD(&p->lost[cause], 1);
	if (!FXT_READ(p->loss_start))
		FXT_WRITE(p->loss_start, ticks);
}

/*
 * Locks the SCHED ring, which has one writer at a time and needs no atomic instructions.  busy keeps a
 * writer that interrupts another writer away from the unfinished record.  busy and limit are read plainly:
 * each is one aligned word that only this CPU writes, so the compiler may use it as a memory operand.
 */
FXT_INLINE int fxt_sched_trylock(struct fxtrec_producer *p)
{
	if (__builtin_expect(p->busy, 0))
		return 0;
	FXT_WRITE(p->busy, 1);
	/* busy is set before the record is written; pairs with an interrupting writer's load of busy. */
	FXT_BARRIER();
	return 1;
}

FXT_INLINE void fxt_sched_unlock(struct fxtrec_producer *p)
{
	/* The record is written before busy is cleared; pairs as in fxt_sched_trylock(). */
	FXT_BARRIER();
	FXT_WRITE(p->busy, 0);
}

/* Counts a record that was lost because another writer is busy.  A limit of 0 makes the next record report the loss. */
FXT_SLOW void fxt_sched_nested(struct fxtrec_producer *p, __u64 ticks)
{
	fxt_ring_count_loss(p, FXTREC_LOST_NESTED, ticks);
	FXT_WRITE(p->limit, 0);
}

/* Writes a report of all unreported losses of the SCHED ring at head; the caller has made space for it. */
FXT_INLINE void fxt_sched_report_loss(struct fxtrec_area *area, struct fxtrec_producer *p, __u64 now)
{
	__u64 start = p->loss_start ? p->loss_start : now;
	__u32 cause;

	p->loss_start = 0;
	for (cause = 0; cause < FXTREC_LOSSES; cause++) {
		__u64 lost = FXT_READ(p->lost[cause]);
		__u64 count = lost - p->reported[cause];

		if (!count)
			continue;
		p->reported[cause] = lost;
		/* The record before head; pairs with the reader's load-acquire of head. */
		FXT_RELEASE(p->head, p->head + fxt_loss_write(FXT_AREA_AT(area, p->head - p->bias),
							      p->cpu, p->kind, cause, count,
							      start, now));
	}
}

/* Returns the limit of the sub-buffer that ends at end: a record must start before it. */
FXT_INLINE __u64 fxt_sched_limit(__u64 end)
{
	return end - FXT_SUBBUF_SPARE - FXT_SCHED_BYTES_MAX + 1;
}

/* Makes space for a record at head and reports losses before it; or drops and counts the record.  busy is set. */
FXT_SLOW int fxt_sched_advance(struct fxtrec_area *area, __u64 ticks)
{
	struct fxtrec_producer *p = &area->ring[FXTREC_RING_SCHED];
	__u64 end = fxt_ring_end(p, p->head);
	/* A loss later than ticks, by a writer that interrupted this one, is reported after the record. */
	int unreported = fxt_ring_has_unreported_loss(p) && p->loss_start <= ticks;
	__u64 before = unreported ? FXT_LOSS_BYTES_MAX : 0;

	if (!p->head && FXT_TAIL(p, FXTREC_RING_SCHED) == FXTREC_CLOSED)
		return 0;
	if (p->head + before >= fxt_sched_limit(end)) {
		if (!fxt_ring_free(p, end, FXT_TAIL(p, FXTREC_RING_SCHED))) {
			fxt_ring_count_loss(p, FXTREC_LOST_FULL, ticks);
			return 0;
		}
		p->used[fxt_ring_slot(p, p->head)] = p->head & ((1ULL << p->subbuf_shift) - 1);
		p->bias = end - fxt_ring_offset(p, end);
		/* used[] before head; pairs with the reader's load-acquire of head. */
		FXT_RELEASE(p->head, end);
		/*
		 * head before the next records, which may overwrite an old sub-buffer;
		 * pairs with the fence in fxt_ring_copy_take().
		 */
		FXT_STORE_BARRIER();
		end = fxt_ring_end(p, end);
	}
	FXT_WRITE(p->limit, fxt_sched_limit(end));
	if (unreported)
		fxt_sched_report_loss(area, p, ticks);
	/* The next record reports the remaining losses. */
	if (fxt_ring_has_unreported_loss(p))
		FXT_WRITE(p->limit, 0);
	return 1;
}

/* Returns whether there is space at *head for a record of up to FXT_SCHED_BYTES_MAX; busy is set. */
FXT_INLINE int fxt_sched_room(struct fxtrec_area *area, __u64 ticks, __u64 *head)
{
	struct fxtrec_producer *p = &area->ring[FXTREC_RING_SCHED];

	*head = p->head;
	if (__builtin_expect(*head < p->limit, 1))
		return 1;
	if (!fxt_sched_advance(area, ticks))
		return 0;
	*head = p->head;
	return 1;
}

/*
 * Reserves space at *head on the hot path.  Returns 0 where another writer is busy or there
 * is no space: the caller then tries fxt_sched_reserve().
 */
FXT_INLINE int fxt_sched_reserve_fast(struct fxtrec_producer *p, __u64 *head)
{
	if (!fxt_sched_trylock(p))
		return 0;
	*head = p->head;
	if (__builtin_expect(*head < p->limit, 1))
		return 1;
	fxt_sched_unlock(p);
	return 0;
}

/* Reserves space at *head and reads the clock.  Returns 0 where the record is dropped and counted. */
FXT_INLINE int fxt_sched_reserve(struct fxtrec_area *area, __u64 *ticks, __u64 *head)
{
	struct fxtrec_producer *p = &area->ring[FXTREC_RING_SCHED];

	if (!fxt_sched_trylock(p)) {
		fxt_sched_nested(p, FXT_CLOCK());
		return 0;
	}
	*ticks = FXT_CLOCK();
	if (fxt_sched_room(area, *ticks, head))
		return 1;
	fxt_sched_unlock(p);
	return 0;
}

/* Publishes the record at head; ends fxt_sched_reserve() or fxt_sched_reserve_fast(). */
FXT_INLINE void fxt_sched_commit(struct fxtrec_producer *p, __u64 head, __u32 bytes)
{
	p->records++;
	/* The record before head; pairs with the reader's load-acquire of head. */
	FXT_RELEASE(p->head, head + bytes);
	fxt_sched_unlock(p);
}

/*
 * Writers of the INFO and of the EVENTS ring nest, and each reserves its own space.  The
 * last writer to commit moves head past all of them.
 */
#define FXT_NESTED_TRIES	4

/* Commits the caller's space. */

FXT_INLINE void fxt_nested_commit(struct fxtrec_producer *p)
{
	int i;

	for (i = 0; i < FXT_NESTED_TRIES; i++) {
		__u64 reserve = FXT_READ(p->reserve);

		/* reserve before writers: a later writer has its space past reserve. */
		FXT_BARRIER();
		/* The records before head; pairs with the reader's load-acquire of head. */
		if (FXT_READ(p->writers) == 1)
			FXT_RELEASE(p->head, reserve);
		FXT_ADD(&p->writers, -1);
		if (FXT_READ(p->writers) || FXT_READ(p->reserve) == FXT_READ(p->head))
			return;
		FXT_ADD(&p->writers, 1);
	}
	FXT_ADD(&p->writers, -1);
}

/* Tries to reserve that many bytes.  Returns their offset, FXT_DROPPED where the ring is full, or FXT_INTERRUPTED. */
FXT_INLINE __u64 fxt_nested_try_once(struct fxtrec_producer *p, __u64 tail, __u32 bytes)
{
	__u64 position = FXT_READ(p->reserve);
	__u64 end = fxt_ring_end(p, position);
	__u64 start = position;

	if (position + bytes > end - FXT_SUBBUF_SPARE) {
		if (!fxt_ring_free(p, end, tail))
			return FXT_DROPPED;
		start = end;
	}
	if (FXT_CAS(&p->reserve, position, start + bytes) != position)
		return FXT_INTERRUPTED;
	/*
	 * reserve before the record, which may overwrite an old sub-buffer;
	 * pairs with the fence in fxt_ring_copy_take().
	 */
	FXT_STORE_BARRIER();
	if (start != position)
		p->used[fxt_ring_slot(p, position)] = position & ((1ULL << p->subbuf_shift) - 1);
	return fxt_ring_offset(p, start);
}

/* The eBPF programs may replace it by a global function. */
#ifndef FXT_NESTED_TRY
#define FXT_NESTED_TRY(p, tail, bytes)	fxt_nested_try_once(p, tail, bytes)
#endif

/*
 * Reserves that many bytes.  Returns their offset; or FXT_DROPPED, with the cause.  The caller is counted in writers.
 */
FXT_INLINE __u64 fxt_nested_try_reserve(struct fxtrec_producer *p, __u64 tail, __u32 bytes,
				enum fxtrec_loss *cause)
{
	__u64 offset;
	int i;

	for (i = 0; i < FXT_NESTED_TRIES; i++) {
		offset = FXT_NESTED_TRY(p, tail, bytes);
		if (offset == FXT_INTERRUPTED)
			continue;
		*cause = FXTREC_LOST_FULL;
		return offset;
	}
	*cause = FXTREC_LOST_NESTED;
	return FXT_DROPPED;
}

/* Reports the losses of the ring by each cause, unless another writer is reporting them. */
FXT_SLOW void fxt_nested_report_loss(struct fxtrec_area *area, enum fxtrec_ring_kind kind, __u64 tail,
			      __u64 start, __u64 now)
{
	struct fxtrec_producer *p = &area->ring[kind];
	enum fxtrec_loss ignored;
	__u32 cause;

	for (cause = 0; cause < FXTREC_LOSSES; cause++) {
		__u64 reported = FXT_READ(p->reported[cause]);
		__u64 count = FXT_READ(p->lost[cause]) - reported;
		__u32 bytes = count >> 32 ? 56 : 48;
		__u64 offset;

		if (!count || FXT_CAS(&p->reported[cause], reported, reported + count) != reported)
			continue;
		offset = fxt_nested_try_reserve(p, tail, bytes, &ignored);
		if (offset == FXT_DROPPED) {
			FXT_ADD(&p->reported[cause], 0 - count);
			if (!FXT_READ(p->loss_start))
				FXT_WRITE(p->loss_start, start);
			continue;
		}
		fxt_loss_write(FXT_AREA_AT(area, offset), p->cpu, p->kind, cause, count, start, now);
	}
}

/*
 * Reserves that many bytes.  Returns their offset, FXT_DROPPED or FXT_UNOPENED.  bytes is a
 * multiple of 8 and at most FXTREC_SUBBUF_MIN - FXT_SUBBUF_SPARE.  Reserved space must be
 * committed with fxt_nested_commit() before the caller's context ends.
 */
FXT_INLINE __u64 fxt_nested_reserve(struct fxtrec_area *area, enum fxtrec_ring_kind kind,
				    __u32 bytes, __u64 ticks)
{
	struct fxtrec_producer *p = &area->ring[kind];
	__u64 tail = FXT_TAIL(p, kind);
	enum fxtrec_loss cause = FXTREC_LOST_FULL;
	__u64 start, offset;

	if (kind == FXTREC_RING_EVENTS) {
		if (tail == FXTREC_CLOSED)
			return FXT_UNOPENED;
		/* Uncommitted records start at head, and must not be overwritten. */
		if (tail == FXTREC_OVERWRITE)
			tail = FXT_READ(p->head);
	}
	FXT_ADD(&p->writers, 1);
	start = FXT_READ(p->loss_start);
	/* A later writer reports a loss that is later than ticks. */
	if (start && start <= ticks && FXT_CAS(&p->loss_start, start, 0) == start)
		fxt_nested_report_loss(area, kind, tail, start, ticks);
	offset = fxt_nested_try_reserve(p, tail, bytes, &cause);
	if (offset == FXT_DROPPED) {
		fxt_ring_count_loss(p, cause, ticks);
		fxt_nested_commit(p);
	} else if (kind == FXTREC_RING_EVENTS) {
		FXT_ADD(&p->records, 1);
	}
	return offset;
}

/*
 * Counts an event of a late CPU; tail is that of any SCHED ring, since an event before the
 * rings are open doesn't count.
 */
FXT_INLINE void fxt_late_count(struct fxtrec_late *late, __u64 tail)
{
	if (tail == FXTREC_CLOSED)
		return;
	if (!FXT_READ(late->since))
		FXT_WRITE(late->since, FXT_CLOCK());
	FXT_ADD(&late->events, 1);
}

FXT_INLINE int fxt_events_closed(struct fxtrec_area *area)
{
	return FXT_TAIL(&area->ring[FXTREC_RING_EVENTS], FXTREC_RING_EVENTS) == FXTREC_CLOSED;
}

/*
 * Counts a hit of a tracepoint.  perf supplies a tracepoint's fields, and skips a tracepoint
 * that is hit while another is handled, as the kernel skips eBPF programs that read fields;
 * few kernels count that.  So a probe that is never skipped counts each hit, and the writer
 * of a record subtracts its hit, where there is such a probe.  The remaining hits were lost.
 */
FXT_INLINE void fxt_ring_hit(struct fxtrec_area *area)
{
	if (!fxt_events_closed(area))
		FXT_ADD(&area->ring[FXTREC_RING_EVENTS].hits_unrecorded, 1);
}

FXT_INLINE void fxt_ring_recorded(struct fxtrec_area *area)
{
	if (!fxt_events_closed(area))
		FXT_ADD(&area->ring[FXTREC_RING_EVENTS].hits_unrecorded, -1);
}

#endif
