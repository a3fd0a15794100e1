// SPDX-License-Identifier: GPL-2.0-only
/* Reads the Trace Event Format, as an object or as an array of events. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/json/read.h"
#include "convert/json/write.h"

#define READ_BYTES	((size_t)64 << 10)

int fxt_json_fail(struct fxt_json_reading *g, const char *what)
{
	return fxt_error_set(&g->c->error, EBADMSG, "%s: 0x%08llx: %s", g->in->name,
			     fxt_json_scan_offset(&g->scan), what);
}

int fxt_json_bad(struct fxt_json_reading *g, const char *what)
{
	if (!g->c->lenient)
		return fxt_json_fail(g, what);
	fxt_note(&g->c->skipped, what, 1);
	return 0;
}

int fxt_json_put(struct fxt_json_reading *g, __u64 ns, int provider)
{
	int err = fxt_sorter_put(&g->c->sorter, &g->r, ns, provider);

	if (!err || err == -E2BIG)
		return err;
	return fxt_error_set(&g->c->error, -err, "%s: %s", g->in->name, strerror(-err));
}

int fxt_json_blob_put(struct fxt_json_reading *g, const char *name, struct fxt_text text, __u64 ns,
		      int provider)
{
	__u32 at = 0;
	int err;

	do {
		__u32 part = text.length - at;

		if (part > FXT_JSON_BLOB_BYTES)
			part = FXT_JSON_BLOB_BYTES;
		fxt_build(&g->r, FXT_KIND_BLOB, 0);
		g->r.name = fxt_build_string(at + part < text.length ? FXT_JSON_BLOB_PART : name);
		g->r.blob_type = FXT_BLOB_DATA;
		g->r.payload.data = (const __u8 *)text.bytes + at;
		g->r.payload.length = part;
		g->r.payload.bytes = part;
		err = fxt_json_put(g, ns, provider);
		at += part;
	} while (!err && at < text.length);
	return err;
}

static int system_begin(struct fxt_json_reading *g, const char *bytes, size_t count)
{
	if (!fxt_ftrace_is((const __u8 *)bytes, count)) {
		fxt_note(&g->c->skipped, "systemTraceEvents that are not ftrace's", 1);
		g->ftrace_ignored = true;
		return 0;
	}
	if (!g->ftrace_name && asprintf(&g->ftrace_name, "%s: systemTraceEvents",
					g->in->name) < 0)
		g->ftrace_name = NULL;
	if (g->ftrace_name)
		g->ftrace = fxt_ftrace_parser_open(g->c, g->ftrace_name);
	if (!g->ftrace)
		return fxt_error_set(&g->c->error, ENOMEM, "%s: no memory", g->in->name);
	if (g->ours)
		fxt_ftrace_parser_nameless(g->ftrace);
	return 0;
}

int fxt_json_system_read(struct fxt_json_reading *g, const char *bytes, size_t count)
{
	int err = 0;

	if (count && !g->ftrace && !g->ftrace_ignored)
		err = system_begin(g, bytes, count);
	if (!err && count && g->ftrace)
		err = fxt_ftrace_parser_feed(g->ftrace, bytes, count);
	if (err || count)
		return err;
	if (g->ftrace) {
		err = fxt_ftrace_parser_end(g->ftrace);
		fxt_ftrace_parser_close(g->ftrace);
	}
	g->ftrace = NULL;
	g->ftrace_ignored = false;
	return err;
}

/* The scan failed: what was read so far may be all that is wanted. */
static int broken(struct fxt_json_reading *g, int err)
{
	if (g->c->error.text[0])
		return err;
	if (err != -EBADMSG)
		return fxt_error_set(&g->c->error, -err, "%s: %s", g->in->name, strerror(-err));
	if (g->c->lenient) {
		fxt_note(&g->c->skipped, "ends of files, from where they are no JSON", 1);
		return g->ftrace ? fxt_json_system_read(g, NULL, 0) : 0;
	}
	return fxt_json_fail(g, g->scan.complaint);
}

static int read_all(struct fxt_json_reading *g)
{
	char *bytes = malloc(READ_BYTES);
	ssize_t got = bytes ? 0 : -ENOMEM;
	int err = 0;

	while (!err && bytes && (got = fxt_in_read(g->in, bytes, READ_BYTES)) > 0)
		err = fxt_json_scan_feed(&g->scan, bytes, got);
	free(bytes);
	if (!err && got < 0)
		return fxt_error_set(&g->c->error, -got, "%s: %s", g->in->name, strerror(-got));
	if (!err)
		err = fxt_json_scan_end(&g->scan);
	return err ? broken(g, err) : 0;
}

static int json_read(struct fxt_conversion *c, struct fxt_in *in)
{
	struct fxt_json_reading *g = calloc(1, sizeof(*g));
	int err = g ? 0 : -ENOMEM;

	if (!err) {
		fxt_json_scan_init(&g->scan, &fxt_json_scan_ops, g);
		g->c = c;
		g->in = in;
		g->provider = fxt_sorter_provider(&c->sorter, "json", 4);
		err = g->provider < 0 ? g->provider : 0;
	}
	if (err)
		fxt_error_set(&c->error, -err, "%s: %s", in->name, strerror(-err));
	else
		err = read_all(g);
	if (!g)
		return err;
	if (g->ftrace)
		fxt_ftrace_parser_close(g->ftrace);
	fxt_json_scan_uninit(&g->scan);
	fxt_json_value_uninit(&g->value);
	fxt_buffer_uninit(&g->more.text);
	fxt_map_uninit(&g->named, NULL);
	free(g->ftrace_name);
	free(g);
	return err;
}

/* An object whose first key follows, or an array whose first object does. */
static bool json_is(const __u8 *start, size_t bytes)
{
	__u8 first, second;
	size_t i = 0;

	while (i < bytes && strchr(" \t\r\n", start[i]) && start[i])
		i++;
	first = i < bytes ? start[i++] : 0;
	while (i < bytes && strchr(" \t\r\n", start[i]) && start[i])
		i++;
	second = i < bytes ? start[i] : 0;
	return (first == '{' && (second == '"' || second == '}')) ||
	       (first == '[' && (second == '{' || second == ']' || !second));
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
