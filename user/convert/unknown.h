/* SPDX-License-Identifier: GPL-2.0-only */
/* Describes an input of unknown format, and a way to convert it. */
#ifndef FXT_CONVERT_UNKNOWN_H
#define FXT_CONVERT_UNKNOWN_H

#include "convert/in.h"
#include "util/error.h"

/* Sets the error for an open input, by its first bytes.  -EPROTO. */
int fxt_unknown_error(struct fxt_error *error, const struct fxt_in *in);

#endif
