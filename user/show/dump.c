// SPDX-License-Identifier: GPL-2.0-only
/* Records as text, one line each: what all lines have. */
#include <errno.h>

#include "codec/kind.h"
#include "codec/provider.h"
#include "show/dump.h"
#include "show/print.h"

#define RAW_WORDS	4u	/* on a line */

static void name_put(struct fxt_dump *dump, const char *name)
{
	putc_unlocked(' ', dump->out);
	fxt_print_string(dump->out, name);
	putc_unlocked('=', dump->out);
}

void fxt_dump_u64(struct fxt_dump *dump, const char *name, __u64 value)
{
	name_put(dump, name);
	fxt_print_u64(dump->out, value);
}

void fxt_dump_hex(struct fxt_dump *dump, const char *name, __u64 value)
{
	name_put(dump, name);
	fxt_print_hex(dump->out, value, 1);
}

void fxt_dump_text(struct fxt_dump *dump, const char *name, const struct fxt_text *text)
{
	name_put(dump, name);
	if (!text->unknown) {
		fxt_print_quoted(dump->out, text->bytes, text->length);
		return;
	}
	putc_unlocked('?', dump->out);
	fxt_print_u64(dump->out, text->ref);
}

void fxt_dump_bytes(struct fxt_dump *dump, const char *name, const __u8 *data, __u64 length,
		    __u64 shown)
{
	name_put(dump, name);
	fxt_print_bytes(dump->out, data, length, shown);
}

/* Whether the record is its provider's; others are about the file. */
static bool provided(const struct fxt_record *r)
{
	return r->kind < FXT_KIND_PROVIDER_INFO || r->kind > FXT_KIND_MAGIC;
}

static void head_put(struct fxt_dump *dump, const struct fxt_record *r)
{
	const char *kind = fxt_kind_name(r->kind);

	fxt_print_hex(dump->out, r->frame.offset, 8);
	putc_unlocked(' ', dump->out);
	if (r->timed)
		fxt_print_seconds(dump->out, fxt_provider_ns(r->provider, r->ticks));
	else
		fxt_print_string(dump->out, "               -");
	putc_unlocked(' ', dump->out);
	if (r->kind == FXT_KIND_EVENT)
		kind = fxt_event_name(r->event.type);
	fxt_print_string(dump->out, kind);
	putc_unlocked(':', dump->out);
	if (provided(r) && !r->provider->implied)
		fxt_dump_u64(dump, "provider", r->provider->id);
	if (r->timed)
		fxt_dump_u64(dump, "ticks", r->ticks);
}

static void raw_put(struct fxt_dump *dump, const struct fxt_record *r)
{
	__u64 words = r->frame.bytes / 8, i;

	for (i = 0; i < words; i++) {
		if (i % RAW_WORDS == 0) {
			fxt_print_string(dump->out, i ? "\n\t" : "\t");
			fxt_print_hex(dump->out, r->frame.offset + 8 * i, 8);
			putc_unlocked(':', dump->out);
		}
		putc_unlocked(' ', dump->out);
		fxt_print_hex(dump->out, fxt_frame_word(r->frame.data + 8 * i), 16);
	}
	if (words < r->frame.words) {
		fxt_print_string(dump->out, "\n\t... ");
		fxt_print_u64(dump->out, r->frame.words - words);
		fxt_print_string(dump->out, " more words");
	}
	putc_unlocked('\n', dump->out);
}

int fxt_dump_record(struct fxt_dump *dump, const struct fxt_record *r)
{
	int err = fxt_objects_add(&dump->objects, r);

	head_put(dump, r);
	fxt_dump_fields(dump, r);
	if (r->arg_count)
		fxt_dump_args(dump, r);
	putc_unlocked('\n', dump->out);
	if (dump->raw)
		raw_put(dump, r);
	/* Past the limit of objects, later names are not printed. */
	return err == -E2BIG ? 0 : err;
}
