/* SPDX-License-Identifier: GPL-2.0-only */
/* The writer of FXT. */
#ifndef FXT_CONVERT_FXT_WRITE_H
#define FXT_CONVERT_FXT_WRITE_H

#include "convert/format.h"

extern const struct fxt_format_writer fxt_writer_fxt;

#endif
