// SPDX-License-Identifier: GPL-2.0-only
/* Writes JSON: strings, keys, arguments. */
#include <math.h>
#include <string.h>

#include "convert/json/number.h"
#include "convert/json/write.h"
#include "util/digits.h"

/* Strings of records are shorter than that; others are written in pieces. */
#define PIECE	32768u

_Static_assert(FXT_JSON_ESCAPE_MAX * PIECE + 16 < FXT_OUT_ROOM, "room for a piece");

static void put(struct fxt_out *out, const char *bytes, size_t count)
{
	memcpy(fxt_out_room(out, count), bytes, count);
	fxt_out_took(out, count);
}

void fxt_json_put_string(struct fxt_out *out, const struct fxt_text *text)
{
	__u32 length = text->length < PIECE ? text->length : PIECE;
	char *start = fxt_out_room(out, FXT_JSON_ESCAPE_MAX * length + 2), *end;

	*start = '"';
	end = fxt_json_escape(start + 1, text->bytes, length);
	*end++ = '"';
	fxt_out_took(out, end - start);
}

void fxt_json_put_key(struct fxt_out *out, bool comma, const struct fxt_text *key)
{
	if (comma)
		put(out, ",", 1);
	fxt_json_put_string(out, key);
	put(out, ":", 1);
}

void fxt_json_put_number(struct fxt_out *out, const char *before, __u64 number)
{
	size_t length = strlen(before);
	char *start = fxt_out_room(out, length + 20), *end;

	memcpy(start, before, length);
	end = fxt_digits(start + length, number);
	fxt_out_took(out, end - start);
}

static void put_signed(struct fxt_out *out, __s64 number)
{
	char *start = fxt_out_room(out, 24);

	fxt_out_took(out, fxt_digits_signed(start, number) - start);
}

static void put_double(struct fxt_out *out, double real)
{
	char *start = fxt_out_room(out, 32);

	if (isnan(real))
		put(out, "\"NaN\"", 5);
	else if (isinf(real))
		fxt_out_text(out, real < 0 ? "\"-Infinity\"" : "\"Infinity\"");
	else
		fxt_out_took(out, fxt_digits_double(start, real) - start);
}

static void put_pointer(struct fxt_out *out, __u64 pointer)
{
	char *start = fxt_out_room(out, 24), *at = start;

	memcpy(at, "\"0x", 3);
	at = fxt_digits_hex(at + 3, pointer, 1);
	*at++ = '"';
	fxt_out_took(out, at - start);
}

static void put_blob(struct fxt_out *out, const struct fxt_bytes *blob)
{
	char *start = fxt_out_room(out, 2 * (size_t)blob->length + 2), *at = start;

	*at++ = '"';
	at = fxt_digits_bytes(at, blob->data, blob->length);
	*at++ = '"';
	fxt_out_took(out, at - start);
}

void fxt_json_put_value(struct fxt_out *out, const struct fxt_arg *arg)
{
	switch (arg->type) {
	case FXT_ARG_INT32:
		put_signed(out, arg->int32);
		break;
	case FXT_ARG_UINT32:
		fxt_json_put_number(out, "", arg->uint32);
		break;
	case FXT_ARG_INT64:
		put_signed(out, arg->int64);
		break;
	case FXT_ARG_UINT64:
	case FXT_ARG_KOID:
		fxt_json_put_number(out, "", arg->uint64);
		break;
	case FXT_ARG_DOUBLE:
		put_double(out, arg->real);
		break;
	case FXT_ARG_STRING:
		fxt_json_put_string(out, &arg->string);
		break;
	case FXT_ARG_POINTER:
		put_pointer(out, arg->uint64);
		break;
	case FXT_ARG_BOOL:
		fxt_out_text(out, arg->boolean ? "true" : "false");
		break;
	case FXT_ARG_BLOB:
		put_blob(out, &arg->blob);
		break;
	default:
		put(out, "null", 4);
	}
}

bool fxt_json_arg_field(const struct fxt_arg *arg, struct fxt_text *key)
{
	size_t before = strlen(FXT_JSON_FIELD);

	*key = arg->name;
	if (key->length <= before || memcmp(key->bytes, FXT_JSON_FIELD, before))
		return false;
	key->bytes += before;
	key->length -= before;
	return true;
}

