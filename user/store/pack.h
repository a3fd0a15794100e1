/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of words in a file without a name, addressed by offset.  Each word takes as many
 * bytes as its value needs, and a 0 takes no bytes: a writer puts differences.
 */
#ifndef FXT_STORE_PACK_H
#define FXT_STORE_PACK_H

#include <string.h>

#include "store/tape.h"

#define FXT_PACK_WORDS		8u	/* words of a record at most */

/* Four bits give the size of each word in bytes; words are read and written as eight bytes, whatever their size. */
#define FXT_PACK_RECORD_MAX	(sizeof(__u32) + (FXT_PACK_WORDS + 1) * sizeof(__u64))

struct fxt_pack {
	struct fxt_tape blocks;		/* each block starts with its base, which is subtracted from the first word
					 * of its records */
	__u64 next;			/* offset of the next record; 0 is never an offset */
	__u64 base;			/* base of the block that is being written */
	__u64 recent;			/* number of the last read block, plus one */
	const char *bytes;		/* bytes of the recent block */
	char tail[FXT_TAPE_BLOCK_BYTES];	/* block that is being written */
};

void fxt_pack_init(struct fxt_pack *pack, struct fxt_spool *spool);
void fxt_pack_uninit(struct fxt_pack *pack);

/*
 * Puts the full tail on the tape, and starts a block with a base close to the first words of
 * its records.  Returns 0 or -errno.
 */
int fxt_pack_turn(struct fxt_pack *pack, __u64 base);

/* Makes a block the recent one.  Returns 0 or -errno. */
int fxt_pack_load(struct fxt_pack *pack, __u64 block);

/*
 * Appends a record, at pack->next.  The first word should grow from record to record,
 * approximately.  Returns 0 or -errno.
 */
static inline int fxt_pack_put(struct fxt_pack *p, const __u64 *words, unsigned int count)
{
	char *head = p->tail + p->next % FXT_TAPE_BLOCK_BYTES, *at = head + sizeof(__u32);
	__u32 sizes = 0;
	unsigned int i;

#pragma GCC unroll 8
	for (i = 0; i < count; i++) {
		__u64 word = i ? words[i] : words[i] - p->base;
		unsigned int bytes = (71 - __builtin_clzll(word | 1)) / 8 - !word;

		memcpy(at, &word, sizeof(word));
		at += bytes;
		sizes |= bytes << 4 * i;
	}
	memcpy(head, &sizes, sizeof(sizes));
	p->next += at - head;
	return at > p->tail + FXT_TAPE_BLOCK_BYTES - FXT_PACK_RECORD_MAX ? fxt_pack_turn(p, words[0]) : 0;
}

/*
 * Reads the first count words of the record at an offset; words that the record doesn't have
 * are 0.  Returns 0 or -errno.
 */
static inline int fxt_pack_get(struct fxt_pack *p, __u64 place, __u64 *words, unsigned int count)
{
	static const __u64 masks[] = {
		0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff, ~0ULL,
	};
	__u64 block = place / FXT_TAPE_BLOCK_BYTES + 1, base;
	const char *at;
	unsigned int i;
	__u32 sizes;
	int err = block == p->recent ? 0 : fxt_pack_load(p, block - 1);

	if (err)
		return err;
	memcpy(&base, p->bytes, sizeof(base));
	at = p->bytes + place % FXT_TAPE_BLOCK_BYTES;
	memcpy(&sizes, at, sizeof(sizes));
	at += sizeof(sizes);
#pragma GCC unroll 8
	for (i = 0; i < count; i++, sizes >>= 4) {
		memcpy(&words[i], at, sizeof(*words));
		words[i] &= masks[sizes & 15];
		at += sizes & 15;
	}
	words[0] += base;
	return 0;
}

#endif
