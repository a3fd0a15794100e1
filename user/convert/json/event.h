/* SPDX-License-Identifier: GPL-2.0-only */
/* One JSON value, gathered as it is parsed: its text, and for an event's object its fields. */
#ifndef FXT_CONVERT_JSON_EVENT_H
#define FXT_CONVERT_JSON_EVENT_H

#include "codec/record.h"
#include "convert/json/scan.h"

#define FXT_JSON_VALUE_MAX	((size_t)1 << 20)	/* bytes of an event or a member's entry */
#define FXT_JSON_FIELDS_MAX	4096u

enum fxt_json_type {
	FXT_JSON_NULL,
	FXT_JSON_FALSE,
	FXT_JSON_TRUE,
	FXT_JSON_NUMBER,
	FXT_JSON_STRING,
	FXT_JSON_OBJECT,
	FXT_JSON_ARRAY,
};

/* What a field is one of. */
enum fxt_json_place { FXT_JSON_OF_EVENT, FXT_JSON_OF_ARGS, FXT_JSON_OF_ID2 };

/*
 * Offsets, as the buffers grow.  A key stands between "json." and ":json", to
 * be taken with either, as records name what they keep.
 */
struct fxt_json_field {
	enum fxt_json_place place;
	enum fxt_json_type type;
	size_t key, key_length;		/* in names */
	size_t text, text_length;	/* the value as JSON, in text */
	size_t string, string_length;	/* a string's contents, in names */
};

struct fxt_json_value {
	struct fxt_json_text text;	/* as JSON, without spaces */
	struct fxt_json_text names;
	struct fxt_json_field *fields;
	unsigned int field_count;
	unsigned int field_room;
	unsigned int depth;		/* brackets that are open */
	bool more[FXT_JSON_DEPTH_MAX + 1];	/* by depth: a comma is due */
	bool object[FXT_JSON_DEPTH_MAX + 1];
	enum fxt_json_place place;	/* of the fields at depth 2 */
	bool whole;			/* has begun and ended */
	bool partial;			/* some of it is too long, and missing */
};

void fxt_json_value_uninit(struct fxt_json_value *v);
void fxt_json_value_reset(struct fxt_json_value *v);

/* What the parser finds, one after the other; 0, -ENOMEM, -E2BIG past the limits. */
int fxt_json_value_open(struct fxt_json_value *v, bool object);
int fxt_json_value_close(struct fxt_json_value *v);
int fxt_json_value_key(struct fxt_json_value *v, const char *key, size_t length);
int fxt_json_value_scalar(struct fxt_json_value *v, enum fxt_json_type type, const char *bytes,
			  size_t length);

struct fxt_text fxt_json_field_key(const struct fxt_json_value *v, const struct fxt_json_field *f);
struct fxt_text fxt_json_field_text(const struct fxt_json_value *v,
				    const struct fxt_json_field *f);
struct fxt_text fxt_json_field_string(const struct fxt_json_value *v,
				      const struct fxt_json_field *f);

/* The last one of a key at a place, or NULL. */
const struct fxt_json_field *fxt_json_value_find(const struct fxt_json_value *v,
						 enum fxt_json_place place, const char *key);

#endif
