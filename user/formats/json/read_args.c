// SPDX-License-Identifier: GPL-2.0-only
/* Reads JSON: arguments, from args and from other fields. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/json/read.h"

/* Returns a field's key, with "json." before it and ":json" after it, if need be. */
static struct fxt_text name_of(const struct fxt_json_value *v, const struct fxt_json_field *f,
			       bool as_text)
{
	size_t before = f->place == FXT_JSON_OF_ARGS ? 0 : strlen(FXT_JSON_FIELD);
	size_t behind = as_text ? strlen(FXT_JSON_AS_TEXT) : 0;

	return fxt_build_text(v->names.bytes + f->key - before, before + f->key_length + behind);
}

static int number_read(struct fxt_record *r, struct fxt_text name, struct fxt_text as_text,
		       struct fxt_text text)
{
	struct fxt_json_number number;

	fxt_json_number_parse(&number, text.bytes, text.length);
	switch (number.type) {
	case FXT_JSON_INT:
		return fxt_build_arg_int(r, name, number.integer);
	case FXT_JSON_UINT:
		return fxt_build_arg_uint(r, name, number.natural);
	case FXT_JSON_DOUBLE:
		return fxt_build_arg_double(r, name, number.real);
	case FXT_JSON_BEYOND:
		break;
	}
	return fxt_build_arg_string(r, as_text, text);
}

int fxt_json_arg_read(struct fxt_json_reader *rd, const struct fxt_json_field *f)
{
	const struct fxt_json_value *v = &rd->value;
	struct fxt_text name = name_of(v, f, false), as_text = name_of(v, f, true);
	struct fxt_text text = fxt_json_field_content(v, f);

	if (as_text.length > FXT_STRING_BYTES_MAX || text.length > FXT_STRING_BYTES_MAX)
		return -E2BIG;
	switch (f->type) {
	case FXT_JSON_NULL:
		return fxt_build_arg_null(&rd->r, name);
	case FXT_JSON_FALSE:
	case FXT_JSON_TRUE:
		return fxt_build_arg_bool(&rd->r, name, f->type == FXT_JSON_TRUE);
	case FXT_JSON_NUMBER:
		return number_read(&rd->r, name, as_text, text);
	case FXT_JSON_STRING:
		return fxt_build_arg_string(&rd->r, name, text);
	default:
		return fxt_build_arg_string(&rd->r, as_text, text);
	}
}

static __s64 integer_of(const struct fxt_arg *arg)
{
	return arg->type == FXT_ARG_INT32 ? arg->int32 : arg->int64;
}

static bool integer(const struct fxt_arg *arg)
{
	return arg->type == FXT_ARG_INT32 || arg->type == FXT_ARG_INT64 ||
	       arg->type == FXT_ARG_UINT64 || arg->type == FXT_ARG_UINT32;
}

static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Replaces hexadecimal digits by the blob's bytes. */
static void blob_of(struct fxt_arg *arg)
{
	char *at = (char *)arg->string.bytes;
	__u32 i, length = arg->string.length / 2;

	for (i = 0; i < 2 * length; i++)
		if (hex(at[i]) < 0)
			return;
	if (arg->string.length % 2)
		return;
	for (i = 0; i < length; i++)
		at[i] = hex(at[2 * i]) << 4 | hex(at[2 * i + 1]);
	arg->type = FXT_ARG_BLOB;
	arg->blob.data = (const __u8 *)at;
	arg->blob.length = length;
}

static void string_retype(struct fxt_arg *arg, char letter)
{
	struct fxt_text text = arg->string;
	__u64 pointer = 0;
	__u32 i;

	if (letter == 'B') {
		blob_of(arg);
	} else if (letter == 'd') {
		arg->type = FXT_ARG_DOUBLE;
		arg->real = fxt_text_equal(&text, "NaN") ? NAN :
			    fxt_text_equal(&text, "-Infinity") ? -INFINITY : INFINITY;
	} else if (letter == 'p' && text.length > 2 && text.length <= 18) {
		for (i = 2; i < text.length; i++) {
			if (hex(text.bytes[i]) < 0)
				return;
			pointer = pointer << 4 | hex(text.bytes[i]);
		}
		arg->type = FXT_ARG_POINTER;
		arg->uint64 = pointer;
	}
}

