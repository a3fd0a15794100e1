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
	struct fxt_spool *spool;	/* what the file counts for; NULL: it has no limit */
	char *base;		/* where the file is mapped; NULL: there is none yet */
	size_t reserved;	/* addresses from there on */
	size_t room;		/* bytes of the file */
	size_t used;		/* of these, given out so far */
	void *freed[FXT_SPILL_CLASSES];	/* by log2 of their size; each begins with the next */
	int fd;
};

void fxt_spill_init(struct fxt_spill *spill, size_t heap_bytes, struct fxt_spool *spool);

/* All that was not freed is gone, but for what is of the heap. */
void fxt_spill_uninit(struct fxt_spill *spill);

/* Zeros; NULL without memory, or where the file can't grow.  A NULL spill: of the heap. */
void *fxt_spill_alloc(struct fxt_spill *spill, size_t bytes);

/* bytes: as they were asked for.  NULL is none. */
void fxt_spill_free(struct fxt_spill *spill, void *at, size_t bytes);

/* Memory that is freed as a whole; all zero but for spill is empty. */
struct fxt_arena {
	struct fxt_spill *spill;
	struct fxt_arena_chunk *last;
};

/* Zeros, or NULL. */
void *fxt_arena_alloc(struct fxt_arena *arena, size_t bytes);
void fxt_arena_uninit(struct fxt_arena *arena);

#endif
