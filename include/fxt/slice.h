/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Open slices in the EVENTS ring: no end without its begin, and an end for each begin.
 *
 * A consumer closes the innermost open slice of a track with an end event.  So one word
 * for each track, or thread, has the slice that is open in the recording:
 *
 *   - an end is dropped if its begin came before the recording;
 *   - an end is counted as lost if its begin was lost;
 *   - a begin closes the open slice first if that slice's end was lost.
 *
 * This file needs the environment of fxt/event.h.  The caller commits the space after
 * it has written to the returned words.
 */
#ifndef FXT_SLICE_H
#define FXT_SLICE_H

#include "event.h"
#include "events.h"

/* The word of a track.  For a system call, the string index of its name stands for OPEN. */
enum fxt_slice_state {
	FXT_SLICE_NONE = 0,
	FXT_SLICE_OPEN = 1,
	FXT_SLICE_END_LOST = 0x8000,	/* flag of an open slice: its end was lost */
	FXT_SLICE_LOST = 0xffff,	/* the begin was lost */
};

/* Returned in place of words to write to: the record is dropped. */
#define FXT_NO_PLACE	((__u64 *)0)

/*
 * Returns the state after a begin got that offset: slice if it was reserved.  open is the
 * slice that was open before, and that stays open if the begin is dropped.
 */
FXT_INLINE __u16 fxt_slice_open(__u64 offset, __u16 slice, __u16 open)
{
	if (offset < FXT_UNOPENED)
		return slice;
	if (offset == FXT_UNOPENED)
		return FXT_SLICE_NONE;
	return open ? open | FXT_SLICE_END_LOST : FXT_SLICE_LOST;
}

/* Returns the slice that is open in the recording, or FXT_SLICE_NONE. */
FXT_INLINE __u16 fxt_slice_recorded(__u16 slice)
{
	return slice == FXT_SLICE_LOST ? FXT_SLICE_NONE : slice & ~FXT_SLICE_END_LOST;
}

/* Returns whether an end may be written.  Counts a loss if the end's begin was lost after an open slice. */
FXT_INLINE int fxt_slice_may_end(struct fxtrec_area *area, __u16 *slice, __u64 ticks)
{
	__u16 was = *slice;

	/* The end belongs to a later slice, which lost its begin, and not to the open one. */
	if (was & FXT_SLICE_END_LOST)
		fxt_ring_count_loss(&area->ring[FXTREC_RING_EVENTS], FXTREC_LOST_FULL, ticks);
	if (was == FXT_SLICE_LOST)
		*slice = FXT_SLICE_NONE;
	return was != FXT_SLICE_NONE && !(was & FXT_SLICE_END_LOST);
}

/* Sets the state after an end got that offset.  Returns whether the end was reserved. */
FXT_INLINE int fxt_slice_close(__u16 *slice, __u64 offset)
{
	if (offset == FXT_DROPPED)
		*slice |= FXT_SLICE_END_LOST;
	else if (offset != FXT_UNOPENED)
		*slice = FXT_SLICE_NONE;
	return offset < FXT_UNOPENED;
}

/* Reserves a record of that many bytes that opens a slice on a CPU's track.  Returns its words, or FXT_NO_PLACE. */
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

/* Reserves the record that closes the slice.  Returns its words, or FXT_NO_PLACE. */
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