/* Sets the type of an argument by its letter in "fxt.types". */
static void retype(struct fxt_arg *arg, char letter)
{
	const char *found = strchr(FXT_JSON_TYPE_LETTERS, letter);
	__s64 value;

	if (!letter || !found)
		return;
	if (arg->type == FXT_ARG_STRING) {
		string_retype(arg, letter);
		return;
	}
	if (!integer(arg) || !strchr("uIUk", letter))
		return;
	value = integer_of(arg);
	if (letter == 'u' && arg->type != FXT_ARG_UINT64 && value == (__u32)value) {
		arg->type = FXT_ARG_UINT32;
		arg->uint32 = value;
	} else if (letter == 'I' && arg->type != FXT_ARG_UINT64) {
		arg->type = FXT_ARG_INT64;
		arg->int64 = value;
	} else if (letter == 'U' || letter == 'k') {
		arg->type = letter == 'U' ? FXT_ARG_UINT64 : FXT_ARG_KOID;
		arg->uint64 = value;
	}
}

int fxt_json_arg_read_as(struct fxt_json_reader *rd, const struct fxt_json_field *f, char letter)
{
	int err = fxt_json_arg_read(rd, f);

	if (!err)
		retype(&rd->r.args[rd->r.arg_count - 1], letter);
	return err;
}

bool fxt_json_arg_reserved(const struct fxt_json_value *v, const struct fxt_json_field *f)
{
	struct fxt_text key = fxt_json_field_key(v, f);

	/* "args" with the suffix ":json" would be FXT_JSON_MORE_ARGS. */
	if (f->type == FXT_JSON_OBJECT && fxt_text_equal(&key, "args"))
		return true;
	return fxt_json_name_is_field(&key) || fxt_json_name_is_text(&key);
}

void fxt_json_more_clear(struct fxt_json_reader *rd)
{
	rd->more.text.length = 0;
	rd->more.comma = false;
}

void fxt_json_more_add(struct fxt_json_reader *rd, const struct fxt_json_field *f)
{
	struct fxt_text key = fxt_json_field_key(&rd->value, f);
	struct fxt_text text = fxt_json_field_text(&rd->value, f);

	if (!rd->more.text.length)
		fxt_json_open(&rd->more, '{');
	fxt_json_key_text(&rd->more, key.bytes, key.length);
	fxt_json_raw(&rd->more, text.bytes, text.length);
}

int fxt_json_more_put(struct fxt_json_reader *rd)
{
	struct fxt_buffer *text = &rd->more.text;

	if (!text->length)
		return 0;
	fxt_json_close(&rd->more, '}');
	if (text->failed || text->length > FXT_STRING_BYTES_MAX)
		return -E2BIG;
	return fxt_build_arg_string(&rd->r, fxt_build_string(FXT_JSON_MORE_ARGS),
				    fxt_build_text(text->bytes, text->length));
}

static bool wanted(const struct fxt_json_reader *rd, const struct fxt_json_field *f,
		   const char *skip)
{
	struct fxt_text key = fxt_json_field_key(&rd->value, f);

	return f->place == FXT_JSON_OF_ARGS && (!skip || !fxt_text_equal(&key, skip));
}

int fxt_json_args_read(struct fxt_json_reader *rd, const char *skip)
{
	const struct fxt_json_value *v = &rd->value;
	struct fxt_text letters;
	unsigned int i, room = FXT_ARGS_MAX - rd->r.arg_count, count = 0, native = 0, seen = 0;
	int err = 0;

	fxt_json_value_string(v, FXT_JSON_OF_EVENT, FXT_JSON_TYPES, &letters);
	for (i = 0; i < v->field_count; i++) {
		if (!wanted(rd, &v->fields[i], skip))
			continue;
		count++;
		native += !fxt_json_arg_reserved(v, &v->fields[i]);
	}
	/* The last argument is reserved for the args that don't fit. */
	if (native > room || native < count)
		native = native < room ? native : room ? room - 1 : 0;
	fxt_json_more_clear(rd);
	for (i = 0; i < v->field_count && !err; i++) {
		const struct fxt_json_field *f = &v->fields[i];

		if (!wanted(rd, f, skip))
			continue;
		if (!native || fxt_json_arg_reserved(v, f)) {
			fxt_json_more_add(rd, f);
			continue;
		}
		native--;
		err = fxt_json_arg_read_as(rd, f, seen < letters.length ? letters.bytes[seen] : 0);
		seen++;
	}
	return err ? err : fxt_json_more_put(rd);
}
