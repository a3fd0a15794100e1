// SPDX-License-Identifier: GPL-2.0-only
/* The values of counters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/counter.h"
#include "model/json_fields.h"

/* A text that is a number and nothing else. */
static bool text_value(const struct fxt_text *text, double *value)
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
	return arg->type == FXT_ARG_STRING ? text_value(&arg->string, value) : !fxt_arg_real(arg, value);
}

unsigned int fxt_counter_series(const struct fxt_record *r)
{
	unsigned int i, count = 0;
	double value;

	for (i = 0; i < r->arg_count; i++)
		count += fxt_counter_value(&r->args[i], &value);
	return count;
}
