/* SPDX-License-Identifier: GPL-2.0-only */
/* Fields of a message that the schema doesn't have, one after the other. */
#ifndef FXT_CONVERT_PERFETTO_READ_WIRE_H
#define FXT_CONVERT_PERFETTO_READ_WIRE_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#include "model/build.h"

enum fxt_pf_wire_type { FXT_PF_VARINT = 0, FXT_PF_FIXED64 = 1, FXT_PF_BYTES = 2, FXT_PF_FIXED32 = 5 };

struct fxt_pf_wire {
	const __u8 *at, *end;	/* unread bytes */
	bool wrong;		/* the message is malformed there */
	/* The current field: its number, and by its type a number or bytes. */
	__u32 field;
	enum fxt_pf_wire_type type;
	__u64 number;
	const __u8 *data;
	size_t bytes;
};

static inline struct fxt_pf_wire fxt_pf_wire(const __u8 *data, size_t bytes)
{
	return (struct fxt_pf_wire){ .at = data, .end = bytes ? data + bytes : data };
}

/* Start reading the message in a field; and a message that protobuf-c kept as unknown, with its length. */
static inline struct fxt_pf_wire fxt_pf_wire_inner(const struct fxt_pf_wire *w)
{
	return fxt_pf_wire(w->data, w->type == FXT_PF_BYTES ? w->bytes : 0);
}

struct fxt_pf_wire fxt_pf_wire_unknown(const __u8 *data, size_t bytes);

/* Reads the next field; false at the end, or where the message is malformed. */
bool fxt_pf_wire_next(struct fxt_pf_wire *w);

static inline struct fxt_text fxt_pf_wire_text(const struct fxt_pf_wire *w)
{
	return fxt_build_text(w->type == FXT_PF_BYTES ? (const char *)w->data : "",
			      w->type == FXT_PF_BYTES ? w->bytes : 0);
}

#endif
