// SPDX-License-Identifier: GPL-2.0-only
/* Records as text, one line each: the common parts of all lines, and arguments. */
#include <errno.h>

#include "codec/kind.h"
#include "codec/provider.h"
#include "show/dump.h"
#include "show/print.h"

#define BLOB_SHOWN	32u	/* bytes */
#define RAW_WORDS	4u	/* words on a line */

static void text_put(FILE *out, const struct fxt_text *text, bool word)
{
	if (text->unknown) {
		putc_unlocked('?', out);
		fxt_print_u64(out, text->ref);
	} else if (word) {
		fxt_print_word(out, text->bytes, text->length);
	} else {
		fxt_print_quoted(out, text->bytes, text->length);
	}
}

static void name_put(struct fxt_dump *dump, const char *name)
{
	putc_unlocked(' ', dump->out);
	fputs_unlocked(name, dump->out);
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
	text_put(dump->out, text, false);
}

void fxt_dump_bytes(struct fxt_dump *dump, const char *name, const __u8 *data, __u64 length,
		    __u64 shown)
{
	name_put(dump, name);
	fxt_print_bytes(dump->out, data, length, shown);
}

static void value_put(FILE *out, const struct fxt_arg *arg)
{
	switch (arg->type) {
	case FXT_ARG_NULL:
		fputs_unlocked("null", out);
		break;
	case FXT_ARG_INT32:
		fxt_print_s64(out, arg->int32);
		break;
	case FXT_ARG_UINT32:
		fxt_print_u64(out, arg->uint32);
		break;
	case FXT_ARG_INT64:
		fxt_print_s64(out, arg->int64);
		break;
	case FXT_ARG_UINT64:
	case FXT_ARG_KOID:
		fxt_print_u64(out, arg->uint64);
		break;
	case FXT_ARG_DOUBLE:
		fxt_print_double(out, arg->real);
		break;
	case FXT_ARG_STRING:
		text_put(out, &arg->string, false);
		break;
	case FXT_ARG_POINTER:
		fxt_print_hex(out, arg->uint64, 1);
		break;
	case FXT_ARG_BOOL:
		fputs_unlocked(arg->boolean ? "true" : "false", out);
		break;
	default:
		fxt_print_bytes(out, arg->blob.data, arg->blob.length, BLOB_SHOWN);
	}
}

static void type_put(FILE *out, unsigned int type)
{
	const char *name = fxt_arg_type_name(type);

	putc_unlocked(':', out);
	if (name) {
		fputs_unlocked(name, out);
		return;
	}
	fputs_unlocked("type-", out);
	fxt_print_u64(out, type);
}

static void args_put(struct fxt_dump *dump, const struct fxt_record *r)
{
	unsigned int i;

	fputs_unlocked(" {", dump->out);
	for (i = 0; i < r->arg_count; i++) {
		if (i)
			putc_unlocked(' ', dump->out);
		text_put(dump->out, &r->args[i].name, true);
		if (dump->types)
			type_put(dump->out, r->args[i].type);
		putc_unlocked('=', dump->out);
		value_put(dump->out, &r->args[i]);
	}
	putc_unlocked('}', dump->out);
}

/* Returns whether the record belongs to its provider; other records are about the file. */
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
		fputs_unlocked("               -", dump->out);
	putc_unlocked(' ', dump->out);
	if (r->kind == FXT_KIND_EVENT)
		kind = fxt_event_name(r->event.type);
	fputs_unlocked(kind, dump->out);
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
			fputs_unlocked(i ? "\n\t" : "\t", dump->out);
			fxt_print_hex(dump->out, r->frame.offset + 8 * i, 8);
			putc_unlocked(':', dump->out);
		}
		putc_unlocked(' ', dump->out);
		fxt_print_hex(dump->out, fxt_frame_word(r->frame.data + 8 * i), 16);
	}
	if (words < r->frame.words) {
		fputs_unlocked("\n\t... ", dump->out);
		fxt_print_u64(dump->out, r->frame.words - words);
		fputs_unlocked(" more words", dump->out);
	}
	putc_unlocked('\n', dump->out);
}

int fxt_dump_record(struct fxt_dump *dump, const struct fxt_record *r)
{
	int err = fxt_objects_add(&dump->objects, r);

	head_put(dump, r);
	fxt_dump_fields(dump, r);
	if (r->arg_count)
		args_put(dump, r);
	putc_unlocked('\n', dump->out);
	if (dump->raw)
		raw_put(dump, r);
	/* Beyond the limit of objects, later names are not printed. */
	return err == -E2BIG ? 0 : err;
}
