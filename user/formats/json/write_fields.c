// SPDX-License-Identifier: GPL-2.0-only
/* Writes JSON: fields of events that a record has as arguments, as it has no fields for them. */
#include <math.h>
#include <string.h>

#include "formats/json/number.h"
#include "formats/json/write.h"

const struct fxt_arg *fxt_json_field(const struct fxt_record *r, const char *name)
{
	size_t length = strlen(name);
	unsigned int i;

	for (i = r->arg_count; i; i--) {
		const struct fxt_arg *arg = &r->args[i - 1];
		struct fxt_text key = arg->name;

		if (key.length < length || memcmp(key.bytes, name, length))
			continue;
		fxt_json_arg_is_text(arg, &key);
		if (key.length == length)
			return arg;
	}
	return NULL;
}

bool fxt_json_phase_valid(const struct fxt_arg *arg)
{
	return arg && arg->type == FXT_ARG_STRING && arg->string.length;
}

bool fxt_json_time_valid(const struct fxt_arg *arg)
{
	struct fxt_json_time time;

	if (arg && arg->type == FXT_ARG_STRING)
		return !fxt_json_time_parse(&time, arg->string.bytes, arg->string.length);
	return arg && ((arg->type >= FXT_ARG_INT32 && arg->type <= FXT_ARG_UINT64) ||
		       (arg->type == FXT_ARG_DOUBLE && isfinite(arg->real)));
}

void fxt_json_put_field(struct fxt_json_writer *w, const struct fxt_arg *arg)
{
	struct fxt_text key = arg->name;

	if (fxt_json_arg_is_text(arg, &key))
		fxt_json_raw(w, arg->string.bytes, arg->string.length);
	else
		fxt_json_put_value(w, arg);
}

/* Returns whether a field is written by its name. */
static bool known(const struct fxt_record *r, const struct fxt_text *key)
{
	static const char *const names[] = { "ph", "id", "id2", "s", "ts", "bp" };
	unsigned int i;

	if (fxt_text_equal(key, "dur"))
		return r->event.type == FXT_EVENT_DURATION_COMPLETE;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (fxt_text_equal(key, names[i]))
			return true;
	return false;
}

void fxt_json_put_other_fields(struct fxt_json_writer *w, const struct fxt_record *r)
{
	unsigned int i;

	for (i = 0; i < r->arg_count; i++) {
		const struct fxt_arg *arg = &r->args[i];
		struct fxt_text key;

		if (!fxt_json_arg_field(arg, &key))
			continue;
		fxt_json_arg_is_text(arg, &key);
		if (known(r, &key))
			continue;
		fxt_json_key_text(w, key.bytes, key.length);
		fxt_json_put_field(w, arg);
	}
}
