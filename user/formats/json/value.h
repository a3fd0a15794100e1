/* SPDX-License-Identifier: GPL-2.0-only */
/* One JSON value, gathered as it is parsed: its text, and for an event's object its fields. */
#ifndef FXT_CONVERT_JSON_VALUE_H
#define FXT_CONVERT_JSON_VALUE_H

#include "codec/record.h"
#include "formats/json/scan.h"
#include "util/json_writer.h"

#define FXT_JSON_VALUE_MAX	((size_t)4 << 20)	/* bytes of an event or a member's entry */
#define FXT_JSON_FIELDS_MAX	4096u

/* The object that a field is a member of. */
enum fxt_json_place {
	FXT_JSON_OF_EVENT, FXT_JSON_OF_ARGS, FXT_JSON_OF_ID2, FXT_JSON_OF_OUT, FXT_JSON_OF_IN,
};

/*
 * Offsets, as the buffers grow.  A key stands between "json." and ":json", as
 * records use it with either to name what they keep.
 */
struct fxt_json_field {
	enum fxt_json_place place;
	enum fxt_json_type type;
	size_t key, key_length;		/* in names */
	size_t text, text_length;	/* the value as JSON, in json.text */
	size_t string, string_length;	/* a string's contents, in names */
};

struct fxt_json_value {
	struct fxt_json_writer json;	/* writes the value without spaces */
	struct fxt_buffer names;
	struct fxt_json_field *fields;
	unsigned int field_count;
	size_t field_room;
	unsigned int depth;		/* brackets that are open */
	/* One more than the index of the event's, and of its args' or id2's, last field; or 0. */
	unsigned int field_of_event, field_of_inner;
	enum fxt_json_place place;	/* of the fields at depth 2; OF_EVENT: there are none */
	/*
	 * Past FXT_JSON_VALUE_MAX, what its arrays and objects have is left out from there on;
	 * the fields of the outermost one are not.
	 */
	bool cut;
	bool keyed;			/* the next value has its key there */
	unsigned int skipping;		/* open brackets of a value that is left out */
	bool fieldless;			/* it has more fields than are in the list */
	bool partial;			/* too long all the same: what is taken only counts for depth */
};

void fxt_json_value_uninit(struct fxt_json_value *v);
void fxt_json_value_reset(struct fxt_json_value *v);

/* Takes the value's tokens, one after the other; 0, -ENOMEM, -E2BIG where it becomes partial. */
int fxt_json_value_take(struct fxt_json_value *v, enum fxt_json_token token,
			enum fxt_json_type type, const char *bytes, size_t length);

struct fxt_text fxt_json_field_key(const struct fxt_json_value *v, const struct fxt_json_field *f);
struct fxt_text fxt_json_field_text(const struct fxt_json_value *v,
				    const struct fxt_json_field *f);

/* A string's contents, any other value's text. */
struct fxt_text fxt_json_field_content(const struct fxt_json_value *v,
				       const struct fxt_json_field *f);

/* The last one of a key at a place, or NULL. */
const struct fxt_json_field *fxt_json_value_find(const struct fxt_json_value *v,
						 enum fxt_json_place place, const char *key);

/* The string of a key at a place; false, and an empty text, where it is none. */
bool fxt_json_value_string(const struct fxt_json_value *v, enum fxt_json_place place,
			   const char *key, struct fxt_text *text);

#endif
