// SPDX-License-Identifier: GPL-2.0-only
/* One JSON value, gathered as it is parsed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "convert/json/event.h"
#include "convert/json/names.h"
#include "util/utf8.h"

void fxt_json_value_uninit(struct fxt_json_value *v)
{
	fxt_json_text_uninit(&v->text);
	fxt_json_text_uninit(&v->names);
	free(v->fields);
}

void fxt_json_value_reset(struct fxt_json_value *v)
{
	v->text.length = 0;
	v->names.length = 0;
	v->field_count = 0;
	v->depth = 0;
	v->more[0] = false;
	v->object[0] = false;
	v->whole = false;
	v->partial = false;
}

/* How a step ended: within the limits? */
static int state(const struct fxt_json_value *v)
{
	if (v->text.failed || v->names.failed)
		return -ENOMEM;
	return v->text.length > FXT_JSON_VALUE_MAX || v->names.length > FXT_JSON_VALUE_MAX ?
	       -E2BIG : 0;
}

/* The field whose value stands at this depth is the last one begun there. */
static struct fxt_json_field *field_of(struct fxt_json_value *v, unsigned int depth)
{
	unsigned int i;

	if (!depth || depth > 2 || !v->object[depth] ||
	    (depth == 2 && v->place == FXT_JSON_OF_EVENT))
		return NULL;
	for (i = v->field_count; i-- > 0;)
		if ((v->fields[i].place == FXT_JSON_OF_EVENT) == (depth == 1))
			return &v->fields[i];
	return NULL;
}

/* A value begins: the comma before it in an array. */
static void begin(struct fxt_json_value *v)
{
	struct fxt_json_field *f = field_of(v, v->depth);

	if (v->more[v->depth] && !v->object[v->depth])
		fxt_json_text_put(&v->text, ",", 1);
	v->more[v->depth] = true;
	if (f)
		f->text = v->text.length;
}

static void end(struct fxt_json_value *v, enum fxt_json_type type)
{
	struct fxt_json_field *f = field_of(v, v->depth);

	if (f) {
		f->type = type;
		f->text_length = v->text.length - f->text;
	}
	v->whole = !v->depth;
}

static bool key_is(const struct fxt_json_value *v, const struct fxt_json_field *f,
		   const char *key)
{
	struct fxt_text text = fxt_json_field_key(v, f);

	return fxt_text_equal(&text, key);
}

int fxt_json_value_open(struct fxt_json_value *v, bool object)
{
	struct fxt_json_field *f = field_of(v, v->depth);

	begin(v);
	if (v->depth == 1) {
		v->place = FXT_JSON_OF_EVENT;
		if (f && object && key_is(v, f, "args"))
			v->place = FXT_JSON_OF_ARGS;
		else if (f && object && key_is(v, f, "id2"))
			v->place = FXT_JSON_OF_ID2;
	}
	fxt_json_text_put(&v->text, object ? "{" : "[", 1);
	if (v->depth == FXT_JSON_DEPTH_MAX)
		return -E2BIG;
	v->depth++;
	v->more[v->depth] = false;
	v->object[v->depth] = object;
	return state(v);
}

int fxt_json_value_close(struct fxt_json_value *v)
{
	bool object = v->object[v->depth];

	fxt_json_text_put(&v->text, object ? "}" : "]", 1);
	v->depth--;
	end(v, object ? FXT_JSON_OBJECT : FXT_JSON_ARRAY);
	return state(v);
}

/* The parser lets halves of surrogate pairs pass. */
static void string_put(struct fxt_json_value *v, const char *bytes, size_t length)
{
	fxt_json_text_put(&v->names, bytes, length);
	if (!v->names.failed)
		fxt_utf8_mend(v->names.bytes + v->names.length - length, length);
}

static int field_add(struct fxt_json_value *v, enum fxt_json_place place, const char *key,
		     size_t length)
{
	struct fxt_json_field *f;

	if (v->field_count == FXT_JSON_FIELDS_MAX)
		return -E2BIG;
	if (v->field_count == v->field_room) {
		unsigned int room = v->field_room ? 2 * v->field_room : 32;

		f = realloc(v->fields, room * sizeof(*f));
		if (!f)
			return -ENOMEM;
		v->fields = f;
		v->field_room = room;
	}
	f = &v->fields[v->field_count++];
	*f = (struct fxt_json_field){ .place = place, .key_length = length };
	fxt_json_text_put(&v->names, FXT_JSON_FIELD, strlen(FXT_JSON_FIELD));
	f->key = v->names.length;
	string_put(v, key, length);
	fxt_json_text_put(&v->names, FXT_JSON_AS_TEXT, strlen(FXT_JSON_AS_TEXT));
	return 0;
}

int fxt_json_value_key(struct fxt_json_value *v, const char *key, size_t length)
{
	int err = 0;

	if (v->more[v->depth])
		fxt_json_text_put(&v->text, ",", 1);
	fxt_json_text_string(&v->text, key, length);
	fxt_json_text_put(&v->text, ":", 1);
	if (v->depth == 1)
		err = field_add(v, FXT_JSON_OF_EVENT, key, length);
	else if (v->depth == 2 && v->place != FXT_JSON_OF_EVENT)
		err = field_add(v, v->place, key, length);
	return err ? err : state(v);
}

int fxt_json_value_scalar(struct fxt_json_value *v, enum fxt_json_type type, const char *bytes,
			  size_t length)
{
	struct fxt_json_field *f = field_of(v, v->depth);

	begin(v);
	if (type != FXT_JSON_STRING) {
		fxt_json_text_put(&v->text, bytes, length);
	} else {
		fxt_json_text_string(&v->text, bytes, length);
		if (f) {
			f->string = v->names.length;
			f->string_length = length;
			string_put(v, bytes, length);
		}
	}
	end(v, type);
	return state(v);
}

struct fxt_text fxt_json_field_key(const struct fxt_json_value *v, const struct fxt_json_field *f)
{
	return (struct fxt_text){ .bytes = v->names.bytes + f->key, .length = f->key_length };
}

struct fxt_text fxt_json_field_text(const struct fxt_json_value *v,
				    const struct fxt_json_field *f)
{
	return (struct fxt_text){ .bytes = v->text.bytes + f->text, .length = f->text_length };
}

struct fxt_text fxt_json_field_string(const struct fxt_json_value *v,
				      const struct fxt_json_field *f)
{
	return (struct fxt_text){ .bytes = v->names.bytes + f->string,
				  .length = f->string_length };
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
