// SPDX-License-Identifier: GPL-2.0-only
/* Sets up and frees the parts that a reader and a writer share. */
#include "convert/format.h"

/* Heap memory of all tables that an input fills: while they grow, half as much again stays unused. */
#define SPILL_BYTES	((size_t)20 << 20)

int fxt_conversion_init(struct fxt_conversion *c, size_t memory)
{
	c->spool.max = ~0ULL;
	fxt_spill_init(&c->spill, SPILL_BYTES, &c->spool);
	fxt_chain_init(&c->chain, &c->spill);
	return fxt_reading_init(&c->reading, memory, &c->spill);
}

void fxt_conversion_uninit(struct fxt_conversion *c)
{
	fxt_chain_uninit(&c->chain);
	fxt_reading_uninit(&c->reading);
	fxt_spill_uninit(&c->spill);
}
