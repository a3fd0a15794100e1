/* SPDX-License-Identifier: GPL-2.0-only */
/* Hashes by FNV-1a over bytes or words, and the golden ratio for multiplicative hashes. */
#ifndef FXT_STORE_HASH_H
#define FXT_STORE_HASH_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#define FXT_HASH_START	0xcbf29ce484222325ULL	/* offset basis of the 64-bit FNV-1a */
#define FXT_GOLDEN	0x9e3779b97f4a7c15ULL	/* 2^64 divided by the golden ratio; odd */

/* Returns the hash extended by a byte or a word of input; the upper bits of words reach only upper bits of the hash. */
static inline __u64 fxt_hash_step(__u64 hash, __u64 input)
{
	return (hash ^ input) * 0x100000001b3ULL;
}

/* Returns whether a table of 2^bits slots is at most three quarters full with count entries. */
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
