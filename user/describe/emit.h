/* SPDX-License-Identifier: GPL-2.0-only */
/* Encodes the tool's own records into a stream of memory. */
#ifndef FXT_DESCRIBE_EMIT_H
#define FXT_DESCRIBE_EMIT_H

#include <stdio.h>

#include "fxt/linux.h"
#include "util/sink.h"

/* Longer texts are cut, so that every record has space for its arguments. */
#define FXT_EMIT_TEXT_MAX	1000u

/* Arguments of a record, with inline names and texts; all zero is empty. */
struct fxt_emit_args {
	__u64 w[2000];
	__u32 words;
	__u32 count;
};

/* Records that are collected in memory. */
struct fxt_emit {
	FILE *f;
	char *records;
	size_t bytes;
};

/* Opens the stream.  0 or -ENOMEM. */
int fxt_emit_open(struct fxt_emit *emit);

/*
 * Passes the records on in one piece, unless there are none or err is an error.  Returns err, -ENOMEM, or the sink's
 * error.
 */
int fxt_emit_close(struct fxt_emit *emit, int err, const struct fxt_sink *to);

void fxt_emit_word(FILE *f, __u64 word);

/* Writes bytes, padded to a word. */
void fxt_emit_text(FILE *f, const char *text, size_t bytes);

/* Adds an argument.  Invalid UTF-8 in the text becomes '?'; an empty text adds no argument. */
void fxt_emit_arg_text(struct fxt_emit_args *args, const char *name, const char *text);
void fxt_emit_arg_number(struct fxt_emit_args *args, const char *name, __u64 number);
void fxt_emit_arg_real(struct fxt_emit_args *args, const char *name, double number);
void fxt_emit_arg_koid(struct fxt_emit_args *args, const char *name, __u64 koid);

/* Returns the id of the tool's process and of its thread. */
__u64 fxt_emit_koid(void);

/* Puts the events that follow on the tool's own thread. */
void fxt_emit_self(FILE *f);

/* Puts an instant event of the tool, on the tool's own thread. */
void fxt_emit_instant(FILE *f, __u64 ticks, const char *name, const struct fxt_emit_args *args);

/* Puts a counter event of the tool's process: a track for each argument. */
void fxt_emit_counter(FILE *f, __u64 ticks, const char *name, const struct fxt_emit_args *args);

/* Puts a kernel object record of a thread, and of a process. */
void fxt_emit_thread(FILE *f, __u64 koid, __u64 process, const char *name);
void fxt_emit_process(FILE *f, __u64 koid, const char *name, const struct fxt_emit_args *args);

#endif
