/* SPDX-License-Identifier: GPL-2.0-only */
/* A ring as stretches of whole records, each in one sub-buffer. */
#ifndef FXT_STRETCH_H
#define FXT_STRETCH_H

#include "fxt/area.h"
#include "source.h"

struct fxt_stretch {
	const void *records;
	size_t bytes;		/* may be 0 */
};

/* Sets the stretch that begins at tail; returns where the next one does.  head is past tail. */
static inline __u64 fxt_stretch_get(struct fxt_stretch *stretch, const struct fxtrec_area *area,
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

/* A producer's position; what lies before it can be read. */
static inline __u64 fxt_position(const __u64 *position)
{
	return __atomic_load_n(position, __ATOMIC_ACQUIRE);
}

#endif
