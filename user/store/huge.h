/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory that is filled once: a fault for each of its small pages would take longer than that. */
#ifndef FXT_STORE_HUGE_H
#define FXT_STORE_HUGE_H

#include <stdlib.h>
#include <sys/mman.h>

#define FXT_HUGE_BYTES	((size_t)2 << 20)

/* So many bytes or some more, in huge pages as far as the kernel has them, to be freed; NULL without memory. */
static inline void *fxt_huge_alloc(size_t bytes)
{
	size_t room = (bytes + FXT_HUGE_BYTES - 1) & ~(FXT_HUGE_BYTES - 1);
	void *memory = aligned_alloc(FXT_HUGE_BYTES, room);

	if (memory)
		madvise(memory, room, MADV_HUGEPAGE);
	return memory;
}

#endif
