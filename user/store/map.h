/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* A map from 64-bit numbers, which a file may choose, to objects of the heap. */
#ifndef FXT_STORE_MAP_H
#define FXT_STORE_MAP_H

#include <stddef.h>

#include <linux/types.h>

#include "store/spill.h"

/*
 * A zeroed map is an empty map in the heap's memory.  With a spill, the map owns the memory
 * of its values, and frees it as a whole.
 */
struct fxt_map {
	struct fxt_map_slot {
		__u64 key;
		void *value;	/* NULL: the slot is free */
	} *slots;
	size_t count;
	unsigned int bits;	/* log2 of the number of slots */
	__u64 secret;		/* key of the hashes */
	struct fxt_arena memory;
};

/* Returns the value of a key, or NULL. */
void *fxt_map_get(const struct fxt_map *map, __u64 key);

/* Sets the value (not NULL) of a key that has none.  Returns 0 or -ENOMEM. */
int fxt_map_put(struct fxt_map *map, __u64 key, void *value);

/* Adds a zeroed object of size bytes for a key that has no value.  Returns NULL without memory. */
void *fxt_map_new(struct fxt_map *map, __u64 key, size_t size);

/*
 * Returns the object of a name, or NULL.  Such a map holds only objects that start with their name,
 * which has bytes bytes.  Names with the same hash get the next keys, so no object may be removed.
 */
void *fxt_map_named(const struct fxt_map *map, const void *name, size_t bytes);

/* Adds an object of size bytes, zeroed after its name, for a name that has none.  Returns NULL without memory. */
void *fxt_map_new_named(struct fxt_map *map, const void *name, size_t bytes, size_t size);

/* Removes a key.  Returns its former value, or NULL. */
void *fxt_map_remove(struct fxt_map *map, __u64 key);

/*
 * Returns the next value, in no particular order, or NULL after the last value.  *at is 0
 * for the first call, and valid until the map changes.
 */
void *fxt_map_next(const struct fxt_map *map, size_t *at);

/* Returns a heap array of the map's used slots, sorted by ascending key; NULL if the map is empty or without memory. */
struct fxt_map_slot *fxt_map_sorted(const struct fxt_map *map);

/*
 * Frees the map, and each value by value_free unless the map owns the values' memory.  NULL:
 * the values belong to the caller.
 */
void fxt_map_uninit(struct fxt_map *map, void (*value_free)(void *value));

#endif
