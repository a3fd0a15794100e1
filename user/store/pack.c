// SPDX-License-Identifier: GPL-2.0-only
/* Records of words in a file without a name: the handling of blocks. */
#include "store/pack.h"

void fxt_pack_init(struct fxt_pack *p, struct fxt_spool *spool)
{
	fxt_tape_init(&p->blocks, FXT_TAPE_BLOCK_BYTES, spool);
	memset(p->tail, 0, sizeof(p->base));
	p->next = sizeof(p->base);
	p->base = p->recent = 0;
}

void fxt_pack_uninit(struct fxt_pack *p)
{
	fxt_tape_uninit(&p->blocks);
}

int fxt_pack_turn(struct fxt_pack *p, __u64 base)
{
	int err = fxt_tape_put(&p->blocks, p->tail);

	p->base = base;
	p->recent = 0;
	p->next = p->blocks.count * FXT_TAPE_BLOCK_BYTES + sizeof(base);
	memcpy(p->tail, &base, sizeof(base));
	return err;
}

int fxt_pack_load(struct fxt_pack *p, __u64 block)
{
	int err = 0;

	p->bytes = block == p->blocks.count ? p->tail : fxt_tape_at(&p->blocks, block, &err);
	p->recent = err ? 0 : block + 1;
	return err;
}