bool fxt_json_arg_whole(const struct fxt_arg *arg)
{
	return arg->type == FXT_ARG_BOOL && fxt_text_equal(&arg->name, FXT_JSON_WHOLE);
}

bool fxt_json_arg_is_text(const struct fxt_arg *arg, struct fxt_text *key)
{
	size_t behind = strlen(FXT_JSON_AS_TEXT);

	if (arg->type != FXT_ARG_STRING || key->length < behind ||
	    memcmp(key->bytes + key->length - behind, FXT_JSON_AS_TEXT, behind) ||
	    !fxt_json_valid(arg->string.bytes, arg->string.length))
		return false;
	key->length -= behind;
	return true;
}

static bool wanted(const struct fxt_arg *arg, const char *const *skip)
{
	struct fxt_text key;

	if (fxt_json_arg_field(arg, &key) || fxt_json_arg_whole(arg))
		return false;
	for (; skip && *skip; skip++)
		if (fxt_text_equal(&arg->name, *skip))
			return false;
	return true;
}

/* More args, of an object's text: what is in its brackets. */
static bool put_more(struct fxt_out *out, const struct fxt_text *text, bool comma)
{
	const char *open = memchr(text->bytes, '{', text->length);
	const char *close = memrchr(text->bytes, '}', text->length);
	bool empty = true;
	const char *at;

	for (at = open + 1; at < close; at++)
		empty &= *at == ' ' || *at == '\n' || *at == '\t' || *at == '\r';
	if (empty)
		return comma;
	if (comma)
		put(out, ",", 1);
	put(out, open + 1, close - open - 1);
	return true;
}

static bool is_object(const struct fxt_text *text)
{
	__u32 i = 0;

	while (i < text->length && strchr(" \n\t\r", text->bytes[i]))
		i++;
	return i < text->length && text->bytes[i] == '{';
}

void fxt_json_put_args(struct fxt_out *out, const struct fxt_record *r, bool comma,
		       const char *const *skip)
{
	unsigned int i;

	for (i = 0; i < r->arg_count; i++) {
		const struct fxt_arg *arg = &r->args[i];
		struct fxt_text key = arg->name;

		if (!wanted(arg, skip))
			continue;
		if (fxt_json_arg_is_text(arg, &key)) {
			if (fxt_text_equal(&arg->name, FXT_JSON_MORE_ARGS) &&
			    is_object(&arg->string)) {
				comma = put_more(out, &arg->string, comma);
				continue;
			}
			fxt_json_put_key(out, comma, &key);
			put(out, arg->string.bytes, arg->string.length);
		} else {
			fxt_json_put_key(out, comma, &key);
			fxt_json_put_value(out, arg);
		}
		comma = true;
	}
}

/* Whether a reader of JSON gives the value the same type. */
static bool natural(const struct fxt_arg *arg)
{
	switch (arg->type) {
	case FXT_ARG_INT64:
		return arg->int64 != (__s32)arg->int64;
	case FXT_ARG_UINT64:
		return arg->uint64 >> 63;
	case FXT_ARG_DOUBLE:
		return isfinite(arg->real);
	case FXT_ARG_UINT32:
	case FXT_ARG_POINTER:
	case FXT_ARG_KOID:
	case FXT_ARG_BLOB:
		return false;
	default:
		return true;
	}
}

void fxt_json_put_types(struct fxt_out *out, const struct fxt_record *r, const char *const *skip)
{
	char letters[FXT_ARGS_MAX + 1];
	unsigned int i, count = 0;
	bool all = true;

	for (i = 0; i < r->arg_count; i++) {
		const struct fxt_arg *arg = &r->args[i];

		if (!wanted(arg, skip) || fxt_text_equal(&arg->name, FXT_JSON_MORE_ARGS))
			continue;
		letters[count++] = arg->type <= FXT_ARG_BLOB ? FXT_JSON_TYPE_LETTERS[arg->type] : 'n';
		all &= natural(arg);
	}
	if (all)
		return;
	letters[count] = 0;
	fxt_out_text(out, ",\"" FXT_JSON_TYPES "\":\"");
	fxt_out_text(out, letters);
	put(out, "\"", 1);
}
