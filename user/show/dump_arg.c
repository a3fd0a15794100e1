// SPDX-License-Identifier: GPL-2.0-only
/* Records as text: their arguments. */
#include "codec/kind.h"
#include "show/dump.h"
#include "show/print.h"

#define BLOB_SHOWN	32u	/* bytes */

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

static void value_put(FILE *out, const struct fxt_arg *arg)
{
	switch (arg->type) {
	case FXT_ARG_NULL:
		fxt_print_string(out, "null");
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
		fxt_print_string(out, arg->boolean ? "true" : "false");
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
		fxt_print_string(out, name);
		return;
	}
	fxt_print_string(out, "type-");
	fxt_print_u64(out, type);
}

void fxt_dump_args(struct fxt_dump *dump, const struct fxt_record *r)
{
	unsigned int i;

	fxt_print_string(dump->out, " {");
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
