// SPDX-License-Identifier: GPL-2.0-only
/* Writes systrace's HTML: a page around ftrace's text, which Trace Viewer and Perfetto open. */
#include <stdlib.h>

#include "convert/ftrace/text.h"

/* Both search for some of these lines; the text follows at once. */
static const char before[] =
	"<!DOCTYPE html>\n"
	"<html>\n"
	"<head>\n"
	"<meta charset=\"utf-8\">\n"
	"<title>Trace</title>\n"
	"</head>\n"
	"<body>\n"
	"<p>This page holds a trace. Open it in Perfetto or in Trace Viewer; \"fxtrec page FILE -o page.html\" makes\n"
	"a page of it that a browser shows by itself.</p>\n"
	"  <script class=\"trace-data\" type=\"application/text\">\n";

static const char behind[] =
	"  </script>\n"
	"</body>\n"
	"</html>\n";

struct html_writer {
	struct fxt_ftrace_writer *text;
	struct fxt_out *out;
};

static void *html_open(struct fxt_conversion *c, struct fxt_out *out)
{
	struct html_writer *h = malloc(sizeof(*h));

	if (!h)
		return NULL;
	h->out = out;
	fxt_out_text(out, before);
	h->text = fxt_ftrace_open(c, out, FXT_FTRACE_CLASSIC | FXT_FTRACE_IN_HTML);
	if (h->text)
		return h;
	free(h);
	return NULL;
}

static int html_put(void *state, const struct fxt_record *r)
{
	return fxt_ftrace_put(((struct html_writer *)state)->text, r);
}

static int html_close(void *state, bool failed)
{
	struct html_writer *h = state;
	int err = fxt_ftrace_close(h->text, failed);

	if (!failed && !err)
		fxt_out_text(h->out, behind);
	free(h);
	return err;
}

static __u64 html_held(const void *state)
{
	return fxt_ftrace_held(((const struct html_writer *)state)->text) + sizeof(behind);
}

const struct fxt_format_writer fxt_writer_html = {
	.open = html_open,
	.put = html_put,
	.close = html_close,
	.held = html_held,
	.growth = 3,
};
