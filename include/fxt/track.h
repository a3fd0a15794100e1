/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Durations that begin and end in the EVENTS ring: no end without its begin, each begin with its end.
 *
 * A consumer closes with an end whatever is open on its track.  So a word for
 * each track, or thread, says what is: an end whose begin the recording lacks is
 * left out, one whose begin was lost counts as lost with it, and a begin that
 * finds the one before open, whose end was lost, ends that first.
 *
 * Besides what fxt/ring.h needs, who includes this defines
 *
 *   FXT_EVENTS_RESERVE(area, bytes, ticks)	fxt_nested_reserve() in the EVENTS ring
 *
 * What returns words to write to has them committed once they are written.
 */
#ifndef FXT_TRACK_H
#define FXT_TRACK_H

#include "events.h"
#include "ring.h"

/* What is open: nothing; what was lost; else something, where a thread's system call has its name's index. */
#define FXT_BEGUN_NOT	0u
#define FXT_BEGUN	1u
#define FXT_BEGUN_LOST	0xffffu

/* In place of words to write to: the record is dropped. */
#define FXT_NO_PLACE	((__u64 *)0)

/* What is open once a place was asked for to begin it. */
FXT_INLINE __u16 fxt_begun(__u64 offset, __u16 begun)
{
	return offset < FXT_UNOPENED ? begun :
	       offset == FXT_DROPPED ? FXT_BEGUN_LOST : FXT_BEGUN_NOT;
}

/* Whether an end is to be written; one whose begin was lost is counted. */
FXT_INLINE int fxt_begun_ends(struct fxtrec_area *area, __u16 *begun, __u64 ticks)
{
	__u16 was = *begun;

	if (was == FXT_BEGUN_LOST) {
		fxt_ring_lose(&area->ring[FXTREC_RING_EVENTS], FXTREC_LOST_FULL, ticks);
		*begun = FXT_BEGUN_NOT;
	}
	return was != FXT_BEGUN_LOST && was != FXT_BEGUN_NOT;
}

/* Where to write a record of that many bytes that begins a duration on a CPU's track, or FXT_NO_PLACE. */
#define FXT_TRACK_REPAIR_BYTES	16u
FXT_INLINE __u64 *fxt_track_begin(struct fxtrec_area *area, enum fxt_track track, __u32 bytes,
				  __u64 ticks)
{
	__u16 *begun = &area->ring[FXTREC_RING_EVENTS].begun[track];
	__u32 repair = *begun == FXT_BEGUN ? FXT_TRACK_REPAIR_BYTES : 0;
	__u64 offset = FXT_EVENTS_RESERVE(area, repair + bytes, ticks), *w;

	/* What is open still is ended by the next end, then. */
	if (offset == FXT_DROPPED && repair)
		return FXT_NO_PLACE;
	*begun = fxt_begun(offset, FXT_BEGUN);
	if (offset >= FXT_UNOPENED)
		return FXT_NO_PLACE;
	w = FXT_AREA_AT(area, offset);
	if (!repair)
		return w;
	w[0] = fxt_event(FXT_EVENT_DURATION_END, 2, 0, FXT_THREAD_TRACK(track), FXT_REF_EMPTY,
			 FXT_REF_EMPTY);
	w[1] = ticks;
	return w + 2;
}

/* The same for the record that ends it. */
FXT_INLINE __u64 *fxt_track_end(struct fxtrec_area *area, enum fxt_track track, __u32 bytes,
				__u64 ticks)
{
	__u16 *begun = &area->ring[FXTREC_RING_EVENTS].begun[track];
	__u64 offset;

	if (!fxt_begun_ends(area, begun, ticks))
		return FXT_NO_PLACE;
	offset = FXT_EVENTS_RESERVE(area, bytes, ticks);
	if (offset >= FXT_UNOPENED)
		return FXT_NO_PLACE;
	*begun = FXT_BEGUN_NOT;
	return FXT_AREA_AT(area, offset);
}

#endif
