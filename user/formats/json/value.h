/* SPDX-License-Identifier: GPL-2.0-only */
/* A JSON value, gathered as it is parsed: its text, and for an event's object its fields. */
#ifndef FXT_CONVERT_JSON_VALUE_H
#define FXT_CONVERT_JSON_VALUE_H

#include "codec/record.h"
#include "formats/json/scan.h"
#include "util/json_writer.h"

#define FXT_JSON_VALUE_MAX	((size_t)4 << 20)	/* longest event or member's entry, in bytes */
#define FXT_JSON_FIELDS_MAX	4096u

/* Object that a field is a member of. */
enum fxt_json_place {
	FXT_JSON_OF_EVENT, FXT_JSON_OF_ARGS, FXT_JSON_OF_ID2, FXT_JSON_OF_OUT, FXT_JSON_OF_IN,
};

/*
 * A field; positions are offsets, as the buffers grow.  A key is stored between "json." and ":json", as records may use
 * it with either.
 */
struct fxt_json_field {
	enum fxt_json_place place;
	enum fxt_json_type type;
	size_t key, key_length;		/* position in names */
	size_t text, text_length;	/* value as JSON, in json.text */
	size_t string, string_length;	/* string's contents, in names */
};

struct fxt_json_value {
	struct fxt_json_writer json;	/* writes the value without spaces */
	struct fxt_buffer names;
	struct fxt_json_field *fields;
	unsigned int field_count;
	size_t field_room;
	unsigned int depth;		/* number of open brackets */
	/* Indices + 1 of the last field of the event, and of its inner object; 0: no field. */
	unsigned int field_of_event, field_of_inner;
	enum fxt_json_place place;	/* object of the fields at depth 2; OF_EVENT: no fields there */
	/*
	 * The value is above FXT_JSON_VALUE_MAX: further contents of its arrays and objects are left out, except for
	 * the fields of the outermost object.
	 */
	bool cut;
	bool keyed;			/* the last token was a key that was kept */
	unsigned int skipping;		/* open brackets of a value that is left out */
	bool fieldless;			/* it has more fields than the list */
	bool partial;			/* above the hard limit: further tokens only change the depth */
};

void fxt_json_value_uninit(struct fxt_json_value *v);
void fxt_json_value_reset(struct fxt_json_value *v);

/* Takes the value's tokens, one after the other; 0, -ENOMEM, -E2BIG where it becomes partial. */
int fxt_json_value_take(struct fxt_json_value *v, enum fxt_json_token token,
			enum fxt_json_type type, const char *bytes, size_t length);

struct fxt_text fxt_json_field_key(const struct fxt_json_value *v, const struct fxt_json_field *f);
struct fxt_text fxt_json_field_text(const struct fxt_json_value *v,
				    const struct fxt_json_field *f);

/* Returns a string's contents, or any other value's text. */
struct fxt_text fxt_json_field_content(const struct fxt_json_value *v,
				       const struct fxt_json_field *f);

/* Returns the last field with a key in an object, or NULL. */
const struct fxt_json_field *fxt_json_value_find(const struct fxt_json_value *v,
						 enum fxt_json_place place, const char *key);

/* Finds the string with a key in an object; false, and an empty text, where there is no string. */
bool fxt_json_value_string(const struct fxt_json_value *v, enum fxt_json_place place,
			   const char *key, struct fxt_text *text);

#endif
