// SPDX-License-Identifier: GPL-2.0-only
/* Gathers one JSON value as it is parsed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/json/names.h"
#include "formats/json/value.h"
#include "model/build.h"
#include "util/array.h"

void fxt_json_value_uninit(struct fxt_json_value *v)
{
	fxt_buffer_uninit(&v->json.text);
	fxt_buffer_uninit(&v->names);
	free(v->fields);
}

void fxt_json_value_reset(struct fxt_json_value *v)
{
	v->json.text.length = 0;
	v->json.comma = v->json.keyed = false;
	v->names.length = 0;
	v->field_count = 0;
	v->depth = 0;
	v->field_of_event = v->field_of_inner = 0;
	v->place = FXT_JSON_OF_EVENT;
	v->partial = v->cut = v->keyed = v->fieldless = false;
	v->skipping = 0;
}

#define OWN_FIELDS	256u

/* Limit of a cut value: its outermost fields, and the string that made it too long. */
#define HARD_MAX	(FXT_JSON_VALUE_MAX + 3 * FXT_JSON_TOKEN_MAX)

/* Returns the field that a value at the current depth belongs to. */
static struct fxt_json_field *field_here(struct fxt_json_value *v)
{
	unsigned int field = v->depth == 1 ? v->field_of_event :
			     v->depth == 2 ? v->field_of_inner : 0;

	return field ? &v->fields[field - 1] : NULL;
}

static bool key_is(const struct fxt_json_value *v, const struct fxt_json_field *f,
		   const char *key)
{
	struct fxt_text text = fxt_json_field_key(v, f);

	return fxt_text_equal(&text, key);
}

/* Sets the object that the fields of an inner object or array belong to. */
static void place_set(struct fxt_json_value *v, const struct fxt_json_field *f,
		      enum fxt_json_type type)
{
	v->field_of_inner = 0;
	v->place = FXT_JSON_OF_EVENT;
	if (!f || type != FXT_JSON_OBJECT)
		return;
	if (key_is(v, f, "args"))
		v->place = FXT_JSON_OF_ARGS;
	else if (key_is(v, f, "id2"))
		v->place = FXT_JSON_OF_ID2;
	else if (key_is(v, f, "out"))
		v->place = FXT_JSON_OF_OUT;
	else if (key_is(v, f, "in"))
		v->place = FXT_JSON_OF_IN;
}

static int field_add(struct fxt_json_value *v, enum fxt_json_place place, const char *key,
		     size_t length)
{
	unsigned int *here = place == FXT_JSON_OF_EVENT ? &v->field_of_event : &v->field_of_inner;
	struct fxt_json_field *f;

	*here = 0;
	/* Fields of args leave some of the list for the event's own. */
	if (v->field_count >= FXT_JSON_FIELDS_MAX - (place == FXT_JSON_OF_EVENT ? 0 : OWN_FIELDS)) {
		v->fieldless = true;
		return 0;
	}
	if (fxt_array_reach(v->fields, v->field_room, v->field_count))
		return -ENOMEM;
	f = &v->fields[v->field_count++];
	*f = (struct fxt_json_field){ .place = place, .key_length = length };
	fxt_buffer_put(&v->names, FXT_JSON_FIELD, strlen(FXT_JSON_FIELD));
	f->key = v->names.length;
	fxt_buffer_put(&v->names, key, length);
	fxt_buffer_put(&v->names, FXT_JSON_AS_TEXT, strlen(FXT_JSON_AS_TEXT));
	*here = v->field_count;
	return 0;
}

static int key_take(struct fxt_json_value *v, const char *key, size_t length)
{
	fxt_json_key_text(&v->json, key, length);
	if (v->depth == 1)
		return field_add(v, FXT_JSON_OF_EVENT, key, length);
	if (v->depth == 2 && v->place != FXT_JSON_OF_EVENT)
		return field_add(v, v->place, key, length);
	return 0;
}

static void open_take(struct fxt_json_value *v, enum fxt_json_type type)
{
	struct fxt_json_field *f = field_here(v);

	if (f)
		f->text = v->json.text.length;
	if (v->depth == 1)
		place_set(v, f, type);
	fxt_json_open(&v->json, type == FXT_JSON_OBJECT ? '{' : '[');
}

