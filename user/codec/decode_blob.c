// SPDX-License-Identifier: GPL-2.0-only
/* Blobs; large ones may extend past the window. */
#include "codec/decode.h"

void fxt_decode_blob(struct fxt_cursor *c, struct fxt_record *r)
{
	__u32 length = fxt_field(r->header, 32, 46);

	r->blob_type = fxt_field(r->header, 48, 55);
	r->name = fxt_cursor_string(c, fxt_field(r->header, 16, 31), 2, "ends before its name");
	r->payload.at = c->at;
	r->payload.data = fxt_cursor_bytes(c, length, "ends before its payload does");
	r->payload.length = length;
	r->payload.bytes = length;
}

static void payload_decode(struct fxt_cursor *c, struct fxt_record *r)
{
	__u64 at = c->at, size = 8 * r->frame.words, here;
	__u64 length = fxt_cursor_word(c, "ends before its blob size");

	if (c->fault)
		return;
	if (length > size - c->at) {
		fxt_cursor_fail(c, at, "has a blob size that is more than the record holds");
		return;
	}
	here = r->frame.bytes - c->at;
	r->payload = (struct fxt_payload){
		.at = c->at,
		.length = length,
		.data = c->data + c->at,
		.bytes = length < here ? length : here,
	};
	c->at += 8 * fxt_words(length);
}

void fxt_decode_large_blob(struct fxt_cursor *c, struct fxt_record *r)
{
	__u64 format = fxt_cursor_word(c, "ends before its format header");

	r->large_format = fxt_field(r->header, 40, 43);
	r->category = fxt_cursor_string(c, fxt_field(format, 0, 15), 8,
					"ends before its category");
	r->name = fxt_cursor_string(c, fxt_field(format, 16, 31), 10, "ends before its name");
	if (r->large_format == FXT_LARGE_BLOB_WITH_METADATA) {
		fxt_decode_ticks(c, r);
		r->thread = fxt_cursor_thread(c, fxt_field(format, 36, 43), 12);
		fxt_decode_args(c, r, fxt_field(format, 32, 35));
	}
	payload_decode(c, r);
}
