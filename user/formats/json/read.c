// SPDX-License-Identifier: GPL-2.0-only
/* Reads the Trace Event Format, as an object or as an array of events. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/skip.h"
#include "formats/ftrace/text.h"
#include "formats/json/read.h"
#include "formats/json/write.h"

void fxt_json_place(struct fxt_json_reader *rd)
{
	rd->c->place = (struct fxt_place){ .input = rd->in->name, .at = fxt_json_scan_offset(&rd->scan) };
}

int fxt_json_fail(struct fxt_json_reader *rd, const char *what)
{
	fxt_json_place(rd);
	return fxt_flaw_error(rd->c, EBADMSG, "%s", what);
}

void fxt_json_skip(struct fxt_json_reader *rd, const char *kind)
{
	fxt_json_place(rd);
	fxt_skip(rd->c, kind, 1);
}

#define EVENT	"an object as {\"ph\":\"X\",\"name\":\"n\",\"ts\":1.5,\"dur\":2,\"pid\":1,\"tid\":1}"

int fxt_json_bad(struct fxt_json_reader *rd, const char *what)
{
	static const struct fxt_flaw flaws[] = {
		{ "an event that is no object", "events that are no objects", EVENT },
		{ "an event without a phase", "events without a phase", EVENT },
		{ "an event: its ts is missing or no number", "events: their ts is missing or no number", EVENT },
		{ "an event: its dur is no number", "events: their dur is no number", EVENT },
		{ "an event longer than a record", "events longer than a record", EVENT },
		{ "a string longer than 1 MiB, cut", "strings longer than 1 MiB, cut", NULL },
		{ "a value longer than 4 MiB, cut", "values longer than 4 MiB, cut", NULL },
		{ "a value longer than 4 MiB", "values longer than 4 MiB", NULL },
	};
	size_t i;

	fxt_json_place(rd);
	for (i = 0; i < sizeof(flaws) / sizeof(flaws[0]); i++)
		if (!strcmp(what, flaws[i].what))
			return fxt_flaw(rd->c, &flaws[i]);
	return fxt_flaw(rd->c, &(struct fxt_flaw){ what, what, NULL });
}

int fxt_json_put(struct fxt_json_reader *rd, __u64 ns, int provider)
{
	int err = fxt_reading_put(&rd->c->reading, &rd->r, ns, provider);

	if (!err || err == -E2BIG)
		return err;
	return fxt_error_set(&rd->c->error, -err, "%s: %s", rd->in->name, strerror(-err));
}

int fxt_json_blob_put(struct fxt_json_reader *rd, const char *name, struct fxt_text text, __u64 ns,
		      int provider)
{
	__u32 at = 0;
	int err;

	do {
		__u32 part = text.length - at;

		if (part > FXT_JSON_BLOB_BYTES)
			part = FXT_JSON_BLOB_BYTES;
		fxt_build(&rd->r, FXT_KIND_BLOB, 0);
		rd->r.name = fxt_build_string(at + part < text.length ? FXT_JSON_BLOB_PART : name);
		rd->r.blob_type = FXT_BLOB_DATA;
		rd->r.payload.data = (const __u8 *)text.bytes + at;
		rd->r.payload.length = part;
		rd->r.payload.bytes = part;
		err = fxt_json_put(rd, ns, provider);
		at += part;
	} while (!err && at < text.length);
	return err;
}

static int system_begin(struct fxt_json_reader *rd, const char *bytes, size_t count)
{
	if (!fxt_ftrace_is((const __u8 *)bytes, count)) {
		fxt_json_skip(rd, "systemTraceEvents that are not ftrace's");
		rd->ftrace_ignored = true;
		return 0;
	}
	if (!rd->ftrace_name && asprintf(&rd->ftrace_name, "%s: systemTraceEvents",
					rd->in->name) < 0)
		rd->ftrace_name = NULL;
	if (rd->ftrace_name)
		rd->ftrace = fxt_ftrace_parser_open(rd->c, rd->ftrace_name);
	if (!rd->ftrace)
		return fxt_error_set(&rd->c->error, ENOMEM, "%s: no memory", rd->in->name);
	if (rd->ours)
		fxt_ftrace_parser_nameless(rd->ftrace);
	return 0;
}

static int system_piece(void *arg, const char *bytes, size_t count)
{
	struct fxt_json_reader *rd = arg;
	int err = 0;

	if (!rd->ftrace && !rd->ftrace_ignored)
		err = system_begin(rd, bytes, count);
	return err || !rd->ftrace ? err : fxt_ftrace_parser_feed(rd->ftrace, bytes, count);
}

int fxt_json_system_end(struct fxt_json_reader *rd)
{
	int err = 0;

	if (rd->ftrace) {
		err = fxt_ftrace_parser_end(rd->ftrace);
		fxt_ftrace_parser_close(rd->ftrace);
	}
	rd->ftrace = NULL;
	rd->ftrace_ignored = false;
	return err;
}

/* Handles a failure of the scan; a lenient conversion keeps the records read so far. */
static int broken(struct fxt_json_reader *rd, int err)
{
	if (rd->c->error.text[0])
		return err;
	if (err != -EBADMSG)
		return fxt_error_set(&rd->c->error, -err, "%s: %s", rd->in->name, strerror(-err));
	fxt_json_place(rd);
	if (rd->has_others && !rd->has_events)
		return fxt_flaw_error(rd->c, EBADMSG, "%s, and no \"traceEvents\" before that", rd->scan.complaint);
	err = fxt_flaw(rd->c, &(struct fxt_flaw){ rd->scan.complaint,
						  "ends of files, from where they are no JSON", NULL });
	return err ? err : fxt_json_system_end(rd);
}

