/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes blocks to a file in a thread of its own: a disk may take seconds, and draining may not. */
#ifndef FXT_OUTPUT_WRITER_H
#define FXT_OUTPUT_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "source/idle.h"

/* So large that a file system's cost of each write is small beside that of the bytes. */
#define FXT_BLOCK_BYTES	(1u << 20)

struct fxt_block {
	char bytes[FXT_BLOCK_BYTES];	/* page-aligned */
	size_t filled;
	struct fxt_block *next;		/* of the writer alone */
};

struct fxt_writer;

/*
 * Owns the descriptor from then on.  With align it is written past the page cache, in
 * multiples of so many bytes (0: through it); it is synced to the disk each sync_ns, and in
 * the end (0: never).  0 or -errno, and then the descriptor is the caller's still.
 */
int fxt_writer_open(struct fxt_writer **writer, int fd, __u32 align, __u64 sync_ns);

/* An empty block; waits while the backlog is as long as it may be, with idle.  NULL: no memory. */
struct fxt_block *fxt_writer_get(struct fxt_writer *writer, struct fxt_idle *idle);

/*
 * Queues the block, whole records; never waits.  0, or -errno of an
 * earlier block: a regular file is then cut back to the end of the one before,
 * and no later one is written.
 */
int fxt_writer_put(struct fxt_writer *writer, struct fxt_block *block);

/* No block follows: those that are queued are written, and synced. */
void fxt_writer_end(struct fxt_writer *writer);

/* Whether nothing is queued, and after fxt_writer_end() all is synced. */
bool fxt_writer_idle(struct fxt_writer *writer);

/* Writes what is queued, and closes the file.  0, or what it first failed with, -errno. */
int fxt_writer_close(struct fxt_writer *writer);

#endif
