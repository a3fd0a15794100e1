/* SPDX-License-Identifier: GPL-2.0-only */
/* ftrace's text, written from records and read into them: for .txt, HTML and JSON's systemTraceEvents. */
#ifndef FXT_CONVERT_FTRACE_TEXT_H
#define FXT_CONVERT_FTRACE_TEXT_H

#include "convert/format.h"

/* Whose eyes the text is for, and what it stands in. */
enum fxt_ftrace_style {
	FXT_FTRACE_KERNEL = 0,		/* lines as the kernel's own */
	FXT_FTRACE_CLASSIC = 1,		/* what Trace Viewer knows, and Perfetto reads as well */
	FXT_FTRACE_IN_JSON = 2,		/* inside a JSON string: escaped for it */
	FXT_FTRACE_IN_HTML = 4,		/* inside a script element, which no name may end */
};

struct fxt_ftrace_writer;

/* style: bits of the above.  Writes the header lines; NULL without memory. */
struct fxt_ftrace_writer *fxt_ftrace_open(struct fxt_conversion *conversion, struct fxt_out *out,
					  unsigned int style);

/*
 * Takes in a record, in time order, and appends its lines to out.  All of them
 * may be given, or only some: scheduling records, and kernel objects for names.
 * What no line can hold is counted in unheld.  0 or -errno.
 */
int fxt_ftrace_put(struct fxt_ftrace_writer *writer, const struct fxt_record *r);

/* Appends what is still to come, and frees it; failed: only frees it. */
int fxt_ftrace_close(struct fxt_ftrace_writer *writer, bool failed);

struct fxt_ftrace_parser;

/* name is the input's, for messages; it must stay.  NULL without memory. */
struct fxt_ftrace_parser *fxt_ftrace_parser_open(struct fxt_conversion *conversion,
						 const char *name);

/* The number of the line that the text begins with, for messages, where that isn't 1. */
void fxt_ftrace_parser_line(struct fxt_ftrace_parser *parser, __u64 line);

/* Who threads are is told elsewhere: no records of it are made. */
void fxt_ftrace_parser_nameless(struct fxt_ftrace_parser *parser);

/* Any piece of the text, cut anywhere.  0, or -errno with the conversion's error set. */
int fxt_ftrace_parser_feed(struct fxt_ftrace_parser *parser, const char *text, size_t bytes);

/* The text's end: takes in its last line.  0, or -errno with the conversion's error set. */
int fxt_ftrace_parser_end(struct fxt_ftrace_parser *parser);

void fxt_ftrace_parser_close(struct fxt_ftrace_parser *parser);

/* Whether a text begins like ftrace's. */
bool fxt_ftrace_is(const __u8 *start, size_t bytes);

#endif
