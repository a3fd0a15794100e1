/* SPDX-License-Identifier: GPL-2.0-only */
/* Which way this kernel throttles control groups, by its type information. */
#ifndef FXT_SOURCE_THROTTLE_KIND_H
#define FXT_SOURCE_THROTTLE_KIND_H

#include "fxt/throttle.h"
#include "uapi/fxtrec.h"

struct btf;

/* Sets the kind and the offsets; the kind is FXT_THROTTLING_UNKNOWN where one is missing, or the information itself. */
void fxt_throttle_kind(struct fxtrec_throttle *throttle, const struct btf *kernel);

#endif
