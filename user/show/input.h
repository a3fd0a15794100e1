/* SPDX-License-Identifier: GPL-2.0-only */
/* A command's input: a file's records, read and decoded. */
#ifndef FXT_SHOW_INPUT_H
#define FXT_SHOW_INPUT_H

#include "codec/decoder.h"
#include "codec/reader.h"
#include "util/window.h"

struct fxt_input {
	const char *name;	/* for messages */
	struct fxt_reader reader;
	struct fxt_decoder decoder;
	struct fxt_record record;
	bool started;		/* a record has been read */
	__u64 first;		/* the file's first word */
	struct fxt_spill spill;	/* memory of tables */
	__u8 tail[8];
	__u64 from, to;		/* window, in ns */
	bool held;		/* a record with a time is in the window */
	__u64 least, greatest;	/* least and greatest time so far, in ns; 0 and 0: no time */
};

/* Opens an input; "-" is standard input.  0 or -errno; fxt_input_report() can be called after either. */
int fxt_input_open(struct fxt_input *input, const char *path);

/*
 * Does the same, with a window.  A window relative to the trace's start or end takes another reading of the file:
 * -ESPIPE where the file can't be read twice, -ERANGE where the window is empty.
 */
int fxt_input_open_window(struct fxt_input *input, const char *path, const struct fxt_window *window);
void fxt_input_close(struct fxt_input *input);

/*
 * Reads the next record.  1: input->record is the next one, whole, of any kind, MALFORMED included.  0: the file's end.
 * -EPROTO: not an FXT file.  -EPROTONOSUPPORT: an FXT file of the other byte order.  Any other error of
 * fxt_reader_next() or fxt_decoder_read().
 */
int fxt_input_next(struct fxt_input *input);

/* Returns whether the record is partly in the window, or has no time. */
bool fxt_input_in_window(struct fxt_input *input);

/*
 * Called after the last record: returns FXT_FAILED where the window holds no record with a time, reported with the
 * file's span.
 */
int fxt_input_outside(const struct fxt_input *input);

/* Reports a failure of fxt_input_open() or fxt_input_next(); returns FXT_FAILED. */
int fxt_input_report(const struct fxt_input *input, int err);

#endif
