/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Finds kinds of records by their header, and names them. */
#ifndef FXT_CODEC_KIND_H
#define FXT_CODEC_KIND_H

#include "codec/record.h"

/* Returns the kind of a record by its header; never MALFORMED. */
enum fxt_kind fxt_kind_of(__u64 header);

const char *fxt_kind_name(enum fxt_kind kind);

/* Returns the bits of a header that must be zero. */
__u64 fxt_kind_reserved(enum fxt_kind kind);

/* Returns whether a file's first bytes can be a record: the magic number, or a record without a fault. */
bool fxt_kind_plausible(const struct fxt_record *first);

/* Return names by the specification's numbers; NULL for numbers that it doesn't define. */
const char *fxt_event_name(unsigned int type);
const char *fxt_arg_type_name(unsigned int type);
const char *fxt_state_name(unsigned int state);

#endif
