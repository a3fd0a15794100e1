/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Files without a name, for what does not fit into memory, and what all of them may take. */
#ifndef FXT_STORE_TEMPORARY_H
#define FXT_STORE_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

/* In $TMPDIR or /var/tmp; its descriptor, or -errno. */
int fxt_temporary_open(void);

/* Writes all bytes to a descriptor; 0 or -errno. */
int fxt_write_all(int fd, const void *from, size_t bytes);

/* The bytes of some temporary files together. */
struct fxt_spool {
	__u64 bytes;
	__u64 max;
	bool over;		/* more were needed */
};

/* Counts more bytes; -EFBIG where they are too many.  NULL: there is no limit. */
int fxt_spool_take(struct fxt_spool *spool, __u64 bytes);

#endif
