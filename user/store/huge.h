/* SPDX-License-Identifier: GPL-2.0-only */
/* Allocates memory for data that is written once, in huge pages: page faults for small pages would take longer. */
#ifndef FXT_STORE_HUGE_H
#define FXT_STORE_HUGE_H

#include <stdlib.h>
#include <sys/mman.h>

#define FXT_HUGE_BYTES	((size_t)2 << 20)

/*
 * Allocates at least bytes, in huge pages as far as the kernel has them; the caller frees
 * them.  Returns NULL without memory.
 */
static inline void *fxt_huge_alloc(size_t bytes)
{
	size_t room = (bytes + FXT_HUGE_BYTES - 1) & ~(FXT_HUGE_BYTES - 1);
	void *memory = aligned_alloc(FXT_HUGE_BYTES, room);

	if (memory)
		madvise(memory, room, MADV_HUGEPAGE);
	return memory;
}

#endif
