/* SPDX-License-Identifier: GPL-2.0-only */
/* Hashes: FNV-1a over bytes or words, and multiplication by the golden ratio. */
#ifndef FXT_STORE_HASH_H
#define FXT_STORE_HASH_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#define FXT_HASH_START	0xcbf29ce484222325ULL	/* FNV-1a's, of 64 bits */
#define FXT_GOLDEN	0x9e3779b97f4a7c15ULL	/* 2^64 divided by the golden ratio; odd */

/* A hash with one more byte or word of input; the upper bits of words reach only upper bits. */
static inline __u64 fxt_hash_step(__u64 hash, __u64 input)
{
	return (hash ^ input) * 0x100000001b3ULL;
}

/* Whether a table of so many slots, as bits, is at most three quarters full with so many entries. */
static inline bool fxt_hash_has_room(unsigned int bits, size_t count)
{
	return 4 * count <= 3ULL << bits;
}

static inline __u64 fxt_hash_bytes(__u64 hash, const void *bytes, size_t count)
{
	const __u8 *at = bytes, *end = at + count;

	while (at < end)
		hash = fxt_hash_step(hash, *at++);
	return hash;
}

#endif
