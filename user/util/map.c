// SPDX-License-Identifier: GPL-2.0-only
/* A map from 64-bit numbers, which a file may choose, to objects of the heap. */
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

#include "util/hash.h"
#include "util/map.h"

#define BITS_MIN	6

/* Spreads keys that follow each other, as thread ids do, over all slots. */
static size_t slot_first(const struct fxt_map *map, __u64 key)
{
	key *= map->factor;
	key ^= key >> 32;
	return key * FXT_GOLDEN >> (64 - map->bits);
}

/* The slot of a key, or the free one where it would go; there is always one. */
static struct fxt_map_slot *slot_find(const struct fxt_map *map, __u64 key)
{
	size_t mask = ((size_t)1 << map->bits) - 1;
	size_t i = slot_first(map, key);

	while (map->slots[i].value && map->slots[i].key != key)
		i = (i + 1) & mask;
	return &map->slots[i];
}

static int map_grow(struct fxt_map *map)
{
	struct fxt_map grown = { .bits = map->slots ? map->bits + 1 : BITS_MIN };
	size_t i;

	/* Without a random number a file may be slow to read, but nothing else. */
	if (getrandom(&grown.factor, sizeof(grown.factor), GRND_NONBLOCK) < 0)
		grown.factor = FXT_GOLDEN;
	grown.factor |= 1;
	grown.slots = calloc((size_t)1 << grown.bits, sizeof(*grown.slots));
	if (!grown.slots)
		return -ENOMEM;
	for (i = 0; map->slots && i < (size_t)1 << map->bits; i++)
		if (map->slots[i].value)
			*slot_find(&grown, map->slots[i].key) = map->slots[i];
	grown.count = map->count;
	free(map->slots);
	*map = grown;
	return 0;
}

void *fxt_map_get(const struct fxt_map *map, __u64 key)
{
	return map->slots ? slot_find(map, key)->value : NULL;
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
	void *value = calloc(1, size);

	if (value && !fxt_map_put(map, key, value))
		return value;
	free(value);
	return NULL;
}

void *fxt_map_remove(struct fxt_map *map, __u64 key)
{
	size_t mask = ((size_t)1 << map->bits) - 1, hole, i;
	void *value = fxt_map_get(map, key);

	if (!value)
		return NULL;
	hole = slot_find(map, key) - map->slots;
	/* What would no longer be found behind the hole goes into it, and leaves another. */
	for (i = (hole + 1) & mask; map->slots[i].value; i = (i + 1) & mask) {
		size_t way = (i - slot_first(map, map->slots[i].key)) & mask;

		if (way < ((i - hole) & mask))
			continue;
		map->slots[hole] = map->slots[i];
		hole = i;
	}
	map->slots[hole].value = NULL;
	map->count--;
	return value;
}

void *fxt_map_next(const struct fxt_map *map, size_t *at)
{
	while (map->slots && *at < (size_t)1 << map->bits) {
		void *value = map->slots[(*at)++].value;

		if (value)
			return value;
	}
	return NULL;
}

void fxt_map_uninit(struct fxt_map *map, void (*value_free)(void *value))
{
	size_t at = 0;
	void *value;

	while (value_free && (value = fxt_map_next(map, &at)))
		value_free(value);
	free(map->slots);
	*map = (struct fxt_map){ 0 };
}
