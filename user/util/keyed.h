/* SPDX-License-Identifier: GPL-2.0-only */
/* Hashes for tables that an input fills: keyed by this process, so that no input can foresee them. */
#ifndef FXT_UTIL_KEYED_H
#define FXT_UTIL_KEYED_H

#include <stddef.h>

#include <linux/types.h>

/*
 * Of bytes.  Who writes an input sees no hash, and knows no secret: of two texts that it
 * chooses, the folded products are the same as rarely as of any others.
 */
__u64 fxt_keyed_bytes(const void *bytes, size_t count);

/* A secret number, another one each time. */
__u64 fxt_keyed_secret(void);

/* Of a number, by a secret; its upper bits are the table's. */
static inline __u64 fxt_keyed_number(__u64 secret, __u64 number)
{
	unsigned __int128 product = (unsigned __int128)(number ^ secret) * (secret | 1);

	return (__u64)(product >> 64) ^ (__u64)product;
}

#endif
