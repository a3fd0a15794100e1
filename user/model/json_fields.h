/* SPDX-License-Identifier: GPL-2.0-only */
/* How records keep what only JSON has, for formats that read or write it: Documentation/conversion.rst. */
#ifndef FXT_MODEL_JSON_FIELDS_H
#define FXT_MODEL_JSON_FIELDS_H

#include <string.h>

#include "codec/provider.h"

/* The provider of events from JSON. */
#define FXT_JSON_OF_JSON	"json"

/* An argument "json.X" is field X of the event itself, not one of its args. */
#define FXT_JSON_FIELD		"json."

/* A string argument "X:json" is X; the string is its value as JSON text. */
#define FXT_JSON_AS_TEXT	":json"

/* Phase of an entry of the member "samples" where it is an event here. */
#define FXT_JSON_SAMPLES	"samples"

/* Whether a record was an event of JSON. */
static inline bool fxt_json_is_of(const struct fxt_record *r)
{
	return r->provider && !strcmp(r->provider->name, FXT_JSON_OF_JSON);
}

/* Whether a name begins with FXT_JSON_FIELD, and whether it ends with FXT_JSON_AS_TEXT. */
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
