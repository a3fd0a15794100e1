/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Hashes for tables that an input fills: keyed by this process, so that no input can foresee them. */
#ifndef FXT_STORE_KEYED_H
#define FXT_STORE_KEYED_H

#include <stddef.h>

#include <linux/types.h>

/*
 * Of bytes.  The writer of an input sees no hash, and knows no secret: of two texts that it
 * chooses, the folded products are the same as rarely as of any others.
 */
__u64 fxt_keyed_bytes(const void *bytes, size_t count);

/* A secret number, another one each time. */
__u64 fxt_keyed_secret(void);

static inline __u64 fxt_keyed_fold(__u64 a, __u64 b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (__u64)(product >> 64) ^ (__u64)product;
}

/*
 * Of a number, by a secret; its upper bits are the table's.  A single product would leave
 * numbers that follow each other at equal distances, which may fall together.
 */
static inline __u64 fxt_keyed_number(__u64 secret, __u64 number)
{
	return fxt_keyed_fold(fxt_keyed_fold(number ^ secret, secret | 1), 0x9e3779b97f4a7c15ULL);
}

#endif
