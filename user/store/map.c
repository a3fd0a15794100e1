// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* A map from 64-bit numbers, which a file may choose, to objects of the heap. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "store/keyed.h"
#include "store/map.h"

#define BITS_MIN	6

/*
 * Keys that differ only in these bits get neighbouring slots: ids are assigned
 * consecutively, and consecutive ids are looked up together.
 */
#define GROUP_BITS	2u
#define GROUP_MASK	(((size_t)1 << GROUP_BITS) - 1)

/*
 * Returns the first slot to try, from the upper bits of the hash: a growing map keeps the
 * order of its slots, so one pass copies them.
 */
static size_t slot_first(const struct fxt_map *map, __u64 key)
{
	size_t group = fxt_keyed_number(map->secret, key >> GROUP_BITS) >> (64 - map->bits);

	return (group & ~GROUP_MASK) | (key & GROUP_MASK);
}

/* Returns the slot of a key, or the free slot that the key would get.  The map always has a free slot. */
static struct fxt_map_slot *slot_find(const struct fxt_map *map, __u64 key)
{
	size_t mask = ((size_t)1 << map->bits) - 1;
	size_t i = slot_first(map, key);

	while (map->slots[i].value && map->slots[i].key != key)
		i = (i + 1) & mask;
	return &map->slots[i];
}

static size_t slots_bytes(const struct fxt_map *map)
{
	return sizeof(*map->slots) << map->bits;
}

static int map_grow(struct fxt_map *map)
{
	struct fxt_spill *spill = map->memory.spill;
	struct fxt_map grown = *map;
	size_t i;

	grown.bits = map->slots ? map->bits + 1 : BITS_MIN;
	grown.secret = map->slots ? map->secret : fxt_keyed_secret();
	grown.slots = fxt_spill_alloc(spill, slots_bytes(&grown));
	if (!grown.slots)
		return -ENOMEM;
	for (i = 0; map->slots && i < (size_t)1 << map->bits; i++) {
		struct fxt_map_slot slot;

		slot = map->slots[i];
		if (slot.value)
			*slot_find(&grown, slot.key) = slot;
	}
	if (map->slots)
		fxt_spill_free(spill, map->slots, slots_bytes(map));
	*map = grown;
	return 0;
}

void *fxt_map_get(const struct fxt_map *map, __u64 key)
{
	void *value = map->slots ? slot_find(map, key)->value : NULL;

	return value;
}

int fxt_map_put(struct fxt_map *map, __u64 key, void *value)
{
	if (!map->slots || 2 * map->count >= (size_t)1 << map->bits) {
		int err = map_grow(map);

		if (err)
			return err;
	}
	*slot_find(map, key) = (struct fxt_map_slot){ key, value };
	map->count++;
	return 0;
}

void *fxt_map_new(struct fxt_map *map, __u64 key, size_t size)
{
	void *value = map->memory.spill ? fxt_arena_alloc(&map->memory, size) : calloc(1, size);

	if (value && !fxt_map_put(map, key, value))
		return value;
	if (!map->memory.spill)
		free(value);
	return NULL;
}

void *fxt_map_named(const struct fxt_map *map, const void *name, size_t bytes)
{
	__u64 key = fxt_keyed_bytes(name, bytes);
	void *value;

	while ((value = fxt_map_get(map, key)) && memcmp(value, name, bytes))
		key++;
	return value;
}

void *fxt_map_new_named(struct fxt_map *map, const void *name, size_t bytes, size_t size)
{
	__u64 key = fxt_keyed_bytes(name, bytes);
	void *value;

	while (fxt_map_get(map, key))
		key++;
	value = fxt_map_new(map, key, size);
	return value ? memcpy(value, name, bytes) : NULL;
}

void *fxt_map_remove(struct fxt_map *map, __u64 key)
{
	size_t mask = ((size_t)1 << map->bits) - 1, hole, i;
	void *value = fxt_map_get(map, key);

	if (!value)
		return NULL;
	hole = slot_find(map, key) - map->slots;
	/* Move each value that could no longer be found after the hole into the hole, which leaves another hole. */
	for (i = (hole + 1) & mask;; i = (i + 1) & mask) {
		struct fxt_map_slot slot;
		size_t way;

		slot = map->slots[i];
		if (!slot.value)
			break;
		way = (i - slot_first(map, slot.key)) & mask;
		if (way < ((i - hole) & mask))
			continue;
		map->slots[hole] = slot;
		hole = i;
	}
	map->slots[hole].value = NULL;
	map->count--;
	return value;
}

void *fxt_map_next(const struct fxt_map *map, size_t *at)
{
	while (map->slots && *at < (size_t)1 << map->bits) {
		const struct fxt_map_slot *slot = &map->slots[(*at)++];
		void *value;

		value = slot->value;
		if (value)
			return value;
	}
	return NULL;
}

static int ascending(const void *a, const void *b)
{
	const struct fxt_map_slot *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

struct fxt_map_slot *fxt_map_sorted(const struct fxt_map *map)
{
	struct fxt_map_slot *sorted = map->count ? calloc(map->count, sizeof(*sorted)) : NULL;
	size_t i, count = 0;

	if (!sorted)
		return NULL;
	for (i = 0; i < (size_t)1 << map->bits; i++) {
		if (map->slots[i].value)
			sorted[count++] = map->slots[i];
	}
	qsort(sorted, count, sizeof(*sorted), ascending);
	return sorted;
}

void fxt_map_uninit(struct fxt_map *map, void (*value_free)(void *value))
{
	struct fxt_arena memory = map->memory;
	size_t at = 0;
	void *value;

	while (value_free && !memory.spill && (value = fxt_map_next(map, &at)))
		value_free(value);
	if (map->slots)
		fxt_spill_free(memory.spill, map->slots, slots_bytes(map));
	fxt_arena_uninit(&memory);
	*map = (struct fxt_map){ .memory.spill = memory.spill };
}
