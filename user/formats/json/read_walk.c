// SPDX-License-Identifier: GPL-2.0-only
/* Reads JSON: gathers the values in the outermost object or array, token by token. */
#include <errno.h>
#include <string.h>

#include "formats/json/read.h"
#include "util/utf8.h"

#define SYSTEM	"systemTraceEvents"

/* Keeps a member, or one entry of it. */
static int member_put(struct fxt_json_reader *rd, struct fxt_text text)
{
	char name[sizeof(FXT_JSON_BLOB_MEMBER) + FXT_JSON_MEMBER_NAME_MAX];

	if (!strcmp(rd->member, "traceEvents") || !strcmp(rd->member, "samples"))
		return fxt_json_bad(rd, "events that are in no array");
	/* The writer creates these members from the records. */
	if (!strcmp(rd->member, FXT_JSON_OURS)) {
		rd->ours = true;
		return 0;
	}
	if (!strcmp(rd->member, "otherData") && text.length > 9 &&
	    !memcmp(text.bytes, "{\"" FXT_JSON_OURS " ", 9))
		return 0;
	if (!strcmp(rd->member, "displayTimeUnit") && text.length == 4 &&
	    !memcmp(text.bytes, "\"ns\"", 4))
		return 0;
	stpcpy(stpcpy(name, FXT_JSON_BLOB_MEMBER), rd->member);
	return fxt_json_blob_put(rd, name, text, 0, rd->provider);
}

/* Reports an array or object that was cut. */
static int cut_tell(struct fxt_json_reader *rd)
{
	return rd->value.cut ? fxt_json_bad(rd, "a value longer than 4 MiB, cut") : 0;
}

static int member_value_put(struct fxt_json_reader *rd)
{
	const struct fxt_buffer *text = &rd->value.json.text;

	return rd->value.partial ? 0 : cut_tell(rd) ? -EBADMSG :
	       member_put(rd, fxt_build_text(text->bytes, text->length));
}

static int event_put(struct fxt_json_reader *rd)
{
	if (rd->value.partial)
		return 0;
	if (rd->value.json.text.bytes[0] != '{')
		return fxt_json_bad(rd, "an event that is no object");
	return cut_tell(rd) ? -EBADMSG : fxt_json_event_read(rd);
}

/* Takes a token; a value above the limits is an error, or is dropped. */
static int take(struct fxt_json_reader *rd, enum fxt_json_token token, enum fxt_json_type type)
{
	int err = fxt_json_value_take(&rd->value, token, type, rd->scan.text.bytes,
				      rd->scan.text.length);

	return err == -E2BIG ? fxt_json_bad(rd, "a value longer than 4 MiB") : err;
}

int fxt_json_gather(struct fxt_json_reader *rd, int token)
{
	unsigned int depth = rd->value.depth;
	int err;

	for (;;) {
		err = token < 0 ? token : take(rd, token, rd->scan.type);
		if (err || (rd->value.depth == depth && token != FXT_JSON_KEY))
			return err;
		token = fxt_json_scan_next(&rd->scan);
	}
}

int fxt_json_events_read(struct fxt_json_reader *rd, int (*put)(struct fxt_json_reader *rd))
{
	int token, err = 0;

	while (!err && (token = fxt_json_scan_next(&rd->scan)) != FXT_JSON_CLOSE) {
		fxt_json_value_reset(&rd->value);
		err = fxt_json_gather(rd, token);
		if (!err)
			err = put(rd);
	}
	return err;
}

/* Reads a member's entries; each is gathered in brackets of its own. */
static int entries_read(struct fxt_json_reader *rd, enum fxt_json_type type)
{
	bool empty = true;
	int token, err = 0;

	while (!err && (token = fxt_json_scan_next(&rd->scan)) != FXT_JSON_CLOSE) {
		empty = false;
		fxt_json_value_reset(&rd->value);
		err = take(rd, FXT_JSON_OPEN, type);
		if (!err)
			err = fxt_json_gather(rd, token);
		if (!err)
			err = take(rd, FXT_JSON_CLOSE, type);
		if (!err)
			err = member_value_put(rd);
	}
	if (err || !empty)
		return err;
	return member_put(rd, fxt_build_string(type == FXT_JSON_OBJECT ? "{}" : "[]"));
}

static void name_take(struct fxt_json_reader *rd)
{
	size_t length = rd->scan.text.length;

	if (length > FXT_JSON_MEMBER_NAME_MAX) {
		length = FXT_JSON_MEMBER_NAME_MAX;
		fxt_json_skip(rd, "names of members longer than 200 bytes, cut");
	}
	memcpy(rd->member, rd->scan.text.bytes, length);
	rd->member[length] = 0;
	fxt_utf8_mend(rd->member, length);	/* the cut may have split a character */
}

/* Reads a member of the outermost object, after its key. */
static int member_read(struct fxt_json_reader *rd)
{
	int token, err;

	name_take(rd);
	/* Samples of this format have neither the name of their event nor its fields. */
	if (!strcmp(rd->member, "linux-perf-json-version"))
		return fxt_json_fail(rd, "of perf data convert --to-json, which doesn't say what the samples are of: "
				     "give the perf.data");
	if (!strcmp(rd->member, "ph"))
		return fxt_json_fail(rd, "an event that is not in an array: of one object a line, \"jq -s .\" makes one");
	rd->samples = !strcmp(rd->member, "samples");
	if (!strcmp(rd->member, "traceEvents") || !strcmp(rd->member, SYSTEM))
		rd->has_events = true;
	else
		rd->has_others = true;
	rd->scan.pieces = !strcmp(rd->member, SYSTEM);
	token = fxt_json_scan_next(&rd->scan);
	if (token == FXT_JSON_PIECES)
		return fxt_json_system_end(rd);
	if (token == FXT_JSON_OPEN && rd->scan.type == FXT_JSON_OBJECT && !strcmp(rd->member, SYSTEM))
		return fxt_json_fuchsia_read(rd);
	if (token == FXT_JSON_OPEN && rd->scan.type == FXT_JSON_ARRAY &&
	    (rd->samples || !strcmp(rd->member, "traceEvents")))
		return fxt_json_events_read(rd, event_put);
	if (token == FXT_JSON_OPEN)
		return entries_read(rd, rd->scan.type);
	/* A scalar has a meaning there only if it is a string. */
	if (token == FXT_JSON_SCALAR && !strcmp(rd->member, SYSTEM))
		return 0;
	fxt_json_value_reset(&rd->value);
	err = fxt_json_gather(rd, token);
	return err ? err : member_value_put(rd);
}

int fxt_json_walk(struct fxt_json_reader *rd)
{
	int err = 0, token = fxt_json_scan_next(&rd->scan);

	if (token == FXT_JSON_SCALAR)
		return fxt_json_fail(rd, "neither an object nor an array");
	if (token != FXT_JSON_OPEN)
		return token;
	if (rd->scan.type == FXT_JSON_ARRAY)
		err = fxt_json_events_read(rd, event_put);
	else
		while (!err && (token = fxt_json_scan_next(&rd->scan)) != FXT_JSON_CLOSE)
			err = token < 0 ? token : member_read(rd);
	/* A file of another kind, for example a profile of a browser. */
	if (!err && rd->has_others && !rd->has_events)
		return fxt_json_fail(rd, "no \"traceEvents\" in it: this JSON is not in the Trace Event Format");
	/* Expects the input's end. */
	return err ? err : fxt_json_scan_next(&rd->scan);
}
