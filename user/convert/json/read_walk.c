// SPDX-License-Identifier: GPL-2.0-only
/* Reads JSON: walks through the outermost object, and gathers the values in it. */
#include <errno.h>
#include <string.h>

#include "convert/json/read.h"
#include "util/utf8.h"

#define SYSTEM	"systemTraceEvents"

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
		return member_put(g, fxt_build_text(v->json.text.bytes, v->json.text.length));
	if (v->json.text.bytes[0] != '{')
		return fxt_json_bad(g, "an event that is no object");
	return fxt_json_event_read(g);
}

/* How gathering a value went; one past the limits is dropped where that may be. */
static int step(struct fxt_json_reading *g, int err)
{
	if (err == -E2BIG) {
		err = g->value.partial ? 0 : fxt_json_bad(g, "a value longer than 1 MiB");
		g->value.partial = true;
		g->value.json.text.length = 0;
		g->value.names.length = 0;
		g->value.field_count = 0;
	}
	if (err == -ENOMEM)
		fxt_error_set(&g->c->error, ENOMEM, "%s: no memory", g->in->name);
	/* An entry's own brackets. */
	if (!err && g->entry && g->value.depth == 1)
		err = step(g, fxt_json_value_close(&g->value, g->member_object));
	if (!err && !g->value.depth && g->value.whole) {
		g->value.whole = false;
		err = value_done(g);
	}
	return err;
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

static int on_scalar(void *arg, enum fxt_json_type type, const char *bytes, size_t length)
{
	struct fxt_json_reading *g = arg;
	int err;

	if (!g->level)
		return fxt_json_fail(g, "neither an object nor an array");
	g->member_empty = false;
	/* A member that isn't what it should be is kept as it is. */
	if (g->level == 1 && !g->array_form)
		g->part = FXT_JSON_PART_OTHER;
	/* Of any other type than a string it says nothing. */
	if (!g->value.depth && g->level == 1 && !strcmp(g->member, SYSTEM))
		return 0;
	err = gather(g);
	if (!err)
		err = fxt_json_value_scalar(&g->value, type, bytes, length);
	return step(g, err);
}

static int on_open(void *arg, bool object)
{
	struct fxt_json_reading *g = arg;
	int err;

	if (!g->level) {
		g->level = 1;
		g->array_form = !object;
		g->part = g->array_form ? FXT_JSON_PART_EVENTS : FXT_JSON_PART_OTHER;
		return 0;
	}
	g->member_empty = g->level == 1 && !g->value.depth;
	if (g->level == 1 && !g->array_form) {
		if (object)
			g->part = FXT_JSON_PART_OTHER;
		g->level = 2;
		g->member_object = object;
		return 0;
	}
	err = gather(g);
	if (!err)
		err = fxt_json_value_open(&g->value, object);
	return step(g, err);
}

static int on_close(void *arg, bool object)
{
	struct fxt_json_reading *g = arg;

	if (g->value.depth)
		return step(g, fxt_json_value_close(&g->value, object));
	g->level--;
	if (g->level == 1 && g->member_empty && g->part == FXT_JSON_PART_OTHER)
		return member_put(g, fxt_build_string(object ? "{}" : "[]"));
	return 0;
}

static int on_member(struct fxt_json_reading *g, const char *key, size_t length)
{
	if (length > FXT_JSON_MEMBER_NAME_MAX) {
		length = FXT_JSON_MEMBER_NAME_MAX;
		fxt_note(&g->c->skipped, "names of members longer than 200 bytes, cut", 1);
	}
	memcpy(g->member, key, length);
	g->member[length] = 0;
	fxt_utf8_mend(g->member, length);	/* its end may be half a character */
	g->part = !strcmp(g->member, "traceEvents") ? FXT_JSON_PART_EVENTS :
		  !strcmp(g->member, "samples") ? FXT_JSON_PART_SAMPLES : FXT_JSON_PART_OTHER;
	return strcmp(g->member, SYSTEM) ? 0 : FXT_JSON_PIECES;
}

static int on_key(void *arg, const char *key, size_t length)
{
	struct fxt_json_reading *g = arg;
	int err;

	if (!g->value.depth && g->level == 1)
		return on_member(g, key, length);
	err = gather(g);
	g->member_empty = false;
	if (!err)
		err = fxt_json_value_key(&g->value, key, length);
	/* Not through step(): an entry isn't whole before its value. */
	if (err == -E2BIG && !g->value.partial) {
		err = fxt_json_bad(g, "a value longer than 1 MiB");
		g->value.partial = true;
	} else if (err == -E2BIG) {
		err = 0;
	}
	return err;
}

static int on_piece(void *arg, const char *bytes, size_t count)
{
	return fxt_json_system_read(arg, bytes, count);
}

static int on_beyond(void *arg, const char *what)
{
	struct fxt_json_reading *g = arg;
	int err = fxt_json_bad(g, what);

	g->value.partial = g->value.depth;
	return err;
}

const struct fxt_json_scan_ops fxt_json_scan_ops = {
	.open = on_open,
	.close = on_close,
	.key = on_key,
	.scalar = on_scalar,
	.piece = on_piece,
	.beyond = on_beyond,
};
