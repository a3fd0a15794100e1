/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/* Records that report a loss of records. */
#ifndef FXT_LOSS_H
#define FXT_LOSS_H

#include "../uapi/fxtrec.h"
#include "linux.h"

/* Bytes of the reports of losses by all causes. */
#define FXT_LOSS_BYTES_MAX	(FXTREC_LOSSES * 56u)

/*
 * Writes a report that count records were lost between start and now: a duration on the
 * track with that index of the thread table.  Returns the bytes.
 */
FXT_INLINE __u32 fxt_loss_event(__u64 *w, __u32 thread, enum fxtrec_loss cause, __u64 count,
				__u64 start, __u64 now)
{
	int wide = count >> 32 != 0;

	w[0] = fxt_event(FXT_EVENT_DURATION_COMPLETE, 5 + wide, 2, thread, FXT_STR_FXTREC,
			 FXT_STR_LOST);
	w[1] = start;
	w[2] = fxt_arg_string(FXT_STR_CAUSE, FXT_STR_CAUSE_FULL + cause);
	if (wide) {
		w[3] = fxt_arg_uint64(FXT_STR_RECORDS);
		w[4] = count;
		w[5] = now;
		return 48;
	}
	w[3] = fxt_arg_uint32(FXT_STR_RECORDS, count);
	w[4] = now;
	return 40;
}

/*
 * Writes the report of a loss in a ring: the format's provider event, then the duration on
 * the ring's track.  Returns the bytes.
 */
FXT_INLINE __u32 fxt_loss_write(__u64 *w, __u32 cpu, __u32 kind, enum fxtrec_loss cause,
				__u64 count, __u64 start, __u64 now)
{
	w[0] = fxt_provider_buffer_full(FXT_PROVIDER_CPU(cpu));
	return 8 + fxt_loss_event(w + 1, FXT_THREAD_LOSSES + kind, cause, count, start, now);
}

#endif