/* Returns the length of a byte order mark, which some programs put before UTF-8. */
static size_t mark_bytes(const __u8 *start, size_t bytes)
{
	return bytes >= 3 && !memcmp(start, "\xef\xbb\xbf", 3) ? 3 : 0;
}

static ssize_t fill(void *arg, const char **bytes)
{
	struct fxt_json_reader *rd = arg;
	ssize_t got = fxt_in_read(rd->in, rd->bytes, sizeof(rd->bytes));
	size_t mark = rd->started || got < 0 ? 0 : mark_bytes((const __u8 *)rd->bytes, got);

	rd->started = true;
	rd->scan.base += mark;
	*bytes = rd->bytes + mark;
	got -= mark;
	if (got < 0)
		fxt_error_set(&rd->c->error, -got, "%s: %s", rd->in->name, strerror(-got));
	return got;
}

static int beyond(void *arg, const char *what)
{
	struct fxt_json_reader *rd = arg;

	return fxt_json_bad(rd, what);
}

static const struct fxt_json_scan_ops scan_ops = {
	.fill = fill,
	.piece = system_piece,
	.beyond = beyond,
};

static int json_read(struct fxt_conversion *c, struct fxt_in *in)
{
	struct fxt_json_reader *rd = calloc(1, sizeof(*rd));
	int err = rd ? 0 : -ENOMEM;

	if (!err) {
		fxt_json_scan_init(&rd->scan, &scan_ops, rd);
		rd->scan.lenient = !c->strict;
		rd->c = c;
		rd->in = in;
		rd->named.memory.spill = rd->asyncs.memory.spill = &c->spill;
		rd->provider = fxt_reading_provider(&c->reading, FXT_JSON_OF_JSON, strlen(FXT_JSON_OF_JSON));
		err = rd->provider < 0 ? rd->provider : 0;
	}
	if (err)
		fxt_error_set(&c->error, -err, "%s: %s", in->name, strerror(-err));
	else
		err = fxt_json_walk(rd);
	if (!rd)
		return err;
	if (err)
		err = broken(rd, err);
	if (rd->scan.mended) {
		c->place = (struct fxt_place){ .input = in->name, .at = rd->scan.mended_at };
		fxt_skip(c, "strings with control characters or bytes that are no UTF-8, mended", rd->scan.mended);
	}
	if (rd->scan.named) {
		c->place = (struct fxt_place){ .input = in->name, .at = rd->scan.named_at };
		fxt_skip(c, "numbers that JSON doesn't have (NaN, Infinity), taken for texts", rd->scan.named);
	}
	if (rd->ftrace)
		fxt_ftrace_parser_close(rd->ftrace);
	fxt_json_scan_uninit(&rd->scan);
	fxt_json_value_uninit(&rd->value);
	fxt_buffer_uninit(&rd->more.text);
	fxt_map_uninit(&rd->named, NULL);
	fxt_map_uninit(&rd->asyncs, NULL);
	free(rd->ftrace_name);
	free(rd);
	return err;
}

/* Returns the next character after white space; 0: there is none. */
static __u8 token(const __u8 *start, size_t bytes, size_t *i)
{
	while (*i < bytes && strchr(" \t\r\n", start[*i]) && start[*i])
		++*i;
	return *i < bytes ? start[(*i)++] : 0;
}

/*
 * Returns whether a file is JSON: an object with its first key, or an array with its first object.  After an empty
 * object or array, the file has to end, or the array to go on, as a thread of ftrace's text may be named {}.
 */
static bool json_is(const __u8 *start, size_t bytes)
{
	size_t i = mark_bytes(start, bytes);
	__u8 first = token(start, bytes, &i), next = token(start, bytes, &i);
	bool array = first == '[';

	if (!array && first != '{')
		return false;
	if (array && next == '{')
		next = token(start, bytes, &i);
	else if (array)
		return !next || (next == ']' && !token(start, bytes, &i));
	if (next != '}')
		return next == '"' || (array && !next);
	next = token(start, bytes, &i);
	if (array && next == ']')
		next = token(start, bytes, &i);
	else if (array)
		return !next || next == ',' || next == '{';
	return !next;
}

const struct fxt_format_ops fxt_format_ops_json = {
	.is = json_is,
	.read = json_read,
	.writer = &fxt_writer_json,
};

const struct fxt_format_ops fxt_format_ops_json_array = {
	.read = json_read,
	.writer = &fxt_writer_json_array,
};
