/* SPDX-License-Identifier: GPL-2.0-only */
/* The file that a recording goes to. */
#ifndef FXT_OUTPUT_H
#define FXT_OUTPUT_H

#include <stddef.h>
#include <sys/uio.h>

#include <linux/types.h>

struct fxt_output {
	int fd;
	const char *name;	/* for messages */
	__u64 bytes;		/* written so far */
	int seekable;
};

/* Creates the file, readable by its owner alone; "-" is standard output.  -errno. */
int fxt_output_open(struct fxt_output *output, const char *path);

/*
 * Writes all of it, whole records; changes vector.  On -errno a file is cut
 * back to where it was, so that it ends in a whole record.
 */
int fxt_output_write(struct fxt_output *output, struct iovec *vector, int count);

/* 0, or what the last writes failed with, -errno. */
int fxt_output_close(struct fxt_output *output);

#endif
