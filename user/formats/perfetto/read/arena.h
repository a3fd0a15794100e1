/* SPDX-License-Identifier: GPL-2.0-only */
/* Bounded memory for one packet's messages, freed at once. */
#ifndef FXT_CONVERT_PERFETTO_READ_ARENA_H
#define FXT_CONVERT_PERFETTO_READ_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include <protobuf-c/protobuf-c.h>

struct fxt_pf_arena {
	ProtobufCAllocator allocator;
	struct fxt_pf_chunk *chunks;	/* the one in use first */
	size_t bytes;			/* of all of them */
	size_t max;			/* of this packet */
	bool full;			/* that was reached */
};

void fxt_pf_arena_init(struct fxt_pf_arena *arena);

/* Frees all of it, but for one chunk that is reused; for a packet of so many bytes. */
void fxt_pf_arena_reset(struct fxt_pf_arena *arena, size_t packet_bytes);
/* Whether there is more to it than most packets need. */
bool fxt_pf_arena_is_large(const struct fxt_pf_arena *arena);
void fxt_pf_arena_uninit(struct fxt_pf_arena *arena);

void *fxt_pf_arena_alloc(struct fxt_pf_arena *arena, size_t bytes);

#endif
