// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Memory for tables that an input fills without a bound. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "store/spill.h"

/* The file grows in steps of this size. */
#define STEP_BYTES	((size_t)8 << 20)

/* Addresses for the file are reserved at once, up to RESERVE_MAX bytes, or at least RESERVE_MIN. */
#define RESERVE_MAX	((size_t)1 << 38)
#define RESERVE_MIN	((size_t)1 << 28)

/* bytes that the heap adds to each allocation */
#define HEAP_EXTRA	16u

#define CLASS_MIN	6u	/* log2 of the smallest allocation from the file */

#define CHUNK_MIN	((size_t)1 << 10)
#define CHUNK_MAX	((size_t)64 << 10)

#define PAGE_BYTES	((size_t)4 << 10)

void fxt_spill_init(struct fxt_spill *s, size_t heap_bytes, struct fxt_spool *spool)
{
	*s = (struct fxt_spill){ .heap_left = heap_bytes, .spool = spool, .fd = -1 };
}

void fxt_spill_uninit(struct fxt_spill *s)
{
	if (s->base)
		munmap(s->base, s->reserved);
	if (s->fd >= 0)
		close(s->fd);
	fxt_spill_init(s, 0, NULL);
}

static int file_open(struct fxt_spill *s)
{
	size_t bytes;
	void *base = MAP_FAILED;

	s->fd = fxt_temporary_open(s->spool);
	if (s->fd < 0)
		return s->fd;
	for (bytes = RESERVE_MAX; base == MAP_FAILED && bytes >= RESERVE_MIN; bytes /= 4) {
		base = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		s->reserved = bytes;
	}
	if (base == MAP_FAILED)
		return -ENOMEM;
	s->base = base;
	return 0;
}

/* Reserves space on the disk before mapping it, so that a write to the mapping can't fail. */
static int file_grow(struct fxt_spill *s, size_t bytes)
{
	size_t more = (bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
	int err;

	if (more > s->reserved - s->room)
		return -ENOMEM;
	err = fxt_spool_take(s->spool, more);
	if (!err)
		err = fxt_spool_failed(s->spool, -posix_fallocate(s->fd, s->room, more));
	if (err)
		return err;
	if (mmap(s->base + s->room, more, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, s->fd, s->room) == MAP_FAILED)
		return -errno;
	/* Without this advice the kernel reads ahead, in folios that are mapped as a whole. */
	madvise(s->base + s->room, more, MADV_RANDOM);
	s->room += more;
	return 0;
}

static unsigned int class_of(size_t bytes)
{
	return bytes <= (size_t)1 << CLASS_MIN ? CLASS_MIN : 64u - __builtin_clzl(bytes - 1);
}

static void *file_alloc(struct fxt_spill *s, size_t bytes)
{
	unsigned int class = class_of(bytes);
	size_t size = (size_t)1 << class, align = size < PAGE_BYTES ? size : PAGE_BYTES;
	void *at = class < FXT_SPILL_CLASSES ? s->freed[class] : NULL;

	if (at) {
		s->freed[class] = *(void **)at;
		return memset(at, 0, size);
	}
	if (class >= FXT_SPILL_CLASSES || (!s->base && file_open(s)))
		return NULL;
	s->used = (s->used + align - 1) & ~(align - 1);
	if (s->used + size > s->room && file_grow(s, s->used + size - s->room))
		return NULL;
	at = s->base + s->used;
	s->used += size;
	return at;
}

void *fxt_spill_alloc(struct fxt_spill *s, size_t bytes)
{
	void *at;

	if (s && (bytes > s->heap_left || bytes + HEAP_EXTRA > s->heap_left))
		return file_alloc(s, bytes);
	at = calloc(1, bytes);
	if (at && s)
		s->heap_left -= bytes + HEAP_EXTRA;
	return at;
}

void fxt_spill_free(struct fxt_spill *s, void *at, size_t bytes)
{
	unsigned int class = class_of(bytes);

	if (!at)
		return;
	if (s && s->base && (size_t)((char *)at - s->base) < s->used) {
		*(void **)at = s->freed[class];
		s->freed[class] = at;
		return;
	}
	if (s)
		s->heap_left += bytes + HEAP_EXTRA;
	free(at);
}

struct fxt_arena_chunk {
	struct fxt_arena_chunk *before;
	size_t bytes, used;
	_Alignas(16) char room[];
};

void *fxt_arena_alloc(struct fxt_arena *a, size_t bytes)
{
	struct fxt_arena_chunk *before = a->last, *chunk = before;
	struct fxt_spill *spill = a->spill;
	size_t room;

	bytes = (bytes + 15) & ~(size_t)15;
	if (!chunk || chunk->bytes - sizeof(*chunk) - chunk->used < bytes) {
		room = chunk ? 2 * chunk->bytes : CHUNK_MIN;
		room = room < CHUNK_MAX ? room : CHUNK_MAX;
		while (room - sizeof(*chunk) < bytes)
			room *= 2;
		chunk = fxt_spill_alloc(spill, room);
		if (!chunk)
			return NULL;
		chunk->before = before;
		chunk->bytes = room;
		a->last = chunk;
	}
	chunk->used += bytes;
	return chunk->room + chunk->used - bytes;
}

void *fxt_arena_copy(struct fxt_arena *a, const void *from, size_t used, size_t bytes)
{
	void *copy = fxt_arena_alloc(a, bytes);

	if (copy && used)
		memcpy(copy, from, used);
	return copy;
}

void fxt_arena_uninit(struct fxt_arena *a)
{
	struct fxt_arena_chunk *chunk = a->last, *before;
	struct fxt_spill *spill = a->spill;

	a->last = NULL;
	for (; chunk; chunk = before) {
		before = chunk->before;
		fxt_spill_free(spill, chunk, chunk->bytes);
	}
}
