/* SPDX-License-Identifier: GPL-2.0-only */
/* The formats of traces: each has a reader, or a writer, or both, and an entry in the table. */
#ifndef FXT_CONVERT_FORMAT_H
#define FXT_CONVERT_FORMAT_H

#include "convert/in.h"
#include "convert/notes.h"
#include "convert/out.h"
#include "convert/sort/sorter.h"
#include "util/error.h"

/* What the parts of one conversion share. */
struct fxt_conversion {
	struct fxt_sorter sorter;
	struct fxt_notes unheld;	/* what the target can't hold, by kind */
	struct fxt_notes skipped;	/* what was passed over on the way in, by kind */
	bool lenient;			/* pass over what is wrong, and count it */
	struct fxt_error error;
};

/*
 * Reads a whole input into the sorter: events in nanoseconds, scheduling as
 * fxt-on-linux says it (args and all), names as kernel object records with
 * "since".  0, or -errno with the error set: it names the input, the byte
 * offset or line, and what is wrong.
 */
typedef int (*fxt_format_read)(struct fxt_conversion *conversion, struct fxt_in *in);

/*
 * A writer gets the sorter's records in time order.  What its format can't hold
 * it counts in unheld.  open: its state, or NULL without memory.  put: 0, or
 * -errno.  close writes what ends the file, and frees the state, also after a
 * failure (which it is told of, and then writes nothing).
 */
struct fxt_format_writer {
	void *(*open)(struct fxt_conversion *conversion, struct fxt_out *out);
	int (*put)(void *state, const struct fxt_record *r);
	int (*close)(void *state, bool failed);
};

struct fxt_format {
	const char *name;
	const char *suffix;		/* of OUT; the first format with it is taken */
	/* Whether an input that begins so is of this format. */
	bool (*is)(const __u8 *start, size_t bytes);
	fxt_format_read read;
	const struct fxt_format_writer *writer;
};

extern const struct fxt_format *const fxt_formats[];	/* NULL ends it */

extern const struct fxt_format fxt_format_fxt;
extern const struct fxt_format fxt_format_json, fxt_format_json_array;
extern const struct fxt_format fxt_format_ftrace, fxt_format_ftrace_suffix, fxt_format_html;
extern const struct fxt_format fxt_format_perfetto, fxt_format_perfetto_suffix;

#endif
