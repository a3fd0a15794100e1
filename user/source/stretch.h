/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads a ring as stretches of whole records, each in one sub-buffer. */
#ifndef FXT_SOURCE_STRETCH_H
#define FXT_SOURCE_STRETCH_H

#include <stddef.h>

#include "fxt/area.h"
#include "source/source.h"
#include "util/sink.h"

struct fxt_stretch {
	const void *records;
	size_t bytes;		/* may be 0 */
};

/* Sets the stretch that starts at tail; returns the start of the next stretch.  head is past tail. */
__u64 fxt_stretch_get(struct fxt_stretch *stretch, const struct fxtrec_area *area,
		      unsigned int kind, __u64 tail, __u64 head);

/*
 * Drains a ring up to head into a sink, and releases each stretch to the producer.  Stops at the sink's first error,
 * -errno.
 */
int fxt_stretch_drain(const struct fxt_source_cpu *cpu, unsigned int kind, __u64 head,
		      const struct fxt_sink *to);

/*
 * Returns a producer's position.  The records before it can be read: acquire, which pairs with the producer's
 * FXT_RELEASE().
 */
static inline __u64 fxt_position(const __u64 *position)
{
	return __atomic_load_n(position, __ATOMIC_ACQUIRE);
}

#endif
