/* SPDX-License-Identifier: GPL-2.0-only */
/* Records in this CPU's INFO ring, from any context. */
#ifndef FXT_BPF_INFO_H
#define FXT_BPF_INFO_H

#include "env.h"

struct fxt_info_slot {
	__u64 *w;
	__u64 ticks;
};

/*
 * Reserve and commit records on this CPU, as fxt_nested_reserve() and fxt_nested_commit() do; no program leaves
 * its CPU.  Global functions, so that the verifier checks them once, and not for every length in every program.
 */
__u64 fxt_info_reserve_offset(__u32 bytes, __u64 ticks);
int fxt_info_commit(void);

/* Reserves space for records.  Returns 0 if the records are dropped and counted. */
static __always_inline int fxt_info_reserve(struct fxt_info_slot *s, __u32 bytes)
{
	struct fxtrec_area *area = fxt_area();
	__u64 offset;

	if (!area)
		return 0;
	s->ticks = fxt_clock();
	offset = fxt_info_reserve_offset(bytes, s->ticks);
	if (offset == FXT_DROPPED)
		return 0;
	s->w = FXT_AREA_AT(area, offset);
	return 1;
}

#endif
