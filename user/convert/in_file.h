/* SPDX-License-Identifier: GPL-2.0-only */
/* Inputs that have to be read at any place. */
#ifndef FXT_CONVERT_IN_FILE_H
#define FXT_CONVERT_IN_FILE_H

#include "convert/in.h"

/*
 * A descriptor of the input's bytes: its file, or where that is packed or a pipe a copy
 * without a name, which *copied says and the caller closes.  -errno.
 */
int fxt_in_seekable(struct fxt_in *in, struct fxt_spool *spool, bool *copied);

#endif
