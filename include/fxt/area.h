/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/* The geometry of a CPU's area: the places of its rings, and of a position in its ring. */
#ifndef FXT_AREA_H
#define FXT_AREA_H

#include "../uapi/fxtrec.h"
#include "sched.h"

/* Bytes at the end of a sub-buffer that stay unused: see struct fxtrec_producer. */
#define FXT_SUBBUF_SPARE	8u

/* Returns a ring's share of a CPU's sub-buffers: INFO gets a quarter; EVENTS half of the rest, if there are events. */
FXT_INLINE __u32 fxt_area_subbufs(__u32 subbufs, __u32 kind, __u32 events)
{
	__u32 info = subbufs / 4;

	if (kind == FXTREC_RING_INFO)
		return info;
	if (!events)
		return kind == FXTREC_RING_SCHED ? subbufs - info : 0;
	return (subbufs - info) / 2;
}

/*
 * Lays out the area of a CPU in zeroed memory.  events are FXTREC_EVENTS_*.  A ring's abi is
 * written last, to mark the ring as laid out.
 */
FXT_INLINE void fxt_area_init(struct fxtrec_area *area, __u32 cpu, __u32 data_bytes, __u32 subbufs,
			      __u32 events)
{
	__u32 shift = __builtin_ctz(data_bytes / subbufs);
	__u32 kind, before = 0;

	for (kind = 0; kind < FXTREC_RINGS; kind++) {
		struct fxtrec_producer *p = &area->ring[kind];

		p->size = sizeof(*p);
		p->cpu = cpu;
		p->kind = kind;
		p->subbuf_shift = shift;
		p->subbufs = fxt_area_subbufs(subbufs, kind, events);
		p->data = (__u64)before << shift;
		before += p->subbufs;
		p->bias = 0 - p->data;
		p->switch_header[FXT_LINUX_R] = fxt_sched_switch_header(cpu, FXT_LINUX_R);
		p->switch_header[FXT_LINUX_S] = fxt_sched_switch_header(cpu, FXT_LINUX_S);
		/* limit stays 0: SCHED's first record calls fxt_sched_advance(), which checks tail. */
		/* The block before abi; pairs with the read of abi in bpf/message.bpf.c. */
		__atomic_store_n(&p->abi, FXTREC_ABI, __ATOMIC_RELEASE);
	}
}

FXT_INLINE __u32 fxt_ring_slot(const struct fxtrec_producer *p, __u64 position)
{
	return (position >> p->subbuf_shift) % p->subbufs & (FXTREC_SUBBUFS_MAX - 1);
}

/* Returns the offset of a position in the area's data. */
FXT_INLINE __u64 fxt_ring_offset(const struct fxtrec_producer *p, __u64 position)
{
	__u64 in_subbuf = position & ((1ULL << p->subbuf_shift) - 1);

	return p->data + ((__u64)fxt_ring_slot(p, position) << p->subbuf_shift) + in_subbuf;
}

/* Returns the end position of the sub-buffer that holds a position. */
FXT_INLINE __u64 fxt_ring_end(const struct fxtrec_producer *p, __u64 position)
{
	return (position | ((1ULL << p->subbuf_shift) - 1)) + 1;
}

#endif
