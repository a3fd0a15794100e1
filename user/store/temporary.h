/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Files without a name, for what does not fit into memory, and what all of them may take. */
#ifndef FXT_STORE_TEMPORARY_H
#define FXT_STORE_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

/* Some temporary files together.  Where one is NULL below, there is no limit, and no failure is kept. */
struct fxt_spool {
	__u64 bytes;
	__u64 max;
	bool over;		/* more were needed */
	int err;		/* of the first that could not be opened or written; 0: none */
};

/* $TMPDIR, or /var/tmp. */
const char *fxt_temporary_folder(void);

/* Its descriptor, or -errno. */
int fxt_temporary_open(struct fxt_spool *spool);

/* Writes all bytes to a descriptor; 0 or -errno. */
int fxt_write_all(int fd, const void *from, size_t bytes);

/* Counts more bytes; -EFBIG where they are too many. */
int fxt_spool_take(struct fxt_spool *spool, __u64 bytes);

/* Counts and writes them, to the descriptor of one of its files. */
int fxt_spool_write(struct fxt_spool *spool, int fd, const void *from, size_t bytes);

/* Keeps why one of its files failed; returns it. */
int fxt_spool_failed(struct fxt_spool *spool, int err);

#endif
