/* SPDX-License-Identifier: GPL-2.0-only */
/* The file that a writer's thread writes to: past the page cache where that can be, and synced now and then. */
#ifndef FXT_OUTPUT_BLOCK_FILE_H
#define FXT_OUTPUT_BLOCK_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

struct fxt_block_file {
	int fd;			/* -1: none is open */
	__u32 align;		/* of writes past the page cache; 0: there are none */
	bool direct;		/* at present */
	bool seekable;
	bool named;		/* it has a name: one that is removed takes the file with it */
	bool unsynced;		/* written since the last sync */
	__u64 sync_ns;		/* how often it is synced; 0: never */
	__u64 synced;		/* CLOCK_MONOTONIC */
};

/* No file so far. */
void fxt_block_file_init(struct fxt_block_file *f, __u64 sync_ns);

/* Takes the descriptor; what is no regular file is never synced. */
void fxt_block_file_set(struct fxt_block_file *f, int fd, __u32 align);

/*
 * Writes all of it.  -errno: the part of a regular file that was written is cut off; -ESTALE: its name was removed, or
 * its end was cut by another program.
 */
int fxt_block_file_write(struct fxt_block_file *f, const char *bytes, size_t count);

/* Whether it is time to sync; and when that is, CLOCK_MONOTONIC, where something is unsynced. */
bool fxt_block_file_sync_due(const struct fxt_block_file *f);

static inline __u64 fxt_block_file_sync_at(const struct fxt_block_file *f)
{
	return f->synced + f->sync_ns;
}

/* 0 or -errno. */
int fxt_block_file_sync(struct fxt_block_file *f);

/* 0 or -errno; -ESTALE as above. */
int fxt_block_file_close(struct fxt_block_file *f);

#endif
