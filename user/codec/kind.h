/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The kinds of records: from a header's types, and their names. */
#ifndef FXT_CODEC_KIND_H
#define FXT_CODEC_KIND_H

#include "codec/record.h"

/* By a record's header; never MALFORMED. */
enum fxt_kind fxt_kind_of(__u64 header);

const char *fxt_kind_name(enum fxt_kind kind);

/* The bits of a header that must be zero. */
__u64 fxt_kind_reserved(enum fxt_kind kind);

/* Whether a file's first bytes can be a record: the magic number, or one without a fault. */
bool fxt_kind_plausible(const struct fxt_record *first);

/* Names by the specification's numbers; NULL where it doesn't define one. */
const char *fxt_event_name(unsigned int type);
const char *fxt_arg_type_name(unsigned int type);
const char *fxt_state_name(unsigned int state);

#endif
