/* SPDX-License-Identifier: GPL-2.0-only */
/* Outputs in files without names, which are copied to where they belong in the end. */
#ifndef FXT_CONVERT_SIDE_H
#define FXT_CONVERT_SIDE_H

#include "convert/out.h"

/* NULL with err set to -errno. */
struct fxt_out *fxt_side_open(struct fxt_spool *spool, int *err);

/* Appends all of it.  0 or -errno. */
int fxt_side_copy(struct fxt_out *side, struct fxt_out *to);

/* NULL is none. */
void fxt_side_close(struct fxt_out *side);

#endif
