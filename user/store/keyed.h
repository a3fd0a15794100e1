/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Hashes for tables that an input fills, keyed by this process, so that no input can foresee its collisions. */
#ifndef FXT_STORE_KEYED_H
#define FXT_STORE_KEYED_H

#include <stddef.h>

#include <linux/types.h>

/*
 * Returns the hash of bytes.  The input's writer knows neither the secret nor a hash, so two
 * texts of its choice collide as rarely as any other two.
 */
__u64 fxt_keyed_bytes(const void *bytes, size_t count);

/* Returns a secret number, a different one at each call. */
__u64 fxt_keyed_secret(void);

static inline __u64 fxt_keyed_fold(__u64 a, __u64 b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (__u64)(product >> 64) ^ (__u64)product;
}

/*
 * Returns the hash of a number by a secret; a table uses its upper bits.  A single product
 * would keep equal distances between consecutive numbers, and their slots may then collide.
 */
static inline __u64 fxt_keyed_number(__u64 secret, __u64 number)
{
	return fxt_keyed_fold(fxt_keyed_fold(number ^ secret, secret | 1), 0x9e3779b97f4a7c15ULL);
}

#endif
