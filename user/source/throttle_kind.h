/* SPDX-License-Identifier: GPL-2.0-only */
/* Determines, by the kernel's type information, how it throttles control groups. */
#ifndef FXT_SOURCE_THROTTLE_KIND_H
#define FXT_SOURCE_THROTTLE_KIND_H

#include "fxt/throttle.h"
#include "uapi/fxtrec.h"

struct fxt_kernel_btf;

/*
 * Sets the kind and the offsets; the kind is FXT_THROTTLING_UNKNOWN where an offset or the type information is missing.
 */
void fxt_throttle_kind(struct fxtrec_throttle *throttle, const struct fxt_kernel_btf *kernel);

#endif
