/* SPDX-License-Identifier: GPL-2.0-only */
/* Keys that records are sorted by. */
#ifndef FXT_STREAM_KEYS_H
#define FXT_STREAM_KEYS_H

#include <errno.h>
#include <stddef.h>

#include <linux/types.h>

struct fxt_key {
	__u64 ns;
	__u64 at;		/* position of its record, in its owner's units */
};

/* All zero is empty. */
struct fxt_keys {
	struct fxt_key *key;
	size_t count, room;
	struct fxt_key *spare;	/* memory for sorting */
	size_t spare_room;
};

void fxt_keys_uninit(struct fxt_keys *keys);

/* Makes capacity for more keys.  0 or -ENOMEM. */
int fxt_keys_grow(struct fxt_keys *keys);

/* Adds a key: 0 or -ENOMEM. */
static inline int fxt_keys_put(struct fxt_keys *keys, __u64 ns, __u64 at)
{
	if (keys->count == keys->room && fxt_keys_grow(keys))
		return -ENOMEM;
	keys->key[keys->count++] = (struct fxt_key){ ns, at };
	return 0;
}

/* Removes the first keys. */
void fxt_keys_drop(struct fxt_keys *keys, size_t count);

/* Sorts by ns; equal keys stay in their order.  0 or -ENOMEM. */
int fxt_keys_sort(struct fxt_keys *keys);

#endif
