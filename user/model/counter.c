// SPDX-License-Identifier: GPL-2.0-only
/* Reads the values of counters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/counter.h"
#include "model/json_fields.h"
#include "store/hash.h"

bool fxt_counter_text(const struct fxt_text *text, double *value)
{
	char copy[40], *end;

	if (!text->length || text->length >= sizeof(copy) || !strchr("-+.0123456789", *text->bytes))
		return false;
	memcpy(copy, text->bytes, text->length);
	copy[text->length] = '\0';
	*value = strtod(copy, &end);
	return !*end && isfinite(*value);
}

bool fxt_counter_value(const struct fxt_arg *arg, double *value)
{
	if (arg->name.length > strlen(FXT_JSON_FIELD) && fxt_json_name_is_field(&arg->name))
		return false;
	return arg->type == FXT_ARG_STRING ? fxt_counter_text(&arg->string, value) : !fxt_arg_real(arg, value);
}

unsigned int fxt_counter_series(const struct fxt_record *r)
{
	unsigned int i, count = 0;
	double value;

	for (i = 0; i < r->arg_count; i++)
		count += fxt_counter_value(&r->args[i], &value);
	return count;
}

bool fxt_counter_continues(struct fxt_counter_part *last, const struct fxt_record *r)
{
	struct fxt_counter_part part = {
		.full = r->arg_count == FXT_ARGS_MAX && fxt_json_is_of(r),
		.ns = r->ticks,
		.process = r->thread.process,
		.thread = r->thread.thread,
		.id = r->event.id,
	};
	bool continues;

	if (part.full || last->full) {
		part.name = fxt_hash_bytes(FXT_HASH_START, r->category.bytes, r->category.length);
		part.name = fxt_hash_bytes(part.name, r->name.bytes, r->name.length);
	}
	continues = last->full && fxt_json_is_of(r) && last->ns == part.ns && last->process == part.process &&
		    last->thread == part.thread && last->id == part.id && last->name == part.name;
	*last = part;
	return continues;
}
