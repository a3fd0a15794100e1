// SPDX-License-Identifier: GPL-2.0-only
/* Allocates memory for one packet's messages, from chunks that are filled one after the other. */
#include <stdlib.h>

#include "formats/perfetto/read/arena.h"

#define CHUNK_BYTES	((size_t)256 << 10)

/*
 * Limits of the memory.  Messages in memory are larger than their packets, and empty messages much larger.  Merging
 * many messages into one copies it each time, so the limit also bounds the time.
 */
#define ARENA_MAX	((size_t)20 << 20)
#define ARENA_MIN	(2 * CHUNK_BYTES)
#define ARENA_GROWTH	128u

struct fxt_pf_chunk {
	struct fxt_pf_chunk *next;
	size_t used;
	size_t room;
	_Alignas(16) char bytes[];
};

static struct fxt_pf_chunk *chunk_add(struct fxt_pf_arena *a, size_t bytes)
{
	size_t room = bytes < CHUNK_BYTES ? CHUNK_BYTES : bytes;
	struct fxt_pf_chunk *chunk;

	if (room > a->max || a->bytes > a->max - room) {
		a->full = true;
		return NULL;
	}
	chunk = malloc(sizeof(*chunk) + room);
	if (!chunk)
		return NULL;
	chunk->next = a->chunks;
	chunk->used = 0;
	chunk->room = room;
	a->chunks = chunk;
	a->bytes += room;
	return chunk;
}

void *fxt_pf_arena_alloc(struct fxt_pf_arena *a, size_t bytes)
{
	struct fxt_pf_chunk *chunk = a->chunks;
	void *at;

	if (bytes > a->max) {
		a->full = true;
		return NULL;
	}
	bytes = (bytes + 15) & ~(size_t)15;
	if (!chunk || chunk->room - chunk->used < bytes)
		chunk = chunk_add(a, bytes);
	if (!chunk)
		return NULL;
	at = chunk->bytes + chunk->used;
	chunk->used += bytes;
	return at;
}

static void *alloc(void *arena, size_t bytes)
{
	return fxt_pf_arena_alloc(arena, bytes);
}

static void nothing_free(void *arena, void *at)
{
	(void)arena;
	(void)at;
}

void fxt_pf_arena_init(struct fxt_pf_arena *a)
{
	*a = (struct fxt_pf_arena){ .allocator = { alloc, nothing_free, a }, .max = ARENA_MAX };
}

void fxt_pf_arena_reset(struct fxt_pf_arena *a, size_t packet_bytes)
{
	struct fxt_pf_chunk *chunk;

	a->max = ARENA_MIN + ARENA_GROWTH * packet_bytes;
	a->max = a->max < ARENA_MAX ? a->max : ARENA_MAX;
	a->full = false;
	while ((chunk = a->chunks) && (chunk->next || chunk->room > CHUNK_BYTES)) {
		a->chunks = chunk->next;
		a->bytes -= chunk->room;
		free(chunk);
	}
	if (chunk)
		chunk->used = 0;
}

bool fxt_pf_arena_is_large(const struct fxt_pf_arena *a)
{
	return a->bytes > ARENA_MIN;
}

void fxt_pf_arena_uninit(struct fxt_pf_arena *a)
{
	struct fxt_pf_chunk *chunk;

	while ((chunk = a->chunks)) {
		a->chunks = chunk->next;
		free(chunk);
	}
}
