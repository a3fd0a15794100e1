// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Memory for what an input fills without a bound. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "store/spill.h"

/* The file grows by so much. */
#define STEP_BYTES	((size_t)8 << 20)

/* Addresses are reserved at once, as many as there are of these. */
#define RESERVE_MAX	((size_t)1 << 38)
#define RESERVE_MIN	((size_t)1 << 28)

/* What the heap takes for itself. */
#define HEAP_EXTRA	16u

#define CLASS_MIN	6u	/* log2 of the smallest piece of the file */

#define CHUNK_MIN	((size_t)1 << 10)
#define CHUNK_MAX	FXT_SPILL_BLOCK

void fxt_spill_init(struct fxt_spill *s, size_t heap_bytes, struct fxt_spool *spool)
{
	*s = (struct fxt_spill){ .heap_left = heap_bytes, .spool = spool, .fd = -1 };
}

void fxt_spill_uninit(struct fxt_spill *s)
{
	if (s->base)
		munmap(s->base, s->reserved);
	free(s->blocks);
	if (s->fd >= 0)
		close(s->fd);
	fxt_spill_init(s, 0, NULL);
}

/*
 * With AddressSanitizer what is outside of the window can't be accessed: an address that was not touched
 * before is a fault there, where it would else be memory that nothing bounds.
 */
#ifdef __SANITIZE_ADDRESS__
#define OUTSIDE_ACCESS	PROT_NONE
#else
#define OUTSIDE_ACCESS	(PROT_READ | PROT_WRITE)
#endif

static void access_set(const struct fxt_spill *s, size_t block, int access)
{
	if (OUTSIDE_ACCESS == PROT_NONE)
		mprotect(s->base + block * FXT_SPILL_BLOCK, FXT_SPILL_BLOCK, access);
}

/* Of a block: it isn't in the window; it is; it was used since the hand came by. */
enum { OUTSIDE, INSIDE, USED };

static bool is_recent(const struct fxt_spill *s, size_t block)
{
	unsigned int i;

	for (i = 0; i < FXT_SPILL_RECENT && s->recent[i] != block; i++)
		;
	return i < FXT_SPILL_RECENT;
}

/* A place in the window: of the block that was not used for longest, about. */
static size_t *place_find(struct fxt_spill *s)
{
	size_t *at;

	if (s->filled < FXT_SPILL_BLOCKS)
		return &s->window[s->filled++];
	for (;; s->hand++) {
		at = &s->window[s->hand % FXT_SPILL_BLOCKS];
		if (s->blocks[*at] == INSIDE && !is_recent(s, *at))
			break;
		s->blocks[*at] = INSIDE;
	}
	s->hand++;
	s->blocks[*at] = OUTSIDE;
	madvise(s->base + *at * FXT_SPILL_BLOCK, FXT_SPILL_BLOCK, MADV_DONTNEED);
	access_set(s, *at, OUTSIDE_ACCESS);
	return at;
}

/*
 * What was written to a block that leaves the window stays in the file.  A read maps
 * a whole block: fault_around_bytes of the kernel.
 */
void fxt_spill_enter(struct fxt_spill *s, size_t offset)
{
	size_t block = offset / FXT_SPILL_BLOCK;

	if (s->blocks[block] == OUTSIDE) {
		*place_find(s) = block;
		access_set(s, block, PROT_READ | PROT_WRITE);
	}
	s->blocks[block] = USED;
	if (s->recent[s->touched] != block) {
		s->touched = (s->touched + 1) % FXT_SPILL_RECENT;
		s->recent[s->touched] = block;
	}
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
	s->blocks = calloc(s->reserved / FXT_SPILL_BLOCK, 1);
	if (!s->blocks) {
		munmap(base, s->reserved);
		return -ENOMEM;
	}
	s->base = base;
	return 0;
}

/* The disk's room is reserved before it is mapped: a write can't fail then. */
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
	if (mmap(s->base + s->room, more, OUTSIDE_ACCESS, MAP_SHARED | MAP_FIXED, s->fd,
		 s->room) == MAP_FAILED)
		return -errno;
	/* Else the kernel reads ahead, in folios that are mapped as a whole. */
	madvise(s->base + s->room, more, MADV_RANDOM);
	s->room += more;
	return 0;
}

/* A piece that was freed is not empty. */
static void clear(struct fxt_spill *s, char *at, size_t bytes)
{
	size_t done, part;

	for (done = 0; done < bytes; done += part) {
		part = bytes - done < FXT_SPILL_BLOCK ? bytes - done : FXT_SPILL_BLOCK;
		fxt_spill_touch(s, at + done);
		memset(at + done, 0, part);
	}
}

static unsigned int class_of(size_t bytes)
{
	return bytes <= (size_t)1 << CLASS_MIN ? CLASS_MIN : 64u - __builtin_clzl(bytes - 1);
}

static void *file_alloc(struct fxt_spill *s, size_t bytes)
{
	unsigned int class = class_of(bytes);
	size_t size = (size_t)1 << class, align = size < FXT_SPILL_BLOCK ? size : FXT_SPILL_BLOCK;
	void *at = class < FXT_SPILL_CLASSES ? s->freed[class] : NULL;

	if (at) {
		fxt_spill_touch(s, at);
		s->freed[class] = *(void **)at;
		clear(s, at, size);
		fxt_spill_touch(s, at);
		return at;
	}
	if (class >= FXT_SPILL_CLASSES || (!s->base && file_open(s)))
		return NULL;
	s->used = (s->used + align - 1) & ~(align - 1);
	if (s->used + size > s->room && file_grow(s, s->used + size - s->room))
		return NULL;
	at = s->base + s->used;
	s->used += size;
	fxt_spill_touch(s, at);
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
		fxt_spill_touch(s, at);
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
	fxt_spill_touch(spill, chunk);
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
		/* What the arena is of may be of the same memory. */
		fxt_spill_touch(spill, a);
		a->last = chunk;
	}
	chunk->used += bytes;
	return chunk->room + chunk->used - bytes;
}

void fxt_arena_uninit(struct fxt_arena *a)
{
	struct fxt_arena_chunk *chunk = a->last, *before;
	struct fxt_spill *spill = a->spill;

	a->last = NULL;
	for (; chunk; chunk = before) {
		fxt_spill_touch(spill, chunk);
		before = chunk->before;
		fxt_spill_free(spill, chunk, chunk->bytes);
	}
}
