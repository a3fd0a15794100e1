/* SPDX-License-Identifier: GPL-2.0-only */
/* Keys of a run, by which it is sorted. */
#ifndef FXT_CONVERT_SORT_KEYS_H
#define FXT_CONVERT_SORT_KEYS_H

#include <stddef.h>

#include <linux/types.h>

struct fxt_key {
	__u64 ns;
	size_t at;		/* offset of its entry, in words */
};

/* Sorts by ns; equal ones stay in their order.  0 or -ENOMEM. */
int fxt_keys_sort(struct fxt_key *keys, size_t count);

#endif
