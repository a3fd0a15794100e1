// SPDX-License-Identifier: GPL-2.0-only
/* Reads systrace's HTML: the ftrace text in its scripts of class trace-data. */
#include <errno.h>
#include <stdlib.h>
#include <strings.h>

#include "convert/skip.h"
#include "formats/ftrace/dump.h"

#define READ_BYTES	((size_t)128 << 10)
/* Longest part of a line that is searched for the start or end of a script; text has no longer lines. */
#define LINE_MAX	((size_t)64 << 10)

enum place {
	PAGE,		/* outside of scripts with data */
	DATA,		/* at the start of a script, before its contents are known */
	TEXT,
	STRING,		/* text as a JavaScript string, of the oldest systrace */
	DUMP,		/* in a script with a dump of processes */
	OTHER,		/* in a script with other contents */
};

struct html_reader {
	struct fxt_conversion *c;
	struct fxt_in *in;
	struct fxt_ftrace_parser *text;	/* open up to the page's end, or the next text, as a dump may follow */
	struct fxt_process_dump dump;
	enum place place;
	__u64 line_number;
	bool found;
	size_t bytes;		/* length of line */
	bool cut;		/* the line is longer */
	char line[LINE_MAX + 1];
};

static bool has(const struct html_reader *h, const char *what)
{
	return memmem(h->line, h->bytes, what, strlen(what));
}

static bool begins(const struct html_reader *h, const char *what)
{
	return h->bytes >= strlen(what) && !memcmp(h->line, what, strlen(what));
}

static int text_end(struct html_reader *h)
{
	int err = h->text ? fxt_ftrace_parser_end(h->text) : 0;

	if (!err && h->text)
		err = fxt_process_dump_put(&h->dump, h->text);
	if (h->text)
		fxt_ftrace_parser_close(h->text);
	h->text = NULL;
	return err;
}

static int text_begin(struct html_reader *h, enum place place)
{
	int err = text_end(h);

	if (err)
		return err;
	h->text = fxt_ftrace_parser_open(h->c, h->in->name);
	if (!h->text)
		return fxt_error_set(&h->c->error, ENOMEM, "%s: no memory", h->in->name);
	fxt_ftrace_parser_line(h->text, h->line_number + (place == STRING));
	h->place = place;
	h->found = true;
	return 0;
}

static int page_line(struct html_reader *h)
{
	const char *data = memmem(h->line, h->bytes, "class=\"trace-data\"", 18);

	if (data && has(h, "<script"))
		h->place = DATA;
	else if (has(h, "var linuxPerfData = \"\\"))
		return text_begin(h, STRING);
	return 0;
}

/* Reads the first line of a script: systrace's other scripts are dumps of processes and of control groups, or JSON. */
static int data_line(struct html_reader *h)
{
	if (!h->bytes || (h->bytes == 1 && *h->line == '\r'))
		return 0;
	if (begins(h, "# tracer:") || fxt_ftrace_is((const __u8 *)h->line, h->bytes))
		return text_begin(h, TEXT);
	if (begins(h, FXT_DUMP_BEGIN)) {
		h->place = DUMP;
		return 0;
	}
	h->c->place = (struct fxt_place){ .input = h->in->name, .is_line = true, .at = h->line_number };
	fxt_skip(h->c, "scripts of HTML that hold no ftrace text", 1);
	h->place = OTHER;
	return 0;
}

/* Reads a line of a JavaScript string, which ends with "\n\", the last one with "\n";". */
static int string_line(struct html_reader *h)
{
	while (h->bytes && h->line[h->bytes - 1] == '\r')
		h->bytes--;
	if (h->bytes >= 3 && !memcmp(h->line + h->bytes - 3, "\\n\\", 3))
		h->bytes -= 3;
	else if (h->bytes >= 4 && !memcmp(h->line + h->bytes - 4, "\\n\";", 4))
		h->bytes -= 4;
	h->line[h->bytes] = '\n';
	return fxt_ftrace_parser_feed(h->text, h->line, h->bytes + 1);
}

