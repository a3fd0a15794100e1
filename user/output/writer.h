/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes blocks to a file in a thread of its own: a disk may take seconds, and draining must not wait for it. */
#ifndef FXT_OUTPUT_WRITER_H
#define FXT_OUTPUT_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "source/idle.h"
#include "patience/patience.h"

/* Large enough that a file system's cost of each write is small beside the cost of the bytes. */
#define FXT_BLOCK_BYTES	(1u << 20)

struct fxt_block {
	char bytes[FXT_BLOCK_BYTES];	/* page-aligned */
	size_t filled;
	struct fxt_block *next;		/* used by the writer alone */
};

struct fxt_writer;

/* The greatest alignment that a file's blocks may need. */
#define FXT_WRITER_ALIGN_MAX	4096u

struct fxt_writer_file {
	int fd;
	__u32 align;		/* 0: written through the page cache */
	char *kept;		/* the new path of the previous file of that name, a heap string; NULL: no such file */
};

/* Opens a file.  0 or -errno. */
typedef int (*fxt_writer_opener)(const char *path, struct fxt_writer_file *file);

/* Has the thread open the file; blocks may be put at once.  0 or -errno; sync_ns as below. */
int fxt_writer_create(struct fxt_writer **writer, const char *path, fxt_writer_opener open, __u64 sync_ns);

/* Waits until the file is open.  0, -errno, -ECANCELED where the wait is given up. */
int fxt_writer_await(struct fxt_writer *writer, const struct fxt_patience *patience);

/* Returns 0, -EINPROGRESS, or -errno where the file could not be opened; sets the alignment that blocks need. */
int fxt_writer_opened(struct fxt_writer *writer, __u32 *align);

/* Returns, once the file is open, the previous file's path, which the caller frees. */
char *fxt_writer_kept(struct fxt_writer *writer);

/*
 * Opens a writer that owns the descriptor from then on.  With align, the file is written past the page cache, in
 * multiples of align bytes (0: through the page cache); a regular file is synced to the disk every sync_ns, and at the
 * end (0: never).  0 or -errno: then the caller still owns the descriptor.
 */
int fxt_writer_open(struct fxt_writer **writer, int fd, __u32 align, __u64 sync_ns);

/*
 * Gets an empty block; waits, with idle, while the queue is full.  0, -ENOMEM, -ECANCELED where the wait for the disk
 * is given up.
 */
int fxt_writer_get(struct fxt_writer *writer, struct fxt_block **block, struct fxt_idle *idle,
		   const struct fxt_patience *patience);

/*
 * Queues a block of whole records; never waits.  0, or -errno of an earlier block: a regular file is then cut back to
 * the end of the block before it, and no later block is written.
 */
int fxt_writer_put(struct fxt_writer *writer, struct fxt_block *block);

/* Ends the writer: the queued blocks are written and synced, and no block may follow. */
void fxt_writer_end(struct fxt_writer *writer);

/* Returns whether the queue is empty, and, after fxt_writer_end(), the file is synced and closed. */
bool fxt_writer_idle(struct fxt_writer *writer);

/*
 * Writes the queued blocks, and closes the file.  0, or the first error, -errno; -ECANCELED where the wait for the disk
 * is given up: the thread continues by itself.
 */
int fxt_writer_close(struct fxt_writer *writer, const struct fxt_patience *patience);

#endif