/* Takes a scalar, or the bracket at a value's end. */
static void value_take(struct fxt_json_value *v, enum fxt_json_token token,
		       enum fxt_json_type type, const char *bytes, size_t length)
{
	struct fxt_json_field *f = field_here(v);

	if (f && token == FXT_JSON_SCALAR)
		f->text = v->json.text.length;
	if (f && type == FXT_JSON_STRING) {
		f->string = v->names.length;
		f->string_length = length;
		fxt_buffer_put(&v->names, bytes, length);
	}
	if (token == FXT_JSON_CLOSE)
		fxt_json_close(&v->json, type == FXT_JSON_OBJECT ? '}' : ']');
	else if (type == FXT_JSON_STRING)
		fxt_json_string(&v->json, bytes, length);
	else
		fxt_json_raw(&v->json, bytes, length);
	if (f) {
		f->type = type;
		f->text_length = v->json.text.length - f->text;
	}
}

static bool past(const struct fxt_json_value *v, size_t max)
{
	return v->json.text.length > max || v->names.length > max;
}

/* Returns whether a token is left out, as it is inside a value that is too long. */
static bool left_out(struct fxt_json_value *v, enum fxt_json_token token)
{
	bool keyed = v->keyed;

	v->keyed = false;
	if (v->skipping) {
		v->skipping += token == FXT_JSON_OPEN;
		v->skipping -= token == FXT_JSON_CLOSE;
		return true;
	}
	v->cut |= past(v, FXT_JSON_VALUE_MAX);
	if (!v->cut || v->depth <= 1 || keyed || token == FXT_JSON_CLOSE) {
		v->keyed = token == FXT_JSON_KEY;
		return false;
	}
	v->skipping = token == FXT_JSON_OPEN;
	return true;
}

int fxt_json_value_take(struct fxt_json_value *v, enum fxt_json_token token,
			enum fxt_json_type type, const char *bytes, size_t length)
{
	int err = 0;

	v->depth -= token == FXT_JSON_CLOSE;
	if (v->partial || left_out(v, token))
		;
	else if (token == FXT_JSON_KEY)
		err = key_take(v, bytes, length);
	else if (token == FXT_JSON_OPEN)
		open_take(v, type);
	else
		value_take(v, token, type, bytes, length);
	v->depth += token == FXT_JSON_OPEN;
	if (v->json.text.failed || v->names.failed)
		return -ENOMEM;
	if (!v->partial && past(v, HARD_MAX))
		err = -E2BIG;
	v->partial |= err == -E2BIG;
	return err;
}

struct fxt_text fxt_json_field_key(const struct fxt_json_value *v, const struct fxt_json_field *f)
{
	return fxt_build_text(v->names.bytes + f->key, f->key_length);
}

struct fxt_text fxt_json_field_text(const struct fxt_json_value *v,
				    const struct fxt_json_field *f)
{
	return fxt_build_text(v->json.text.bytes + f->text, f->text_length);
}

struct fxt_text fxt_json_field_content(const struct fxt_json_value *v,
				       const struct fxt_json_field *f)
{
	return f->type == FXT_JSON_STRING ? fxt_build_text(v->names.bytes + f->string, f->string_length) :
					    fxt_json_field_text(v, f);
}

const struct fxt_json_field *fxt_json_value_find(const struct fxt_json_value *v,
						 enum fxt_json_place place, const char *key)
{
	unsigned int i;

	for (i = v->field_count; i-- > 0;)
		if (v->fields[i].place == place && key_is(v, &v->fields[i], key))
			return &v->fields[i];
	return NULL;
}

bool fxt_json_value_string(const struct fxt_json_value *v, enum fxt_json_place place,
			   const char *key, struct fxt_text *text)
{
	const struct fxt_json_field *f = fxt_json_value_find(v, place, key);
	bool found = f && f->type == FXT_JSON_STRING;

	*text = found ? fxt_json_field_content(v, f) : fxt_build_text("", 0);
	return found;
}
