// SPDX-License-Identifier: GPL-2.0-only
/* Sorts keys that are nearly in order already. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "convert/sort/keys.h"

/* Merges two sorted, adjoining parts of keys; stable. */
static void keys_merge(struct fxt_key *keys, size_t middle, size_t end,
		       struct fxt_key *spare)
{
	size_t i = 0, j = middle, k = 0;

	memcpy(spare, keys, middle * sizeof(*keys));
	while (i < middle && j < end)
		keys[k++] = keys[j].ns < spare[i].ns ? keys[j++] : spare[i++];
	memcpy(keys + k, spare + i, (middle - i) * sizeof(*keys));
}

static size_t ascent(const struct fxt_key *keys, size_t begin, size_t count)
{
	size_t end = begin + 1;

	while (end < count && keys[end].ns >= keys[end - 1].ns)
		end++;
	return end;
}

/*
 * Natural merge sort: the records of each CPU come in order, so there are few
 * ascending parts.  Neighbours are merged while the left one is not much longer.
 */
int fxt_keys_sort(struct fxt_key *keys, size_t count)
{
	struct fxt_key *spare;
	size_t starts[64], depth = 0, at = ascent(keys, 0, count);

	if (at >= count)
		return 0;
	spare = malloc(count * sizeof(*spare));
	if (!spare)
		return -ENOMEM;
	starts[depth++] = 0;
	while (at < count || depth > 1) {
		size_t begin = at, next = at < count ? ascent(keys, at, count) : count;

		if (at < count)
			starts[depth++] = begin;
		at = next;
		while (depth > 1) {
			size_t right = starts[depth - 1];
			size_t left = starts[depth - 2];

			if (at < count && right - left > 2 * (at - right))
				break;
			keys_merge(keys + left, right - left, at - left, spare);
			depth--;
		}
	}
	free(spare);
	return 0;
}
