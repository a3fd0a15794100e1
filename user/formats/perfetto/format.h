/* SPDX-License-Identifier: GPL-2.0-only */
/* The format "perfetto": its outermost fields, which are packets. */
#ifndef FXT_CONVERT_PERFETTO_FORMAT_H
#define FXT_CONVERT_PERFETTO_FORMAT_H

#include "convert/format.h"

/* Tag of a packet: a trace is a message with packets as its only fields. */
#define FXT_PF_PACKET_TAG	0x0au

/* Longest packet, compressed or not. */
#define FXT_PF_PACKET_MAX	((size_t)16 << 20)

/* Most bytes of a field before its contents. */
#define FXT_PF_FIELD_BYTES	20

/*
 * Reads a field's tag, and the length of its contents.  Returns the bytes before the contents; -EAGAIN where the field
 * is cut; -EBADMSG.
 */
int fxt_pf_field(const __u8 *bytes, size_t have, __u64 *tag, __u64 *length);

/* Returns whether a file starts as a trace does: each packet in it starts with a valid field. */
bool fxt_pf_is(const __u8 *start, size_t bytes);

int fxt_pf_read(struct fxt_conversion *c, struct fxt_in *in);

#endif
