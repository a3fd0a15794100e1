/* SPDX-License-Identifier: GPL-2.0-only */
/* Names for parts that only JSON has, in records from or for JSON: Documentation/conversion.rst. */
#ifndef FXT_MODEL_JSON_FIELDS_H
#define FXT_MODEL_JSON_FIELDS_H

#include <string.h>

#include "codec/provider.h"

/* Name of the provider of events from JSON. */
#define FXT_JSON_OF_JSON	"json"

/* An argument "json.X" is field X of the event itself, not one of its args. */
#define FXT_JSON_FIELD		"json."

/* A string argument "X:json" is an argument X; the string is X's value as JSON text. */
#define FXT_JSON_AS_TEXT	":json"

/* Phase of an event that was an entry of the member "samples". */
#define FXT_JSON_SAMPLES	"samples"

/* Returns whether a record was an event of JSON. */
static inline bool fxt_json_is_of(const struct fxt_record *r)
{
	return r->provider && !strcmp(r->provider->name, FXT_JSON_OF_JSON);
}

/* Return whether a name starts with FXT_JSON_FIELD, or ends with FXT_JSON_AS_TEXT. */
static inline bool fxt_json_name_is_field(const struct fxt_text *name)
{
	size_t bytes = strlen(FXT_JSON_FIELD);

	return name->length >= bytes && !memcmp(name->bytes, FXT_JSON_FIELD, bytes);
}

static inline bool fxt_json_name_is_text(const struct fxt_text *name)
{
	size_t bytes = strlen(FXT_JSON_AS_TEXT);

	return name->length >= bytes && !memcmp(name->bytes + name->length - bytes, FXT_JSON_AS_TEXT, bytes);
}

#endif
