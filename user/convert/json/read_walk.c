// SPDX-License-Identifier: GPL-2.0-only
/* Reads JSON: walks through the outermost object, and gathers the values in it. */
#include <errno.h>
#include <string.h>

#include "convert/json/read.h"
#include "util/utf8.h"

/* Keeps a member, or one entry of it. */
static int member_put(struct fxt_json_reading *g, struct fxt_text text)
{
	char name[sizeof(FXT_JSON_BLOB_MEMBER) + FXT_JSON_MEMBER_NAME_MAX];

	if (!strcmp(g->member, "traceEvents") || !strcmp(g->member, "samples"))
		return fxt_json_bad(g, "events that are in no array");
	/* Ours are made anew from the records. */
	if (!strcmp(g->member, FXT_JSON_OURS)) {
		g->ours = true;
		return 0;
	}
	if (!strcmp(g->member, "otherData") && text.length > 9 &&
	    !memcmp(text.bytes, "{\"" FXT_JSON_OUR_DATA " ", 9))
		return 0;
	if (!strcmp(g->member, "displayTimeUnit") && text.length == 4 &&
	    !memcmp(text.bytes, "\"ns\"", 4))
		return 0;
	stpcpy(stpcpy(name, FXT_JSON_BLOB_MEMBER), g->member);
	return fxt_json_blob_put(g, name, text, 0, g->provider);
}

/* The value at hand is whole. */
static int value_done(struct fxt_json_reading *g)
{
	struct fxt_json_value *v = &g->value;

	g->entry = false;
	if (v->partial)
		return 0;
	if (g->part == FXT_JSON_PART_OTHER)
		return member_put(g, fxt_build_text(v->text.bytes, v->text.length));
	if (v->text.bytes[0] != '{')
		return fxt_json_bad(g, "an event that is no object");
	return fxt_json_event_read(g);
}

/* How gathering a value went; one past the limits is dropped where that may be. */
static int step(struct fxt_json_reading *g, int err)
{
	if (err == -E2BIG) {
		err = g->value.partial ? 0 : fxt_json_bad(g, "a value longer than 1 MiB");
		g->value.partial = true;
		g->value.text.length = 0;
		g->value.names.length = 0;
		g->value.field_count = 0;
	}
	if (err == -ENOMEM)
		fxt_error_set(&g->c->error, ENOMEM, "%s: no memory", g->in->name);
	/* An entry's own brackets. */
	if (!err && g->entry && g->value.depth == 1)
		err = step(g, fxt_json_value_close(&g->value));
	if (!err && !g->value.depth && g->value.whole) {
		g->value.whole = false;
		err = value_done(g);
	}
	return err;
}

static int result(struct fxt_json_reading *g, int err)
{
	g->err = err;
	return !err;
}

/* Whether the value that begins is one to gather; its brackets, if need be, are put. */
static int gather(struct fxt_json_reading *g)
{
	if (g->value.depth)
		return 0;
	fxt_json_value_reset(&g->value);
	g->entry = g->part == FXT_JSON_PART_OTHER && g->level == 2;
	return g->entry ? fxt_json_value_open(&g->value, g->member_object) : 0;
}

static int on_scalar(struct fxt_json_reading *g, enum fxt_json_type type, const void *bytes,
		     size_t length)
{
	int err;

	if (!g->level)
		return result(g, fxt_json_fail(g, "neither an object nor an array"));
	g->member_empty = false;
	/* A member that isn't what it should be is kept as it is. */
	if (g->level == 1 && !g->array_form)
		g->part = FXT_JSON_PART_OTHER;
	/* Ours, which the parser sees as an empty string. */
	if (!g->value.depth && g->level == 1 && !strcmp(g->member, "systemTraceEvents"))
		return 1;
	err = gather(g);
	if (!err)
		err = fxt_json_value_scalar(&g->value, type, bytes, length);
	return result(g, step(g, err));
}

static int on_null(void *arg)
{
	return on_scalar(arg, FXT_JSON_NULL, "null", 4);
}

static int on_boolean(void *arg, int value)
{
	return value ? on_scalar(arg, FXT_JSON_TRUE, "true", 4) :
		       on_scalar(arg, FXT_JSON_FALSE, "false", 5);
}

static int on_number(void *arg, const char *text, size_t length)
{
	return on_scalar(arg, FXT_JSON_NUMBER, text, length);
}

static int on_string(void *arg, const unsigned char *bytes, size_t length)
{
	return on_scalar(arg, FXT_JSON_STRING, bytes, length);
}

static int on_open(struct fxt_json_reading *g, bool object)
{
	int err;

	if (!g->level) {
		g->level = 1;
		g->array_form = !object;
		g->part = g->array_form ? FXT_JSON_PART_EVENTS : FXT_JSON_PART_OTHER;
		return 1;
	}
	g->member_empty = g->level == 1 && !g->value.depth;
	if (g->level == 1 && !g->array_form) {
		if (object)
			g->part = FXT_JSON_PART_OTHER;
		g->level = 2;
		g->member_object = object;
		return 1;
	}
	err = gather(g);
	if (!err)
		err = fxt_json_value_open(&g->value, object);
	return result(g, step(g, err));
}

static int on_open_object(void *arg)
{
	return on_open(arg, true);
}

static int on_open_array(void *arg)
{
	return on_open(arg, false);
}

static int on_close(void *arg)
{
	struct fxt_json_reading *g = arg;

	if (g->value.depth)
		return result(g, step(g, fxt_json_value_close(&g->value)));
	g->level--;
	if (g->level == 1 && g->member_empty && g->part == FXT_JSON_PART_OTHER)
		return result(g, member_put(g, fxt_build_string(g->member_object ? "{}" : "[]")));
	return 1;
}

static int on_member(struct fxt_json_reading *g, const char *key, size_t length)
{
	if (length > FXT_JSON_MEMBER_NAME_MAX) {
		length = FXT_JSON_MEMBER_NAME_MAX;
		fxt_note(&g->c->skipped, "names of members longer than 200 bytes, cut", 1);
	}
	memcpy(g->member, key, length);
	g->member[length] = 0;
	fxt_utf8_mend(g->member, length);
	g->part = !strcmp(g->member, "traceEvents") ? FXT_JSON_PART_EVENTS :
		  !strcmp(g->member, "samples") ? FXT_JSON_PART_SAMPLES : FXT_JSON_PART_OTHER;
	return 1;
}

static int on_key(void *arg, const unsigned char *key, size_t length)
{
	struct fxt_json_reading *g = arg;
	int err;

	if (!g->value.depth && g->level == 1)
		return on_member(g, (const char *)key, length);
	err = gather(g);
	g->member_empty = false;
	if (!err)
		err = fxt_json_value_key(&g->value, (const char *)key, length);
	/* Not through step(): an entry isn't whole before its value. */
	if (err == -E2BIG && !g->value.partial) {
		err = fxt_json_bad(g, "a value longer than 1 MiB");
		g->value.partial = true;
	} else if (err == -E2BIG) {
		err = 0;
	}
	return result(g, err);
}

const yajl_callbacks fxt_json_callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_boolean,
	.yajl_number = on_number,
	.yajl_string = on_string,
	.yajl_start_map = on_open_object,
	.yajl_map_key = on_key,
	.yajl_end_map = on_close,
	.yajl_start_array = on_open_array,
	.yajl_end_array = on_close,
};
