/* SPDX-License-Identifier: GPL-2.0-only */
/* Fields of a trace: its packets. */
#ifndef FXT_CONVERT_PERFETTO_READ_FIELD_H
#define FXT_CONVERT_PERFETTO_READ_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

/* Bytes of a field before its contents, at most. */
#define FXT_PF_FIELD_BYTES	20

/*
 * A field's tag, and the bytes of its contents.  Returns the bytes before those;
 * -EAGAIN where it is cut; -EBADMSG.
 */
int fxt_pf_field(const __u8 *bytes, size_t have, __u64 *tag, __u64 *length);

/* Whether a trace begins so: all packets in it begin with a valid field. */
bool fxt_pf_is(const __u8 *start, size_t bytes);

#endif
