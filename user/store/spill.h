/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Memory for what an input fills without a bound: the heap's up to a limit; beyond it
 * pages of a file without a name, of which only a window is this process's memory at a
 * time.  Addresses stay valid, whether they are in the window or not.
 */
#ifndef FXT_STORE_SPILL_H
#define FXT_STORE_SPILL_H

#include <stddef.h>

#include "store/temporary.h"

#define FXT_SPILL_BLOCK		((size_t)64 << 10)
#define FXT_SPILL_BLOCKS	128u		/* of the window */
#define FXT_SPILL_RECENT	32u		/* of these, that surely stay in it: the last ones that were touched */
#define FXT_SPILL_CLASSES	48u

struct fxt_spill {
	size_t heap_left;	/* bytes that the heap may still give */
	struct fxt_spool *spool;	/* what the file counts for; NULL: it has no limit */
	char *base;		/* where the file is mapped; NULL: there is none yet */
	size_t reserved;	/* addresses from there on */
	size_t room;		/* bytes of the file */
	size_t used;		/* of these, given out so far */
	void *freed[FXT_SPILL_CLASSES];	/* by log2 of their size; each begins with the next */
	unsigned char *blocks;	/* of each, an enum of spill.c */
	size_t window[FXT_SPILL_BLOCKS];	/* the numbers of those that are in it */
	unsigned int filled;
	unsigned int hand;	/* where the next one that leaves it is searched for */
	size_t recent[FXT_SPILL_RECENT];	/* the last ones that were touched */
	unsigned int touched;	/* the place of the very last */
	int fd;
};

void fxt_spill_init(struct fxt_spill *spill, size_t heap_bytes, struct fxt_spool *spool);

/* All that was not freed is gone, but for what is of the heap. */
void fxt_spill_uninit(struct fxt_spill *spill);

/* Zeros; NULL without memory, or where the file can't grow.  A NULL spill: of the heap. */
void *fxt_spill_alloc(struct fxt_spill *spill, size_t bytes);

/* bytes: as they were asked for.  NULL is none. */
void fxt_spill_free(struct fxt_spill *spill, void *at, size_t bytes);

void fxt_spill_enter(struct fxt_spill *spill, size_t offset);

/*
 * To be called before what is at an address is read or written, where it isn't one of the last
 * FXT_SPILL_RECENT.  An allocation counts for as many as it has blocks.
 */
static inline void fxt_spill_touch(struct fxt_spill *spill, const void *at)
{
	size_t offset;

	if (!spill || !spill->base)
		return;
	offset = (const char *)at - spill->base;
	if (offset < spill->used)
		fxt_spill_enter(spill, offset);
}

/* The same of what may be in two blocks of the window. */
static inline void fxt_spill_touch_both(struct fxt_spill *spill, const void *at, size_t bytes)
{
	fxt_spill_touch(spill, at);
	fxt_spill_touch(spill, (const char *)at + bytes - 1);
}

/* Memory that is freed as a whole; all zero but for spill is empty. */
struct fxt_arena {
	struct fxt_spill *spill;
	struct fxt_arena_chunk *last;
};

/* Zeros, or NULL. */
void *fxt_arena_alloc(struct fxt_arena *arena, size_t bytes);
void fxt_arena_uninit(struct fxt_arena *arena);

#endif
