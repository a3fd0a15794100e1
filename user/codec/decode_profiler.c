// SPDX-License-Identifier: GPL-2.0-only
/* Profiler records. */
#include "codec/decode.h"

static struct fxt_bytes bytes_decode(struct fxt_cursor *c, __u32 length, const char *missing)
{
	return (struct fxt_bytes){ fxt_cursor_bytes(c, length, missing), length };
}

void fxt_decode_module(struct fxt_cursor *c, struct fxt_record *r)
{
	r->module.id = fxt_field(r->header, 28, 43);
	fxt_decode_ticks(c, r);
	r->thread = fxt_cursor_thread(c, fxt_field(r->header, 20, 27), 2);
	r->name = fxt_cursor_text(c, fxt_field(r->header, 44, 51), 5, "ends before its name");
	r->module.build_id = bytes_decode(c, fxt_field(r->header, 52, 59),
					  "ends before its build id");
}

void fxt_decode_mmap(struct fxt_cursor *c, struct fxt_record *r)
{
	r->module.id = fxt_field(r->header, 28, 43);
	r->module.flags = fxt_field(r->header, 44, 46);
	fxt_decode_ticks(c, r);
	r->thread = fxt_cursor_thread(c, fxt_field(r->header, 20, 27), 2);
	r->module.start = fxt_cursor_word(c, "ends before its start address");
	r->module.range = fxt_cursor_word(c, "ends before its address range");
	r->module.vaddr = fxt_cursor_word(c, "ends before its virtual address");
}

void fxt_decode_backtrace(struct fxt_cursor *c, struct fxt_record *r)
{
	fxt_decode_ticks(c, r);
	r->thread = fxt_cursor_thread(c, fxt_field(r->header, 20, 27), 2);
	r->backtrace = bytes_decode(c, 8 * fxt_field(r->header, 28, 35),
				    "ends before its backtrace does");
}
