/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The producer's side of a CPU's rings: reserve, commit, move to the next sub-buffer, tell of losses.
 *
 * The module, the eBPF programs and the unit tests run this same code.  Each
 * defines, before it includes this file:
 *
 *   FXT_READ(x), FXT_WRITE(x, v)	one untorn access
 *   FXT_RELEASE(x, v)			the same, after all that came before
 *   FXT_BARRIER()			against the compiler
 *   FXT_STORES()			what was stored before is seen before what is stored after
 *   FXT_ADD(p, v), FXT_CAS(p, old, new)	atomic on this CPU; return what was
 *   FXT_AREA_AT(area, offset)		the word at an offset of the area's data
 *   FXT_TAIL(p, kind)			the reader's tail of this ring, acquired
 *   FXT_CLOCK()			ticks now
 *   FXT_SLOW				attributes of functions off the hot path
 *
 * All functions run on the area's own CPU and can't migrate while inside.
 */
#ifndef FXT_RING_H
#define FXT_RING_H

#include "area.h"
#include "loss.h"
#include "sched.h"

/* In place of an offset: dropped and counted, or the ring isn't open yet. */
#define FXT_DROPPED	(~0ULL)
#define FXT_UNOPENED	(~1ULL)

/*
 * Whether the sub-buffer that begins at start may be written.  The tail is the
 * reader's word: one that lies past start makes the difference huge, so a lie
 * costs the liar records and nothing else.
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

FXT_INLINE void fxt_ring_count_loss(struct fxtrec_producer *p, enum fxtrec_loss cause, __u64 ticks)
{
	FXT_ADD(&p->lost[cause], 1);
	if (!FXT_READ(p->loss_start))
		FXT_WRITE(p->loss_start, ticks);
}

/*
 * The SCHED ring: a single writer, without atomic instructions.  busy keeps a
 * writer that should yet come inside another (an NMI) from its record.  It and
 * limit are read plainly: each is one aligned word that only this CPU writes, so
 * that the compiler may compare it where it stands.
 */
FXT_INLINE int fxt_sched_trylock(struct fxtrec_producer *p)
{
	if (__builtin_expect(p->busy, 0))
		return 0;
	FXT_WRITE(p->busy, 1);
	FXT_BARRIER();
	return 1;
}

FXT_INLINE void fxt_sched_unlock(struct fxtrec_producer *p)
{
	FXT_BARRIER();
	FXT_WRITE(p->busy, 0);
}

/* A writer that could not enter; has the ring told of it at the next record. */
FXT_SLOW void fxt_sched_nested(struct fxtrec_producer *p, __u64 ticks)
{
	fxt_ring_count_loss(p, FXTREC_LOST_NESTED, ticks);
	FXT_WRITE(p->limit, 0);
}

/* Writes what the SCHED ring lost at head, where there is room for it. */
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
		FXT_RELEASE(p->head, p->head + fxt_loss_write(FXT_AREA_AT(area, p->head - p->bias),
							      p->cpu, p->kind, cause, count,
							      start, now));
	}
}

/* Where records must begin before in the sub-buffer that ends at end. */
FXT_INLINE __u64 fxt_sched_limit(__u64 end)
{
	return end - FXT_SUBBUF_SPARE - FXT_SCHED_BYTES_MAX + 1;
}

/* What a record needs that does not simply follow the one before; or drops it. */
FXT_SLOW int fxt_sched_advance(struct fxtrec_area *area, __u64 ticks)
{
	struct fxtrec_producer *p = &area->ring[FXTREC_RING_SCHED];
	__u64 end = fxt_ring_end(p, p->head);
	/* What was lost after ticks, by a writer inside this one, belongs behind the record. */
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
		FXT_RELEASE(p->head, end); /* after used[] */
		/* Before what overwrites an old sub-buffer: pairs with ring_copy.c's fence. */
		FXT_STORES();
		end = fxt_ring_end(p, end);
	}
	FXT_WRITE(p->limit, fxt_sched_limit(end));
	if (unreported)
		fxt_sched_report_loss(area, p, ticks);
	/* What is left, or was lost meanwhile, the next record tells of. */
	if (fxt_ring_has_unreported_loss(p))
		FXT_WRITE(p->limit, 0);
	return 1;
}

