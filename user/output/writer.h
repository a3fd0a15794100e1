/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Blocks on their way to a file, in a thread of their own: a disk may take
 * seconds, and draining may not.
 */
#ifndef FXT_OUTPUT_WRITER_H
#define FXT_OUTPUT_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

/* So large that what a file system does for each write is little beside the bytes. */
#define FXT_BLOCK_BYTES	(1u << 20)

struct fxt_block {
	char bytes[FXT_BLOCK_BYTES];	/* page-aligned */
	size_t filled;
	struct fxt_block *next;		/* the writer's own */
};

struct fxt_writer;

/*
 * Takes the descriptor over.  direct says that it can be written past the page
 * cache, in multiples of align bytes; what is written is synced to the disk each
 * sync_ns, and in the end (0: never).  0 or -errno, and then the descriptor is the caller's still.
 */
int fxt_writer_open(struct fxt_writer **writer, int fd, __u32 align, __u64 sync_ns);

/* An empty block; waits while the backlog is as long as it may be.  NULL: no memory. */
struct fxt_block *fxt_writer_get(struct fxt_writer *writer);

/*
 * Has the block be written, whole records; never waits.  0, or -errno of an
 * earlier block: a regular file is then cut back to the end of the one before,
 * and no later one is written.
 */
int fxt_writer_put(struct fxt_writer *writer, struct fxt_block *block);

/* No block will come: what waits is written, and synced. */
void fxt_writer_end(struct fxt_writer *writer);

/* Whether nothing waits to be written; or to be synced, where it ends. */
bool fxt_writer_idle(struct fxt_writer *writer);

/* Writes what waits, and closes the file.  0, or what it first failed with, -errno. */
int fxt_writer_close(struct fxt_writer *writer);

#endif
