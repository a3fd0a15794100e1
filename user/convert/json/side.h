/* SPDX-License-Identifier: GPL-2.0-only */
/* Outputs of their own, in files without names, that are copied to where they belong in the end. */
#ifndef FXT_CONVERT_JSON_SIDE_H
#define FXT_CONVERT_JSON_SIDE_H

#include "convert/out.h"

/* NULL with err set to -errno. */
struct fxt_out *fxt_json_side_open(int *err);

/* Appends all of it.  0 or -errno. */
int fxt_json_side_copy(struct fxt_out *side, struct fxt_out *to);

/* NULL is none. */
void fxt_json_side_close(struct fxt_out *side);

#endif
