// SPDX-License-Identifier: GPL-2.0-only
/* Sorts keys that are nearly in order already. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "stream/keys.h"

#define ROOM_MIN	512u

void fxt_keys_uninit(struct fxt_keys *keys)
{
	free(keys->key);
	free(keys->spare);
	*keys = (struct fxt_keys){ 0 };
}

int fxt_keys_grow(struct fxt_keys *keys)
{
	size_t room = keys->room ? 2 * keys->room : ROOM_MIN;
	struct fxt_key *key = reallocarray(keys->key, room, sizeof(*key));

	if (!key)
		return -ENOMEM;
	keys->key = key;
	keys->room = room;
	return 0;
}

void fxt_keys_drop(struct fxt_keys *keys, size_t count)
{
	keys->count -= count;
	if (keys->count)
		memmove(keys->key, keys->key + count, keys->count * sizeof(*keys->key));
}

/*
 * Merges two sorted, adjoining parts of keys; stable.  The choice between two keys has no branch, as it can't be
 * predicted.
 */
static void keys_merge(struct fxt_key *keys, size_t middle, size_t end, struct fxt_key *spare)
{
	const struct fxt_key *left = spare, *left_end = spare + middle;
	const struct fxt_key *right = keys + middle, *right_end = keys + end;

	memcpy(spare, keys, middle * sizeof(*keys));
	while (left < left_end && right < right_end) {
		bool later = right->ns < left->ns;

		*keys++ = *(later ? right : left);
		right += later;
		left += !later;
	}
	memcpy(keys, left, (left_end - left) * sizeof(*keys));
}

static size_t ascent(const struct fxt_key *keys, size_t begin, size_t count)
{
	size_t end = begin + 1;

	while (end < count && keys[end].ns >= keys[end - 1].ns)
		end++;
	return end;
}

static int spare_get(struct fxt_keys *keys)
{
	if (keys->spare_room >= keys->count)
		return 0;
	free(keys->spare);
	keys->spare = reallocarray(NULL, keys->room, sizeof(*keys->spare));
	keys->spare_room = keys->spare ? keys->room : 0;
	return keys->spare ? 0 : -ENOMEM;
}

/*
 * Sorts by natural merge sort: the records of each CPU come in order, so there are few ascending parts.  Neighbours are
 * merged while the left one is not much longer.
 */
int fxt_keys_sort(struct fxt_keys *keys)
{
	size_t starts[64], depth = 0, count = keys->count, at = ascent(keys->key, 0, count);

	if (at >= count)
		return 0;
	if (spare_get(keys))
		return -ENOMEM;
	starts[depth++] = 0;
	while (at < count || depth > 1) {
		size_t begin = at, next = at < count ? ascent(keys->key, at, count) : count;

		if (at < count)
			starts[depth++] = begin;
		at = next;
		while (depth > 1) {
			size_t right = starts[depth - 1];
			size_t left = starts[depth - 2];

			if (at < count && right - left > 2 * (at - right))
				break;
			keys_merge(keys->key + left, right - left, at - left, keys->spare);
			depth--;
		}
	}
	return 0;
}
