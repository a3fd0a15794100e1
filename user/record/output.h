/* SPDX-License-Identifier: GPL-2.0-only */
/* The file that a recording goes to. */
#ifndef FXT_OUTPUT_H
#define FXT_OUTPUT_H

#include <stddef.h>
#include <sys/uio.h>

#include <linux/types.h>

/*
 * Where the file system can (it says so by statx()), what is written goes to the
 * disk from a block of memory of ours, not through the page cache: that costs the
 * recorded machine less than a quarter as much, and keeps its cache as it was.
 */
struct fxt_output {
	int fd;
	const char *name;	/* for messages */
	__u64 bytes;		/* written so far, with what the block holds */
	int seekable;
	char *block;		/* or NULL: through the page cache */
	size_t filled;		/* bytes of it */
	__u32 align;		/* of what is written from it */
	__u64 filler;		/* a record that may be repeated here, to fill up; 0: none yet */
	int direct;		/* past the page cache, at present */
};

/* Creates the file, readable by its owner alone; "-" is standard output.  -errno. */
int fxt_output_open(struct fxt_output *output, const char *path);

/*
 * Writes all of it, whole records; changes vector.  On -errno a file is cut
 * back to what it had, so that it ends in a whole record.
 */
int fxt_output_write(struct fxt_output *output, struct iovec *vector, int count);

/* Has the file have all that was written.  -errno. */
int fxt_output_flush(struct fxt_output *output);

/*
 * Whether the disk may be waited for: else the page cache takes what it can't
 * take so fast.
 */
void fxt_output_patience(struct fxt_output *output, int patient);

/* 0, or what the last writes failed with, -errno. */
int fxt_output_close(struct fxt_output *output);

#endif
