/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes inputs readable at any offset. */
#ifndef FXT_CONVERT_IN_FILE_H
#define FXT_CONVERT_IN_FILE_H

#include "convert/in.h"

/*
 * Returns a descriptor of the input's bytes: its file, or, for a compressed file or a pipe, an unnamed copy: *copied is
 * set, and the caller closes it.  -errno.
 */
int fxt_in_seekable(struct fxt_in *in, struct fxt_spool *spool, bool *copied);

#endif
