// SPDX-License-Identifier: GPL-2.0-only
/* Reads the format "ftrace": text of tracefs, of trace-cmd report, and of fxtrec. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/ftrace/read.h"
#include "formats/ftrace/text.h"

#define READ_BYTES	((size_t)128 << 10)

/* Returns whether a text is "<...>-5" or "<idle>-0", which no tag of HTML ends in. */
static bool nameless(struct fxt_span text)
{
	__u32 tid;

	fxt_span_part(&text, '>');
	return fxt_span_skip(&text, "-") && fxt_span_u32(&text, &tid) && fxt_span_skip(&text, " ");
}

/* Returns the length of a byte order mark, which some programs put before UTF-8. */
static size_t mark_bytes(const char *text, size_t bytes)
{
	return bytes >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
}

bool fxt_ftrace_is(const __u8 *start, size_t bytes)
{
	size_t mark = mark_bytes((const char *)start, bytes);
	struct fxt_span text = fxt_span((const char *)start + mark, bytes - mark);
	struct fxt_ftrace_line line;
	unsigned int i;

	/* HTML and JSON may contain such lines. */
	if (text.bytes && strchr("<{[", *text.at) && *text.at && !nameless(text))
		return false;
	if (fxt_span_skip(&text, "# tracer:") || fxt_span_skip(&text, "cpus=") ||
	    fxt_span_skip(&text, "# ========\n# captured on") || fxt_span_skip(&text, "TRACE:\n") ||
	    fxt_span_skip(&text, "version = 6\n"))
		return true;
	for (i = 0; i < 64 && text.bytes; i++) {
		struct fxt_span part = fxt_span_part(&text, '\n');

		/* Very long lines belong to another format. */
		if (part.bytes < 4096 && fxt_ftrace_line_parse(&line, part.at, part.bytes))
			return true;
	}
	return false;
}

static int ftrace_read(struct fxt_conversion *c, struct fxt_in *in)
{
	struct fxt_ftrace_parser *p = fxt_ftrace_parser_open(c, in->name);
	char *buffer = malloc(READ_BYTES);
	bool started = false;
	ssize_t got = 0;
	int err = 0;

	if (!p || !buffer) {
		err = fxt_error_set(&c->error, ENOMEM, "%s: no memory", in->name);
		goto out;
	}
	while (!err && (got = fxt_in_read(in, buffer, READ_BYTES)) > 0) {
		size_t mark = started ? 0 : mark_bytes(buffer, got);

		started = true;
		err = fxt_ftrace_parser_feed(p, buffer + mark, got - mark);
	}
	if (!err && got < 0)
		err = fxt_error_set(&c->error, -got, "%s: %s", in->name, strerror(-got));
	if (!err)
		err = fxt_ftrace_parser_end(p);
out:
	if (p)
		fxt_ftrace_parser_close(p);
	free(buffer);
	return err;
}

const struct fxt_format_ops fxt_format_ops_ftrace = {
	.is = fxt_ftrace_is,
	.read = ftrace_read,
	.writer = &fxt_writer_ftrace,
};
