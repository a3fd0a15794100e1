/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Durations that begin and end in the EVENTS ring: no end without its begin, each begin with its end.
 *
 * A consumer closes with an end whatever is open on its track.  So a word for
 * each track, or thread, says what is: an end whose begin the recording lacks is
 * left out, one whose begin was lost counts as lost with it, and a begin that
 * finds the one before open, whose end was lost, ends that first.  Until then no
 * other's end is taken for that one's.
 *
 * Besides what fxt/ring.h needs, who includes this defines
 *
 *   FXT_EVENTS_RESERVE(area, bytes, ticks)	fxt_nested_reserve() in the EVENTS ring
 *
 * What returns words to write to has them committed once they are written.
 */
#ifndef FXT_SLICE_H
#define FXT_SLICE_H

#include "events.h"
#include "ring.h"

/* What is open: nothing; what was lost; else something, where a thread's system call has its name's index. */
#define FXT_SLICE_NONE	0u
#define FXT_SLICE_OPEN	1u
#define FXT_SLICE_LOST	0xffffu
/* Set beside what is open: its end was lost. */
#define FXT_SLICE_END_LOST	0x8000u

/* In place of words to write to: the record is dropped. */
#define FXT_NO_PLACE	((__u64 *)0)

/* What is open once a place was asked for to begin it; open was before, and its end is missing. */
FXT_INLINE __u16 fxt_slice_open(__u64 offset, __u16 slice, __u16 open)
{
	if (offset < FXT_UNOPENED)
		return slice;
	if (offset == FXT_UNOPENED)
		return FXT_SLICE_NONE;
	return open ? open | FXT_SLICE_END_LOST : FXT_SLICE_LOST;
}

/* What is open in the recording, if anything is. */
FXT_INLINE __u16 fxt_slice_recorded(__u16 slice)
{
	return slice == FXT_SLICE_LOST ? FXT_SLICE_NONE : slice & ~FXT_SLICE_END_LOST;
}

/* Whether an end is to be written; one whose begin was lost is counted. */
FXT_INLINE int fxt_slice_may_end(struct fxtrec_area *area, __u16 *slice, __u64 ticks)
{
	__u16 was = *slice;

	/* With the flag it is another's than what is open. */
	if (was & FXT_SLICE_END_LOST)
		fxt_ring_count_loss(&area->ring[FXTREC_RING_EVENTS], FXTREC_LOST_FULL, ticks);
	if (was == FXT_SLICE_LOST)
		*slice = FXT_SLICE_NONE;
	return was != FXT_SLICE_NONE && !(was & FXT_SLICE_END_LOST);
}

/* Whether the end has a place. */
FXT_INLINE int fxt_slice_close(__u16 *slice, __u64 offset)
{
	if (offset == FXT_DROPPED)
		*slice |= FXT_SLICE_END_LOST;
	else if (offset != FXT_UNOPENED)
		*slice = FXT_SLICE_NONE;
	return offset < FXT_UNOPENED;
}

/* Where to write a record of that many bytes that begins a duration on a CPU's track, or FXT_NO_PLACE. */
#define FXT_TRACK_REPAIR_BYTES	16u
FXT_INLINE __u64 *fxt_track_begin(struct fxtrec_area *area, enum fxt_track track, __u32 bytes,
				  __u64 ticks)
{
	__u16 *slice = &area->ring[FXTREC_RING_EVENTS].open_slices[track];
	__u16 open = fxt_slice_recorded(*slice);
	__u32 repair = open ? FXT_TRACK_REPAIR_BYTES : 0;
	__u64 offset = FXT_EVENTS_RESERVE(area, repair + bytes, ticks), *w;

	*slice = fxt_slice_open(offset, FXT_SLICE_OPEN, open);
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
	__u16 *slice = &area->ring[FXTREC_RING_EVENTS].open_slices[track];
	__u64 offset;

	if (!fxt_slice_may_end(area, slice, ticks))
		return FXT_NO_PLACE;
	offset = FXT_EVENTS_RESERVE(area, bytes, ticks);
	return fxt_slice_close(slice, offset) ? FXT_AREA_AT(area, offset) : FXT_NO_PLACE;
}

#endif
