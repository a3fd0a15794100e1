/* SPDX-License-Identifier: GPL-2.0-only */
/* Outputs in unnamed files, which are copied to the final output at the end. */
#ifndef FXT_CONVERT_SIDE_H
#define FXT_CONVERT_SIDE_H

#include "convert/out.h"

/* Opens an output; NULL with err set to -errno. */
struct fxt_out *fxt_side_open(struct fxt_spool *spool, int *err);

/* Appends the whole output to another one.  0 or -errno. */
int fxt_side_copy(struct fxt_out *side, struct fxt_out *to);

/* Closes an output; NULL is allowed. */
void fxt_side_close(struct fxt_out *side);

#endif
