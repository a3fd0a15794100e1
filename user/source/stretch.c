// SPDX-License-Identifier: GPL-2.0-only
/* Reads a ring as stretches of whole records, each in one sub-buffer. */
#include "source/stretch.h"

__u64 fxt_stretch_get(struct fxt_stretch *stretch, const struct fxtrec_area *area,
		      unsigned int kind, __u64 tail, __u64 head)
{
	const struct fxtrec_producer *p = &area->ring[kind];
	__u64 start = tail & ~((1ULL << p->subbuf_shift) - 1), end = head;
	int finished = tail >> p->subbuf_shift != head >> p->subbuf_shift;

	if (finished)
		end = start + p->used[fxt_ring_slot(p, tail)];
	stretch->records = area->data + fxt_ring_offset(p, tail);
	stretch->bytes = end > tail ? end - tail : 0;
	return finished ? fxt_ring_end(p, tail) : head;
}

int fxt_stretch_drain(const struct fxt_source_cpu *cpu, unsigned int kind, __u64 head,
		      const struct fxt_sink *to)
{
	__u64 *released = &cpu->consumer->ring[kind].tail, tail = *released;

	while (tail != head) {
		struct fxt_stretch stretch;
		__u64 next = fxt_stretch_get(&stretch, cpu->area, kind, tail, head);
		int err = stretch.bytes ? fxt_sink_put(to, stretch.records, stretch.bytes) : 0;

		if (err)
			return err;
		tail = next;
		/*
		 * Release: orders the reads of the stretch before the store; pairs with the producer's acquire,
		 * FXT_TAIL().
		 */
		__atomic_store_n(released, tail, __ATOMIC_RELEASE);
	}
	return 0;
}
