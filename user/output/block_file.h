/* SPDX-License-Identifier: GPL-2.0-only */
/* The file that a writer's thread writes to: past the page cache if possible, and synced now and then. */
#ifndef FXT_OUTPUT_BLOCK_FILE_H
#define FXT_OUTPUT_BLOCK_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

struct fxt_block_file {
	int fd;			/* -1: not open */
	__u32 align;		/* alignment of writes past the page cache; 0: no such writes */
	bool direct;		/* writes go past the page cache at present */
	bool seekable;
	bool named;		/* the file has a name; to remove the name is to remove the file */
	bool unsynced;		/* written since the last sync */
	__u64 sync_ns;		/* interval of syncs; 0: never */
	__u64 synced;		/* CLOCK_MONOTONIC of the last sync */
};

/* Initializes a file that is not open. */
void fxt_block_file_init(struct fxt_block_file *f, __u64 sync_ns);

/* Takes over the descriptor; only a regular file is ever synced. */
void fxt_block_file_set(struct fxt_block_file *f, int fd, __u32 align);

/*
 * Writes all bytes.  -errno: the part of a regular file that was written is cut off; -ESTALE: the file's name was
 * removed, or another program cut its end.
 */
int fxt_block_file_write(struct fxt_block_file *f, const char *bytes, size_t count);

/*
 * Returns whether a sync is due; fxt_block_file_sync_at() returns when it is, CLOCK_MONOTONIC, for a file with unsynced
 * bytes.
 */
bool fxt_block_file_sync_due(const struct fxt_block_file *f);

static inline __u64 fxt_block_file_sync_at(const struct fxt_block_file *f)
{
	return f->synced + f->sync_ns;
}

/* Syncs the file.  0 or -errno. */
int fxt_block_file_sync(struct fxt_block_file *f);

/* Closes the file.  0 or -errno; -ESTALE as above. */
int fxt_block_file_close(struct fxt_block_file *f);

#endif
