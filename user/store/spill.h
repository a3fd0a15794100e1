/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Allocates memory for tables that grow with the input: from the heap up to a limit, and beyond the limit from a mapped
 * file without a name.  The kernel evicts the pages of the file where memory is short.
 */
#ifndef FXT_STORE_SPILL_H
#define FXT_STORE_SPILL_H

#include <stddef.h>

#include "store/temporary.h"

#define FXT_SPILL_CLASSES	48u

struct fxt_spill {
	size_t heap_left;	/* bytes that the heap may still give */
	struct fxt_spool *spool;	/* spool that limits the file's size; NULL: no limit */
	char *base;		/* address of the file's mapping; NULL: no file yet */
	size_t reserved;	/* bytes of address space, from base */
	size_t room;		/* bytes of the file */
	size_t used;		/* bytes of the file that are allocated */
	void *freed[FXT_SPILL_CLASSES];	/* freed allocations by log2 of their size; each starts with a pointer to the
					 * next */
	int fd;
};

void fxt_spill_init(struct fxt_spill *spill, size_t heap_bytes, struct fxt_spool *spool);

/* Frees the file with all allocations from it; allocations from the heap stay. */
void fxt_spill_uninit(struct fxt_spill *spill);

/*
 * Returns zeroed memory; NULL without memory, or where the file can't grow.  With a NULL
 * spill, the memory is the heap's.
 */
void *fxt_spill_alloc(struct fxt_spill *spill, size_t bytes);

/* Frees an allocation of bytes, as given at its allocation; does nothing for NULL. */
void fxt_spill_free(struct fxt_spill *spill, void *at, size_t bytes);

/* Memory that is freed as a whole.  An arena that is zeroed but for spill is empty. */
struct fxt_arena {
	struct fxt_spill *spill;
	struct fxt_arena_chunk *last;
};

/* Returns zeroed memory, or NULL. */
void *fxt_arena_alloc(struct fxt_arena *arena, size_t bytes);

/*
 * Returns memory with a copy of the first "used" bytes, which may be none, and zeros up to "bytes"; or NULL.  An array that
 * grows so has twice the memory of its last copy: the arena frees the older ones with all its memory.
 */
void *fxt_arena_copy(struct fxt_arena *arena, const void *from, size_t used, size_t bytes);
void fxt_arena_uninit(struct fxt_arena *arena);

#endif
