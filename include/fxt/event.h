/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Copies a complete record to the EVENTS ring.
 *
 * In addition to the needs of fxt/ring.h, the includer defines
 *
 *   FXT_EVENTS_RESERVE(area, bytes, ticks)	fxt_nested_reserve() in the EVENTS ring
 *   FXT_COPY(to, from, bytes)			memcpy() to the reserved space
 *
 * Functions of this kind return whether space was reserved, which the caller commits.
 */
#ifndef FXT_EVENT_H
#define FXT_EVENT_H

#include "ring.h"

FXT_INLINE int fxt_event_put(struct fxtrec_area *area, const __u64 *record, __u32 bytes, __u64 ticks)
{
	__u64 offset = FXT_EVENTS_RESERVE(area, bytes, ticks);

	if (offset >= FXT_UNOPENED)
		return 0;
	FXT_COPY(FXT_AREA_AT(area, offset), record, bytes);
	return 1;
}

#endif
