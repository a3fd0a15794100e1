/* SPDX-License-Identifier: GPL-2.0-only */
/* The writer of FXT. */
#ifndef FXT_WRITE_FXT_H
#define FXT_WRITE_FXT_H

#include "format.h"

extern const struct fxt_writer fxt_writer_fxt;

#endif
