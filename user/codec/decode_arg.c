// SPDX-License-Identifier: GPL-2.0-only
/* Arguments, which several kinds of records have. */
#include "codec/decode.h"

static double real_of(__u64 word)
{
	double real;

	memcpy(&real, &word, sizeof(real));
	return real;
}

static void value_decode(struct fxt_cursor *c, struct fxt_arg *arg, __u64 header)
{
	static const char missing[] = "has an argument that ends before its value";
	__u32 high = fxt_field(header, 32, 63);

	switch (arg->type) {
	case FXT_ARG_NULL:
		break;
	case FXT_ARG_INT32:
	case FXT_ARG_UINT32:
		arg->uint32 = high;
		break;
	case FXT_ARG_INT64:
	case FXT_ARG_UINT64:
	case FXT_ARG_POINTER:
	case FXT_ARG_KOID:
		arg->uint64 = fxt_cursor_word(c, missing);
		break;
	case FXT_ARG_DOUBLE:
		arg->real = real_of(fxt_cursor_word(c, missing));
		break;
	case FXT_ARG_STRING:
		arg->string = fxt_cursor_string(c, high & 0xffff, arg->at + 4, missing);
		break;
	case FXT_ARG_BOOL:
		arg->boolean = high & 1;
		break;
	case FXT_ARG_BLOB:
		arg->blob.data = fxt_cursor_bytes(c, high, missing);
		arg->blob.length = high;
		break;
	default:
		/* Of an undefined type, the size alone is known. */
		arg->blob.data = c->data + c->at;
		arg->blob.length = c->end - c->at;
		c->at = c->end;
	}
}

static void arg_decode(struct fxt_cursor *c, struct fxt_arg *arg)
{
	__u64 record_end = c->end, at = c->at;
	__u64 header = fxt_cursor_word(c, "ends before its last argument");

	arg->type = fxt_field(header, 0, 3);
	arg->words = fxt_field(header, 4, 15);
	arg->at = at;
	if (!arg->words)
		fxt_cursor_fail(c, at, "has an argument of size 0");
	if (8ULL * arg->words > record_end - at)
		fxt_cursor_fail(c, at, "ends inside an argument");
	if (c->fault)
		return;
	c->end = at + 8 * arg->words;
	arg->name = fxt_cursor_string(c, fxt_field(header, 16, 31), at + 2,
				      "has an argument that ends before its name");
	value_decode(c, arg, header);
	arg->used = (c->at - at) / 8;
	c->at = c->end;
	c->end = record_end;
}

void fxt_decode_args(struct fxt_cursor *c, struct fxt_record *r, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count && i < FXT_ARGS_MAX && !c->fault; i++)
		arg_decode(c, &r->args[i]);
	r->arg_count = i;
}
