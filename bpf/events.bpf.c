// SPDX-License-Identifier: GPL-2.0-only
/* Reserve and commit of the EVENTS ring, shared by all programs. */
#include "event.h"

__noinline __u64 fxt_events_reserve(__u32 bytes, __u64 ticks)
{
	struct fxtrec_area *area = fxt_area();

	return area ? fxt_nested_reserve(area, FXTREC_RING_EVENTS, bytes, ticks) : FXT_UNOPENED;
}

__noinline int fxt_events_commit(void)
{
	struct fxtrec_area *area = fxt_area();

	if (area)
		fxt_nested_commit(&area->ring[FXTREC_RING_EVENTS]);
	return 0;
}
