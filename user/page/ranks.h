/* SPDX-License-Identifier: GPL-2.0-only */
/* A set of numbers, in ascending order, with the rank of each: for keys of threads, which are dense. */
#ifndef FXT_PAGE_RANKS_H
#define FXT_PAGE_RANKS_H

#include <stddef.h>

#include <linux/types.h>

struct fxt_page_ranks {
	__u64 *bits;		/* a bit for each number up to the greatest one */
	__u32 *before;		/* number of bits that are set before each 64 bits */
	size_t words;
	__u32 *numbers;		/* ascending */
	size_t count;
};

/* Initializes an empty set of numbers up to most.  0 or -ENOMEM; to be uninitialized in both cases. */
int fxt_page_ranks_init(struct fxt_page_ranks *ranks, __u32 most);
void fxt_page_ranks_uninit(struct fxt_page_ranks *ranks);

static inline void fxt_page_ranks_add(struct fxt_page_ranks *ranks, __u32 number)
{
	ranks->bits[number / 64] |= 1ULL << number % 64;
}

/* Fills numbers, once all have been added.  0 or -ENOMEM. */
int fxt_page_ranks_settle(struct fxt_page_ranks *ranks);

/* Returns the rank of a number of the set: 0 is the least one's. */
static inline __u32 fxt_page_rank(const struct fxt_page_ranks *ranks, __u32 number)
{
	__u64 less = (1ULL << number % 64) - 1;

	return ranks->before[number / 64] + __builtin_popcountll(ranks->bits[number / 64] & less);
}

#endif
