/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* A map from 64-bit numbers, which a file may choose, to objects of the heap. */
#ifndef FXT_STORE_MAP_H
#define FXT_STORE_MAP_H

#include <stddef.h>

#include <linux/types.h>

#include "store/spill.h"

/*
 * All zero is an empty map of the heap's memory.  With a spill, the map owns its
 * values' memory: all of it goes with the map.
 */
struct fxt_map {
	struct fxt_map_slot {
		__u64 key;
		void *value;	/* NULL: the slot is free */
	} *slots;
	size_t count;
	unsigned int bits;	/* log2 of the number of slots */
	__u64 secret;		/* of its hashes */
	struct fxt_arena memory;
};

/* The value of a key, or NULL. */
void *fxt_map_get(const struct fxt_map *map, __u64 key);

/* Gives a key that has none a value, which isn't NULL; -ENOMEM. */
int fxt_map_put(struct fxt_map *map, __u64 key, void *value);

/* A new object of zeros, of that size, for a key that has no value; NULL without memory. */
void *fxt_map_new(struct fxt_map *map, __u64 key, size_t size);

/*
 * Objects that begin with their name, of so many bytes, in a map of these alone; those with names of one hash have the
 * keys behind it, and none is taken out.  The object of a name, or NULL.
 */
void *fxt_map_named(const struct fxt_map *map, const void *name, size_t bytes);

/* A new object, of that size, of zeros behind its name, which has none; NULL without memory. */
void *fxt_map_new_named(struct fxt_map *map, const void *name, size_t bytes, size_t size);

/* Takes a key out; the value that it had, or NULL. */
void *fxt_map_remove(struct fxt_map *map, __u64 key);

/*
 * The next value, in no order; NULL: there are no more.  *at is 0 before the first,
 * and holds until the map changes.
 */
void *fxt_map_next(const struct fxt_map *map, size_t *at);

/* A heap array of its slots that aren't free, by ascending key; NULL where it is empty, or no memory is left. */
struct fxt_map_slot *fxt_map_sorted(const struct fxt_map *map);

/*
 * Frees the map, and every value by the function given, unless the map owns their
 * memory; NULL: the values are not the map's.
 */
void fxt_map_uninit(struct fxt_map *map, void (*value_free)(void *value));

#endif
