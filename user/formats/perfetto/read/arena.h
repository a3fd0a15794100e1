/* SPDX-License-Identifier: GPL-2.0-only */
/* Bounded memory for one packet's messages, freed at once. */
#ifndef FXT_CONVERT_PERFETTO_READ_ARENA_H
#define FXT_CONVERT_PERFETTO_READ_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include <protobuf-c/protobuf-c.h>

struct fxt_pf_arena {
	ProtobufCAllocator allocator;
	struct fxt_pf_chunk *chunks;	/* the current chunk first */
	size_t bytes;			/* of all chunks */
	size_t max;			/* limit for this packet */
	bool full;			/* the limit was reached */
};

void fxt_pf_arena_init(struct fxt_pf_arena *arena);

/* Frees all memory, except for one chunk that is reused, for a packet of packet_bytes. */
void fxt_pf_arena_reset(struct fxt_pf_arena *arena, size_t packet_bytes);
/* Returns whether the arena has more memory than most packets need. */
bool fxt_pf_arena_is_large(const struct fxt_pf_arena *arena);
void fxt_pf_arena_uninit(struct fxt_pf_arena *arena);

void *fxt_pf_arena_alloc(struct fxt_pf_arena *arena, size_t bytes);

#endif