static int dump_line(struct html_reader *h)
{
	struct fxt_span line = fxt_span(h->line, h->bytes);

	while (line.bytes && line.at[line.bytes - 1] == '\r')
		line.bytes--;
	return fxt_process_dump_line(&h->dump, line) ? fxt_error_set(&h->c->error, ENOMEM, "%s: no memory", h->in->name) : 0;
}

static int line_read(struct html_reader *h)
{
	int err = 0;

	if (h->place == DATA && !has(h, "</script>"))
		err = data_line(h);
	else if (h->place == PAGE)
		return page_line(h);
	if (err)
		return err;
	if (has(h, "</script>")) {
		h->place = PAGE;
		return 0;
	}
	if (h->place == DUMP)
		return dump_line(h);
	if (h->place == STRING)
		return string_line(h);
	if (h->place != TEXT)
		return 0;
	/* A line that was cut is too long for the parser as well. */
	h->line[h->bytes] = h->cut ? ' ' : '\n';
	return fxt_ftrace_parser_feed(h->text, h->line, h->bytes + 1);
}

static int feed(struct html_reader *h, const char *at, size_t bytes)
{
	const char *end = at + bytes;
	int err = 0;

	while (at < end && !err) {
		const char *line_end = memchr(at, '\n', end - at);
		size_t part = (line_end ? line_end : end) - at;
		size_t room = LINE_MAX - h->bytes;

		h->cut |= part > room;
		memcpy(h->line + h->bytes, at, part < room ? part : room);
		h->bytes += part < room ? part : room;
		at += part + (line_end != NULL);
		if (!line_end)
			break;
		h->line_number++;
		err = line_read(h);
		if (!err && h->cut && (h->place == TEXT || h->place == STRING))
			err = fxt_ftrace_parser_feed(h->text, "\n", 1);
		h->bytes = 0;
		h->cut = false;
	}
	return err;
}

static int finish(struct html_reader *h)
{
	static const struct fxt_flaw cut = { "cut: no end of the script", "missing ends of scripts", "</script>" };
	static const struct fxt_flaw none = { "no script with ftrace text up to the end",
					      "files of HTML without ftrace's text",
					      "<script class=\"trace-data\"> with ftrace's text" };
	int err = h->bytes ? feed(h, "\n", 1) : 0;

	if (err)
		return err;
	h->c->place = (struct fxt_place){ .input = h->in->name, .is_line = true, .at = h->line_number };
	err = text_end(h);
	if (!err && (h->place == TEXT || h->place == STRING))
		return fxt_flaw(h->c, &cut);
	return err || h->found ? err : fxt_flaw(h->c, &none);
}

static int html_read(struct fxt_conversion *c, struct fxt_in *in)
{
	struct html_reader *h = calloc(1, sizeof(*h));
	char *buffer = malloc(READ_BYTES);
	ssize_t got = 0;
	int err = 0;

	if (!h || !buffer) {
		err = fxt_error_set(&c->error, ENOMEM, "%s: no memory", in->name);
		goto out;
	}
	h->c = c;
	h->in = in;
	fxt_process_dump_init(&h->dump, &c->spill);
	while (!err && (got = fxt_in_read(in, buffer, READ_BYTES)) > 0)
		err = feed(h, buffer, got);
	if (!err && got < 0)
		err = fxt_error_set(&c->error, -got, "%s: %s", in->name, strerror(-got));
	if (!err)
		err = finish(h);
out:
	if (h && h->text)
		fxt_ftrace_parser_close(h->text);
	if (h)
		fxt_process_dump_uninit(&h->dump);
	free(h);
	free(buffer);
	return err;
}

static bool html_is(const __u8 *start, size_t bytes)
{
	const char *text = (const char *)start;

	return (bytes >= 14 && !strncasecmp(text, "<!DOCTYPE HTML", 14)) ||
	       (bytes >= 5 && !strncasecmp(text, "<html", 5));
}

const struct fxt_format_ops fxt_format_ops_html = {
	.is = html_is,
	.read = html_read,
	.writer = &fxt_writer_html,
};
