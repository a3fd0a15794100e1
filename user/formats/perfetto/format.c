// SPDX-License-Identifier: GPL-2.0-only
/* The format "perfetto": recognized here, and read and written where the library for its packets is present. */
#include <errno.h>

#include "formats/perfetto/format.h"

#define VARINT_MAX	10

/* Types of fields on the wire */
enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

/* Reads a number.  0; -EAGAIN where it is cut; -EBADMSG where it is too long. */
static int varint(const __u8 **at, const __u8 *end, __u64 *value)
{
	unsigned int i;

	*value = 0;
	for (i = 0; i < VARINT_MAX; i++) {
		if (*at == end)
			return -EAGAIN;
		*value |= (__u64)(**at & 0x7f) << (7 * i);
		if (!(*(*at)++ & 0x80))
			return 0;
	}
	return -EBADMSG;
}

int fxt_pf_field(const __u8 *bytes, size_t have, __u64 *tag, __u64 *length)
{
	const __u8 *at = bytes, *end = bytes + have;
	__u64 value;
	int err = varint(&at, end, tag);

	*length = 0;
	if (err)
		return err;
	if (!(*tag >> 3) || *tag >> 32)
		return -EBADMSG;
	switch (*tag & 7) {
	case WIRE_VARINT:
		err = varint(&at, end, &value);
		break;
	case WIRE_FIXED64:
		*length = 8;
		break;
	case WIRE_FIXED32:
		*length = 4;
		break;
	case WIRE_BYTES:
		err = varint(&at, end, length);
		break;
	default:
		return -EBADMSG;
	}
	return err ? err : at - bytes;
}

/* Returns whether a file is text, as a text may start with a newline, which is also a packet's tag. */
static bool is_text(const __u8 *start, size_t bytes)
{
	size_t i;

	for (i = 0; i < bytes && i < 16; i++)
		if (start[i] != '\n' && start[i] != '\r' && start[i] != '\t' &&
		    (start[i] < ' ' || start[i] > '~'))
			return false;
	return true;
}

bool fxt_pf_is(const __u8 *start, size_t bytes)
{
	__u64 tag, length, inner;
	size_t at = 0;

	if (is_text(start, bytes))
		return false;
	while (at < bytes) {
		int head = fxt_pf_field(start + at, bytes - at, &tag, &length);

		if (head == -EAGAIN && at)
			return true;
		if (head < 0 || tag != FXT_PF_PACKET_TAG || length > FXT_PF_PACKET_MAX)
			return false;
		at += head;
		head = at < bytes && length ? fxt_pf_field(start + at, bytes - at, &tag, &inner) : 0;
		if (head < 0 && head != -EAGAIN)
			return false;
		at += length;
	}
	return at;
}

const struct fxt_format_ops fxt_format_ops_perfetto = {
	.is = fxt_pf_is,
	.read = fxt_pf_read,
	.writer = &fxt_writer_perfetto,
};
