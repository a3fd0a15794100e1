/* SPDX-License-Identifier: GPL-2.0-only */
/* Fields of a trace: its packets. */
#ifndef FXT_CONVERT_PERFETTO_READ_FIELD_H
#define FXT_CONVERT_PERFETTO_READ_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

/* Most bytes of a field before its contents. */
#define FXT_PF_FIELD_BYTES	20

/*
 * Reads a field's tag, and the length of its contents.  Returns the bytes before the contents; -EAGAIN where the field
 * is cut; -EBADMSG.
 */
int fxt_pf_field(const __u8 *bytes, size_t have, __u64 *tag, __u64 *length);

/* Returns whether a file starts as a trace does: each packet in it starts with a valid field. */
bool fxt_pf_is(const __u8 *start, size_t bytes);

#endif
