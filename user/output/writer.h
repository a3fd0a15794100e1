/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes blocks to a file in a thread of its own: a disk may take seconds, and draining may not. */
#ifndef FXT_OUTPUT_WRITER_H
#define FXT_OUTPUT_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "source/idle.h"
#include "util/patience.h"

/* So large that a file system's cost of each write is small beside that of the bytes. */
#define FXT_BLOCK_BYTES	(1u << 20)

struct fxt_block {
	char bytes[FXT_BLOCK_BYTES];	/* page-aligned */
	size_t filled;
	struct fxt_block *next;		/* of the writer alone */
};

struct fxt_writer;

/* The most that a file's blocks may have to be aligned to. */
#define FXT_WRITER_ALIGN_MAX	4096u

struct fxt_writer_file {
	int fd;
	__u32 align;		/* 0: it is written through the page cache */
	char *kept;		/* the new path of the file that was there before, a heap string; NULL: none was */
};

/* Opens a file: 0 or -errno. */
typedef int (*fxt_writer_opener)(const char *path, struct fxt_writer_file *file);

/* Has the thread open the file: blocks may be put meanwhile.  0 or -errno; sync_ns as below. */
int fxt_writer_create(struct fxt_writer **writer, const char *path, fxt_writer_opener open, __u64 sync_ns);

/* Waits until the file is open: 0, -errno, -ECANCELED where that is given up. */
int fxt_writer_await(struct fxt_writer *writer, const struct fxt_patience *patience);

/* 0, -EINPROGRESS, or why it could not be opened; and to what blocks have to be aligned. */
int fxt_writer_opened(struct fxt_writer *writer, __u32 *align);

/* Once it is open: returns that path, the caller's from then on. */
char *fxt_writer_kept(struct fxt_writer *writer);

/*
 * Owns the descriptor from then on.  With align it is written past the page cache, in
 * multiples of so many bytes (0: through it); a regular file is synced to the disk each sync_ns,
 * and in the end (0: never).  0 or -errno, and then the descriptor is the caller's still.
 */
int fxt_writer_open(struct fxt_writer **writer, int fd, __u32 align, __u64 sync_ns);

/*
 * An empty block; waits while the backlog is as long as it may be, with idle.  0, -ENOMEM,
 * -ECANCELED where the disk is given up.
 */
int fxt_writer_get(struct fxt_writer *writer, struct fxt_block **block, struct fxt_idle *idle,
		   const struct fxt_patience *patience);

/*
 * Queues the block, whole records; never waits.  0, or -errno of an
 * earlier block: a regular file is then cut back to the end of the one before,
 * and no later one is written.
 */
int fxt_writer_put(struct fxt_writer *writer, struct fxt_block *block);

/* No block follows: those that are queued are written, and synced. */
void fxt_writer_end(struct fxt_writer *writer);

/* Whether nothing is queued, and after fxt_writer_end() all is synced and the file closed. */
bool fxt_writer_idle(struct fxt_writer *writer);

/*
 * Writes what is queued, and closes the file.  0, or what it first failed with, -errno;
 * -ECANCELED where the disk is given up: the thread goes on with what it can.
 */
int fxt_writer_close(struct fxt_writer *writer, const struct fxt_patience *patience);

#endif
