/* SPDX-License-Identifier: GPL-2.0-only */
/* A file without a name, for what does not fit into memory. */
#ifndef FXT_UTIL_TEMPORARY_H
#define FXT_UTIL_TEMPORARY_H

#include <stddef.h>

/* In $TMPDIR or /var/tmp; its descriptor, or -errno. */
int fxt_temporary_open(void);

/* Writes all bytes to a descriptor; 0 or -errno. */
int fxt_write_all(int fd, const void *from, size_t bytes);

#endif
