/* SPDX-License-Identifier: GPL-2.0-only */
/* ftrace's text, written and read: of .txt, HTML and JSON's systemTraceEvents. */
#ifndef FXT_CONVERT_FTRACE_TEXT_H
#define FXT_CONVERT_FTRACE_TEXT_H

#include "convert/format.h"

/* Consumer of the text, and its container. */
enum fxt_ftrace_style {
	FXT_FTRACE_KERNEL = 0,		/* lines like the kernel's own */
	FXT_FTRACE_CLASSIC = 1,		/* for Trace Viewer; Perfetto reads it as well */
	FXT_FTRACE_IN_JSON = 2,		/* in a JSON string, and escaped for it */
	FXT_FTRACE_IN_HTML = 4,		/* in a script element, which no name may end */
};

struct fxt_ftrace_writer;

/* Opens a writer, and writes the header lines; style: bits of enum fxt_ftrace_style.  NULL without memory. */
struct fxt_ftrace_writer *fxt_ftrace_open(struct fxt_conversion *conversion, struct fxt_out *out,
					  unsigned int style);

/*
 * Appends a record's lines to out; records come in time order.  They may be all records, or only scheduling records,
 * and kernel objects for names.  Records without a line are counted in unheld.  0 or -errno.
 */
int fxt_ftrace_put(void *writer, const struct fxt_record *r);

/* Returns the bytes of pending lines, estimated. */
__u64 fxt_ftrace_held(const void *writer);

/* Appends the pending lines, unless the conversion failed, and frees the writer. */
int fxt_ftrace_close(void *writer, bool failed);

/* Returns the number of a thread or process in the text: another number for an id of more than 31 bits. */
__u32 fxt_ftrace_pid(struct fxt_ftrace_writer *writer, __u64 koid);

struct fxt_ftrace_parser;

/* Opens a parser; name: the input's, for messages; not copied.  NULL without memory. */
struct fxt_ftrace_parser *fxt_ftrace_parser_open(struct fxt_conversion *conversion,
						 const char *name);

/* Sets the number of the text's first line, for messages, where it isn't 1. */
void fxt_ftrace_parser_line(struct fxt_ftrace_parser *parser, __u64 line);

/* Ignores names of threads, which come from elsewhere. */
void fxt_ftrace_parser_nameless(struct fxt_ftrace_parser *parser);

/* Reads a piece of the text, cut anywhere.  0, or -errno with the conversion's error set. */
int fxt_ftrace_parser_feed(struct fxt_ftrace_parser *parser, const char *text, size_t bytes);

/* Reads the last line at the text's end.  0, or -errno with the conversion's error set. */
int fxt_ftrace_parser_end(struct fxt_ftrace_parser *parser);

void fxt_ftrace_parser_close(struct fxt_ftrace_parser *parser);

/* Returns whether a text starts as ftrace's does. */
bool fxt_ftrace_is(const __u8 *start, size_t bytes);

#endif
