/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Files without a name, for data that does not fit into memory, and a limit for their sum. */
#ifndef FXT_STORE_TEMPORARY_H
#define FXT_STORE_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

/* Several temporary files with a common limit.  A NULL spool has no limit, and keeps no error. */
struct fxt_spool {
	__u64 bytes;
	__u64 max;
	bool over;		/* a write needed more than max */
	int err;		/* first error of opening or writing a file; 0: no error */
};

/* Returns $TMPDIR, or /var/tmp. */
const char *fxt_temporary_folder(void);

/* Opens a file.  Returns its descriptor, or -errno. */
int fxt_temporary_open(struct fxt_spool *spool);

/* Writes all bytes to a descriptor.  Returns 0 or -errno. */
int fxt_write_all(int fd, const void *from, size_t bytes);

/* Adds to the spool's size.  Returns 0, or -EFBIG where the sum would exceed max. */
int fxt_spool_take(struct fxt_spool *spool, __u64 bytes);

/* Adds to the spool's size, and writes the bytes to the descriptor of a file.  Returns 0 or -errno. */
int fxt_spool_write(struct fxt_spool *spool, int fd, const void *from, size_t bytes);

/* Keeps the error of a file, unless the spool has one already.  Returns err. */
int fxt_spool_failed(struct fxt_spool *spool, int err);

#endif
