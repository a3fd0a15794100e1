// SPDX-License-Identifier: GPL-2.0-only
/* Reads fields of a message that the schema doesn't have. */
#include <string.h>

#include "formats/perfetto/read/wire.h"

static bool varint(struct fxt_pf_wire *w, __u64 *value)
{
	unsigned int shift;

	*value = 0;
	for (shift = 0; shift < 70 && w->at < w->end; shift += 7) {
		__u8 byte = *w->at++;

		*value |= shift < 64 ? (__u64)(byte & 0x7f) << shift : 0;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

static bool fixed(struct fxt_pf_wire *w, size_t bytes)
{
	if ((size_t)(w->end - w->at) < bytes)
		return false;
	w->number = 0;
	memcpy(&w->number, w->at, bytes);
	w->at += bytes;
	return true;
}

static bool value(struct fxt_pf_wire *w)
{
	switch (w->type) {
	case FXT_PF_VARINT:
		return varint(w, &w->number);
	case FXT_PF_FIXED64:
		return fixed(w, 8);
	case FXT_PF_FIXED32:
		return fixed(w, 4);
	case FXT_PF_BYTES:
		if (!varint(w, &w->number) || w->number > (__u64)(w->end - w->at))
			return false;
		w->data = w->at;
		w->bytes = w->number;
		w->at += w->bytes;
		return true;
	}
	return false;
}

bool fxt_pf_wire_next(struct fxt_pf_wire *w)
{
	__u64 tag;

	if (w->at == w->end || w->wrong)
		return false;
	w->wrong = true;
	if (!varint(w, &tag) || !(tag >> 3) || tag >> 32)
		return false;
	w->field = tag >> 3;
	w->type = tag & 7;
	w->wrong = !value(w);
	return !w->wrong;
}

struct fxt_pf_wire fxt_pf_wire_unknown(const __u8 *data, size_t bytes)
{
	struct fxt_pf_wire w = fxt_pf_wire(data, bytes);
	__u64 length;

	w.wrong = !varint(&w, &length) || length != (__u64)(w.end - w.at);
	return w;
}