/*
 * Whether there is room for one record of up to FXT_SCHED_BYTES_MAX, at *head;
 * between enter and leave.
 */
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
 * The hot path's enter and reserve: whether it is inside, with room at *head.
 * Where not, what is special about the record is left to fxt_sched_reserve().
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

/* The same for any record, with its ticks; one that has no place is counted. */
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

/* Publishes the record at head, and leaves. */
FXT_INLINE void fxt_sched_commit(struct fxtrec_producer *p, __u64 head, __u32 bytes)
{
	p->records++;
	FXT_RELEASE(p->head, head + bytes);
	fxt_sched_unlock(p);
}

/*
 * The INFO and the EVENTS ring: writers nest, and each has its own place.  head
 * follows once none is inside any more.
 */
#define FXT_NESTED_TRIES	4

FXT_INLINE void fxt_nested_commit(struct fxtrec_producer *p)
{
	int i;

	for (i = 0; i < FXT_NESTED_TRIES; i++) {
		/* Read first: a writer that comes later has its place past it. */
		__u64 reserve = FXT_READ(p->reserve);

		FXT_BARRIER();
		if (FXT_READ(p->writers) == 1)
			FXT_RELEASE(p->head, reserve);
		FXT_ADD(&p->writers, -1);
		if (FXT_READ(p->writers) || FXT_READ(p->reserve) == FXT_READ(p->head))
			return;
		FXT_ADD(&p->writers, 1);
	}
	FXT_ADD(&p->writers, -1);
}

/* Claims a place; the caller is counted among the writers. */
FXT_INLINE __u64 fxt_nested_try_reserve(struct fxtrec_producer *p, __u64 tail, __u32 bytes,
				enum fxtrec_loss *cause)
{
	int i;

	for (i = 0; i < FXT_NESTED_TRIES; i++) {
		__u64 position = FXT_READ(p->reserve);
		__u64 end = fxt_ring_end(p, position);
		__u64 start = position;

		if (position + bytes > end - FXT_SUBBUF_SPARE) {
			if (!fxt_ring_free(p, end, tail)) {
				*cause = FXTREC_LOST_FULL;
				return FXT_DROPPED;
			}
			start = end;
		}
		if (FXT_CAS(&p->reserve, position, start + bytes) != position)
			continue;
		/* Before what overwrites an old sub-buffer: pairs with ring_copy.c's fence. */
		FXT_STORES();
		if (start != position)
			p->used[fxt_ring_slot(p, position)] =
				position & ((1ULL << p->subbuf_shift) - 1);
		return fxt_ring_offset(p, start);
	}
	*cause = FXTREC_LOST_NESTED;
	return FXT_DROPPED;
}

/* Writes what the ring lost by a cause, if no other writer does already. */
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
 * Offset of a place of that many bytes, or FXT_DROPPED or FXT_UNOPENED.  A
 * place must be committed before its context ends; a multiple of 8, of at most
 * FXTREC_SUBBUF_MIN - FXT_SUBBUF_SPARE.
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
		/* A writer that is inside still has its place past head. */
		if (tail == FXTREC_OVERWRITE)
			tail = FXT_READ(p->head);
	}
	FXT_ADD(&p->writers, 1);
	start = FXT_READ(p->loss_start);
	/* What a writer lost that began after this one is left to the next. */
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

FXT_INLINE int fxt_events_closed(struct fxtrec_area *area)
{
	return FXT_TAIL(&area->ring[FXTREC_RING_EVENTS], FXTREC_RING_EVENTS) == FXTREC_CLOSED;
}

/*
 * A tracepoint's fields come by perf, which skips a tracepoint that is hit while another
 * one is handled, as the kernel skips eBPF programs that read them; few kernels count it.
 * So a probe that is never skipped counts the hit, and the writer of its record takes it
 * off again, where there is such a probe.  The rest was lost.
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
