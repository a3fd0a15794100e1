// SPDX-License-Identifier: GPL-2.0-only
/* Reads JSON: takes tokens, and gathers the values in the outermost object or array. */
#include <errno.h>
#include <string.h>

#include "convert/json/read.h"
#include "util/utf8.h"

#define SYSTEM	"systemTraceEvents"

/* Keeps a member, or one entry of it. */
static int member_put(struct fxt_json_reader *rd, struct fxt_text text)
{
	char name[sizeof(FXT_JSON_BLOB_MEMBER) + FXT_JSON_MEMBER_NAME_MAX];

	if (!strcmp(rd->member, "traceEvents") || !strcmp(rd->member, "samples"))
		return fxt_json_bad(rd, "events that are in no array");
	/* The writer writes its own from the records. */
	if (!strcmp(rd->member, FXT_JSON_OURS)) {
		rd->ours = true;
		return 0;
	}
	if (!strcmp(rd->member, "otherData") && text.length > 9 &&
	    !memcmp(text.bytes, "{\"" FXT_JSON_OUR_DATA " ", 9))
		return 0;
	if (!strcmp(rd->member, "displayTimeUnit") && text.length == 4 &&
	    !memcmp(text.bytes, "\"ns\"", 4))
		return 0;
	stpcpy(stpcpy(name, FXT_JSON_BLOB_MEMBER), rd->member);
	return fxt_json_blob_put(rd, name, text, 0, rd->provider);
}

/* The value is whole. */
static int value_done(struct fxt_json_reader *rd)
{
	struct fxt_json_value *v = &rd->value;

	rd->entry = false;
	if (v->partial)
		return 0;
	if (rd->part == FXT_JSON_PART_OTHER)
		return member_put(rd, fxt_build_text(v->json.text.bytes, v->json.text.length));
	if (v->json.text.bytes[0] != '{')
		return fxt_json_bad(rd, "an event that is no object");
	return fxt_json_event_read(rd);
}

/* After each token of a value: a value past the limits is an error, or is dropped. */
static int step(struct fxt_json_reader *rd, int err)
{
	if (err == -E2BIG) {
		err = rd->value.partial ? 0 : fxt_json_bad(rd, "a value longer than 1 MiB");
		rd->value.partial = true;
		rd->value.json.text.length = 0;
		rd->value.names.length = 0;
		rd->value.field_count = 0;
	}
	if (err == -ENOMEM)
		fxt_error_set(&rd->c->error, ENOMEM, "%s: no memory", rd->in->name);
	/* An entry's own brackets. */
	if (!err && rd->entry && rd->value.depth == 1)
		err = step(rd, fxt_json_value_close(&rd->value, rd->member_object));
	if (!err && !rd->value.depth && rd->value.whole) {
		rd->value.whole = false;
		err = value_done(rd);
	}
	return err;
}

/* Starts a value, if none is being gathered; a member's entry gets brackets of its own. */
static int gather(struct fxt_json_reader *rd)
{
	if (rd->value.depth)
		return 0;
	fxt_json_value_reset(&rd->value);
	rd->entry = rd->part == FXT_JSON_PART_OTHER && rd->level == 2;
	return rd->entry ? fxt_json_value_open(&rd->value, rd->member_object) : 0;
}

static int on_scalar(void *arg, enum fxt_json_type type, const char *bytes, size_t length)
{
	struct fxt_json_reader *rd = arg;
	int err;

	if (!rd->level)
		return fxt_json_fail(rd, "neither an object nor an array");
	rd->member_empty = false;
	/* A member of an unexpected type is kept as it is. */
	if (rd->level == 1 && !rd->array_form)
		rd->part = FXT_JSON_PART_OTHER;
	/* It has a meaning only as a string. */
	if (!rd->value.depth && rd->level == 1 && !strcmp(rd->member, SYSTEM))
		return 0;
	err = gather(rd);
	if (!err)
		err = fxt_json_value_scalar(&rd->value, type, bytes, length);
	return step(rd, err);
}

static int on_open(void *arg, bool object)
{
	struct fxt_json_reader *rd = arg;
	int err;

	if (!rd->level) {
		rd->level = 1;
		rd->array_form = !object;
		rd->part = rd->array_form ? FXT_JSON_PART_EVENTS : FXT_JSON_PART_OTHER;
		return 0;
	}
	rd->member_empty = rd->level == 1 && !rd->value.depth;
	if (rd->level == 1 && !rd->array_form) {
		if (object)
			rd->part = FXT_JSON_PART_OTHER;
		rd->level = 2;
		rd->member_object = object;
		return 0;
	}
	err = gather(rd);
	if (!err)
		err = fxt_json_value_open(&rd->value, object);
	return step(rd, err);
}

static int on_close(void *arg, bool object)
{
	struct fxt_json_reader *rd = arg;

	if (rd->value.depth)
		return step(rd, fxt_json_value_close(&rd->value, object));
	rd->level--;
	if (rd->level == 1 && rd->member_empty && rd->part == FXT_JSON_PART_OTHER)
		return member_put(rd, fxt_build_string(object ? "{}" : "[]"));
	return 0;
}

static int on_member(struct fxt_json_reader *rd, const char *key, size_t length)
{
	if (length > FXT_JSON_MEMBER_NAME_MAX) {
		length = FXT_JSON_MEMBER_NAME_MAX;
		fxt_note(&rd->c->skipped, "names of members longer than 200 bytes, cut", 1);
	}
	memcpy(rd->member, key, length);
	rd->member[length] = 0;
	fxt_utf8_mend(rd->member, length);	/* its end may be half a character */
	rd->part = !strcmp(rd->member, "traceEvents") ? FXT_JSON_PART_EVENTS :
		  !strcmp(rd->member, "samples") ? FXT_JSON_PART_SAMPLES : FXT_JSON_PART_OTHER;
	return strcmp(rd->member, SYSTEM) ? 0 : FXT_JSON_PIECES;
}

static int on_key(void *arg, const char *key, size_t length)
{
	struct fxt_json_reader *rd = arg;
	int err;

	if (!rd->value.depth && rd->level == 1)
		return on_member(rd, key, length);
	err = gather(rd);
	rd->member_empty = false;
	if (!err)
		err = fxt_json_value_key(&rd->value, key, length);
	/* Not through step(): an entry isn't whole before its value. */
	if (err == -E2BIG && !rd->value.partial) {
		err = fxt_json_bad(rd, "a value longer than 1 MiB");
		rd->value.partial = true;
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
	struct fxt_json_reader *rd = arg;
	int err = fxt_json_bad(rd, what);

	rd->value.partial = rd->value.depth;
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
