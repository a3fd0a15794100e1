// SPDX-License-Identifier: GPL-2.0-only
/* Reserve and commit of the INFO ring, shared by all programs. */
#include <linux/types.h>

/* Tries to reserve once: a global function, so that the verifier visits it once, and not for each try. */
__u64 fxt_info_try(__u64 tail, __u32 bytes);
#define FXT_NESTED_TRY(p, tail, bytes)	fxt_info_try(tail, bytes)

#include "info.h"

__noinline __u64 fxt_info_try(__u64 tail, __u32 bytes)
{
	struct fxtrec_area *area = fxt_area();

	return area ? fxt_nested_try_once(&area->ring[FXTREC_RING_INFO], tail, bytes) : FXT_DROPPED;
}

__noinline __u64 fxt_info_reserve_offset(__u32 bytes, __u64 ticks)
{
	struct fxtrec_area *area = fxt_area();

	return area ? fxt_nested_reserve(area, FXTREC_RING_INFO, bytes, ticks) : FXT_DROPPED;
}

__noinline int fxt_info_commit(void)
{
	struct fxtrec_area *area = fxt_area();

	if (area)
		fxt_nested_commit(&area->ring[FXTREC_RING_INFO]);
	return 0;
}
