// SPDX-License-Identifier: GPL-2.0-only
/* Reads JSON: who is who, and objects. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "convert/json/read.h"

static const struct fxt_json_field *string_find(const struct fxt_json_reading *g,
						enum fxt_json_place place, const char *key)
{
	const struct fxt_json_field *f = fxt_json_value_find(&g->value, place, key);

	return f && f->type == FXT_JSON_STRING ? f : NULL;
}

static bool string_is(const struct fxt_json_reading *g, const char *key, const char *value)
{
	const struct fxt_json_field *f = string_find(g, FXT_JSON_OF_EVENT, key);
	struct fxt_text text;

	if (!f)
		return false;
	text = fxt_json_field_string(&g->value, f);
	return fxt_text_equal(&text, value);
}

/* From when on a name holds, as our writer tells; others' hold always. */
static __u64 since_read(const struct fxt_json_reading *g)
{
	const struct fxt_json_field *f = fxt_json_value_find(&g->value, FXT_JSON_OF_EVENT,
							     FXT_JSON_SINCE);
	struct fxt_json_number number = { .type = FXT_JSON_BEYOND };
	struct fxt_text text;

	if (!f || f->type != FXT_JSON_NUMBER)
		return 0;
	text = fxt_json_field_text(&g->value, f);
	fxt_json_number_parse(&number, text.bytes, text.length);
	if (number.type == FXT_JSON_UINT)
		return number.natural;
	return number.type == FXT_JSON_INT && number.integer > 0 ? number.integer : 0;
}

int fxt_json_metadata_read(struct fxt_json_reading *g)
{
	const struct fxt_json_field *name = string_find(g, FXT_JSON_OF_ARGS, "name");
	bool of_thread = string_is(g, "name", "thread_name");
	struct fxt_thread_koids thread;
	struct fxt_text text;
	__u64 since;
	int err;

	if (string_is(g, FXT_JSON_KIND, FXT_JSON_KIND_GUESS))
		return 0;
	if (!name || name->string_length > FXT_STRING_BYTES_MAX ||
	    (!of_thread && !string_is(g, "name", "process_name")))
		return fxt_json_blob_put(g, FXT_JSON_BLOB_EVENT,
					 fxt_build_text(g->value.json.text.bytes,
						g->value.json.text.length),
					 0, g->provider);
	err = fxt_json_thread_read(g, &thread);
	if (err)
		return err;
	text = fxt_json_field_string(&g->value, name);
	since = since_read(g);
	if (of_thread)
		fxt_build_thread_name(&g->r, thread.thread, thread.process, text, since);
	else
		fxt_build_process_name(&g->r, thread.process, text, since);
	err = fxt_json_args_read(g, "name");
	if (!err)
		err = fxt_json_put(g, since, fxt_json_provider_read(g));
	return err == -E2BIG ? fxt_json_bad(g, "a name with too many arguments") : err;
}

int fxt_json_object_read(struct fxt_json_reading *g, __u64 ns, int provider)
{
	const struct fxt_json_field *name = string_find(g, FXT_JSON_OF_EVENT, "name");
	struct fxt_thread_koids thread;
	struct fxt_json_id id;
	int err = fxt_json_thread_read(g, &thread);

	if (err)
		return err;
	fxt_json_id_read(&g->value, &id);
	fxt_build(&g->r, FXT_KIND_USERSPACE_OBJECT, 0);
	g->r.thread.process = thread.process;
	g->r.pointer = id.number;
	if (name)
		g->r.name = fxt_json_field_string(&g->value, name);
	err = fxt_json_args_read(g, "snapshot");
	if (!err)
		err = fxt_json_put(g, ns, provider);
	return err == -E2BIG ? fxt_json_bad(g, "an object longer than a record") : err;
}
