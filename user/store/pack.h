/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of words in a file without a name, by where they are.  Each word takes as many bytes
 * as its value needs, and none where it is 0: a writer puts differences.
 */
#ifndef FXT_STORE_PACK_H
#define FXT_STORE_PACK_H

#include <string.h>

#include "store/tape.h"

#define FXT_PACK_WORDS		8u	/* of a record */

/* Four bits say the bytes of each word; words are read and written as eight bytes, whatever they have. */
#define FXT_PACK_RECORD_MAX	(sizeof(__u32) + (FXT_PACK_WORDS + 1) * sizeof(__u64))

struct fxt_pack {
	struct fxt_tape blocks;		/* each begins with what the first words of its records are more than */
	__u64 next;			/* where the next record will be; 0 is no place */
	__u64 base;			/* of the block that is written */
	__u64 recent;			/* the block that was read last, and one */
	const char *bytes;		/* of that one */
	char tail[FXT_TAPE_BLOCK_BYTES];	/* the block that is written */
};

void fxt_pack_init(struct fxt_pack *pack, struct fxt_spool *spool);
void fxt_pack_uninit(struct fxt_pack *pack);

/* The tail is full: another block, with a first word near to that of its records.  0 or -errno. */
int fxt_pack_turn(struct fxt_pack *pack, __u64 base);

/* A block becomes the recent one.  0 or -errno. */
int fxt_pack_load(struct fxt_pack *pack, __u64 block);

/* Appends a record, at pack->next.  Its first word grows from record to record, more or less.  0 or -errno. */
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

/* The first words of a record; those that it was put without are 0.  0 or -errno. */
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
