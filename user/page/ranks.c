// SPDX-License-Identifier: GPL-2.0-only
/* A set of numbers, in ascending order, with the rank of each. */
#include <errno.h>
#include <stdlib.h>

#include "page/ranks.h"

int fxt_page_ranks_init(struct fxt_page_ranks *r, __u32 most)
{
	*r = (struct fxt_page_ranks){ .words = most / 64 + 1 };
	r->bits = calloc(r->words, sizeof(*r->bits));
	r->before = calloc(r->words, sizeof(*r->before));
	return r->bits && r->before ? 0 : -ENOMEM;
}

void fxt_page_ranks_uninit(struct fxt_page_ranks *r)
{
	free(r->bits);
	free(r->before);
	free(r->numbers);
	*r = (struct fxt_page_ranks){ 0 };
}

int fxt_page_ranks_settle(struct fxt_page_ranks *r)
{
	size_t i, next = 0;
	__u64 bits;

	for (i = 0; i < r->words; i++) {
		r->before[i] = r->count;
		r->count += __builtin_popcountll(r->bits[i]);
	}
	r->numbers = malloc((r->count + 1) * sizeof(*r->numbers));
	if (!r->numbers)
		return -ENOMEM;
	for (i = 0; i < r->words; i++)
		for (bits = r->bits[i]; bits; bits &= bits - 1)
			r->numbers[next++] = 64 * i + __builtin_ctzll(bits);
	return 0;
}
