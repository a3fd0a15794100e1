// SPDX-License-Identifier: GPL-2.0-only
/* Writes JSON: arguments. */
#include <math.h>
#include <string.h>

#include "formats/json/number.h"
#include "formats/json/scan.h"
#include "formats/json/write.h"
#include "util/digits.h"

void fxt_json_put_text(struct fxt_json_writer *w, const char *key, const struct fxt_text *text)
{
	fxt_json_key(w, key);
	fxt_json_string(w, text->bytes, text->length);
}

void fxt_json_put_us(struct fxt_json_writer *w, __u64 ns)
{
	char *to = fxt_json_room(w, 24);

	if (to)
		fxt_json_took(w, fxt_json_us(to, ns));
}

static void put_pointer(struct fxt_json_writer *w, __u64 pointer)
{
	char text[18] = "0x";

	fxt_json_string(w, text, fxt_digits_hex(text + 2, pointer, 1) - text);
}

static void put_blob(struct fxt_json_writer *w, const struct fxt_bytes *blob)
{
	char *to = fxt_json_room(w, 2 * (size_t)blob->length + 2);

	if (!to)
		return;
	*to = '"';
	to = fxt_digits_bytes(to + 1, blob->data, blob->length);
	*to++ = '"';
	fxt_json_took(w, to);
}

void fxt_json_put_value(struct fxt_json_writer *w, const struct fxt_arg *arg)
{
	switch (arg->type) {
	case FXT_ARG_INT32:
		fxt_json_signed(w, arg->int32);
		break;
	case FXT_ARG_UINT32:
		fxt_json_number(w, arg->uint32);
		break;
	case FXT_ARG_INT64:
		fxt_json_signed(w, arg->int64);
		break;
	case FXT_ARG_UINT64:
	case FXT_ARG_KOID:
		fxt_json_number(w, arg->uint64);
		break;
	case FXT_ARG_DOUBLE:
		fxt_json_double(w, arg->real);
		break;
	case FXT_ARG_STRING:
		fxt_json_string(w, arg->string.bytes, arg->string.length);
		break;
	case FXT_ARG_POINTER:
		put_pointer(w, arg->uint64);
		break;
	case FXT_ARG_BOOL:
		fxt_json_bool(w, arg->boolean);
		break;
	case FXT_ARG_BLOB:
		put_blob(w, &arg->blob);
		break;
	default:
		fxt_json_null(w);
	}
}

bool fxt_json_arg_field(const struct fxt_arg *arg, struct fxt_text *key)
{
	size_t before = strlen(FXT_JSON_FIELD);

	*key = arg->name;
	if (key->length <= before || !fxt_json_name_is_field(key))
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
	if (arg->type != FXT_ARG_STRING || !fxt_json_name_is_text(key) ||
	    !fxt_json_valid(arg->string.bytes, arg->string.length))
		return false;
	key->length -= strlen(FXT_JSON_AS_TEXT);
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

/* Writes more args: the members in an object's text. */
static void put_more(struct fxt_json_writer *w, const struct fxt_text *text)
{
	const char *open = memchr(text->bytes, '{', text->length);
	const char *close = memrchr(text->bytes, '}', text->length);
	const char *at;

	for (at = open + 1; at < close; at++)
		if (!strchr(" \n\t\r", *at)) {
			fxt_json_raw(w, open + 1, close - open - 1);
			break;
		}
}

static bool is_object(const struct fxt_text *text)
{
	__u32 i = 0;

	while (i < text->length && strchr(" \n\t\r", text->bytes[i]))
		i++;
	return i < text->length && text->bytes[i] == '{';
}

void fxt_json_put_args(struct fxt_json_writer *w, const struct fxt_record *r,
		       const char *const *skip)
{
	unsigned int i;

	for (i = 0; i < r->arg_count; i++) {
		const struct fxt_arg *arg = &r->args[i];
		struct fxt_text key = arg->name;
		bool text;

		if (!wanted(arg, skip))
			continue;
		text = fxt_json_arg_is_text(arg, &key);
		if (text && fxt_text_equal(&arg->name, FXT_JSON_MORE_ARGS) &&
		    is_object(&arg->string)) {
			put_more(w, &arg->string);
			continue;
		}
		fxt_json_key_text(w, key.bytes, key.length);
		if (text)
			fxt_json_raw(w, arg->string.bytes, arg->string.length);
		else
			fxt_json_put_value(w, arg);
	}
}

/* Returns whether a reader of JSON gives the value the same type. */
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

bool fxt_json_args_letters(const struct fxt_record *r, const char *const *skip, char *letters, bool *all_natural)
{
	unsigned int i, count = 0;
	bool any = false;

	*all_natural = true;
	for (i = 0; i < r->arg_count; i++) {
		const struct fxt_arg *arg = &r->args[i];

		if (!wanted(arg, skip))
			continue;
		any = true;
		if (fxt_text_equal(&arg->name, FXT_JSON_MORE_ARGS))
			continue;
		letters[count++] = arg->type <= FXT_ARG_BLOB ? FXT_JSON_TYPE_LETTERS[arg->type] : 'n';
		*all_natural &= natural(arg);
	}
	letters[count] = 0;
	return any;
}

bool fxt_json_put_types(struct fxt_json_writer *w, const struct fxt_record *r,
			const char *const *skip)
{
	char letters[FXT_ARGS_MAX + 1];
	bool all, any = fxt_json_args_letters(r, skip, letters, &all);

	if (!all)
		fxt_json_put_word(w, FXT_JSON_TYPES, letters);
	return any;
}

void fxt_json_put_all_args(struct fxt_json_writer *w, const struct fxt_record *r)
{
	if (!fxt_json_put_types(w, r, NULL))
		return;
	fxt_json_key(w, "args");
	fxt_json_open(w, '{');
	fxt_json_put_args(w, r, NULL);
	fxt_json_close(w, '}');
}
