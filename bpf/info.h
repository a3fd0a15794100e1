/* SPDX-License-Identifier: GPL-2.0-only */
/* A place in this CPU's INFO ring, from any context. */
#ifndef FXT_BPF_INFO_H
#define FXT_BPF_INFO_H

#include "env.h"

struct fxt_info_slot {
	struct fxtrec_area *area;
	__u64 *w;
	__u64 ticks;
};

/* 0 where the records are dropped, and counted. */
static __always_inline int fxt_info_open(struct fxt_info_slot *s, __u32 bytes)
{
	__u64 offset;

	s->area = fxt_area();
	if (!s->area)
		return 0;
	s->ticks = fxt_clock();
	offset = fxt_info_reserve(s->area, bytes, s->ticks);
	if (offset == FXT_DROPPED)
		return 0;
	s->w = FXT_AREA_AT(s->area, offset);
	return 1;
}

static __always_inline void fxt_info_close(struct fxt_info_slot *s)
{
	fxt_info_commit(&s->area->ring[FXTREC_RING_INFO]);
}

#endif
