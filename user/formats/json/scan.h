/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tokenizer of JSON, with bounded memory.  Like Trace Viewer, it accepts a comma after the last value, and an
 * outermost array that isn't closed.
 */
#ifndef FXT_CONVERT_JSON_SCAN_H
#define FXT_CONVERT_JSON_SCAN_H

#include <sys/types.h>

#include <linux/types.h>

#include "util/buffer.h"

#define FXT_JSON_DEPTH_MAX	64u
#define FXT_JSON_TOKEN_MAX	((size_t)1 << 20)	/* longest string or number, in bytes */

enum fxt_json_token {
	FXT_JSON_END,		/* end of the input, after the outermost value */
	FXT_JSON_OPEN,		/* brackets, of an object or an array by their type */
	FXT_JSON_CLOSE,
	FXT_JSON_KEY,
	FXT_JSON_SCALAR,
	FXT_JSON_PIECES,	/* string that was given in pieces */
};

enum fxt_json_type {
	FXT_JSON_NULL,
	FXT_JSON_FALSE,
	FXT_JSON_TRUE,
	FXT_JSON_NUMBER,
	FXT_JSON_STRING,
	FXT_JSON_OBJECT,
	FXT_JSON_ARRAY,
};

/* Functions of the scan's user.  0 or -errno, which ends the scan. */
struct fxt_json_scan_ops {
	/* Returns the next bytes of the input, valid until the next call; 0 at its end. */
	ssize_t (*fill)(void *arg, const char **bytes);
	/* Takes a piece of a string, not checked to be UTF-8. */
	int (*piece)(void *arg, const char *bytes, size_t count);
	/* Reports a value that is too long or nested too deep: a string is cut, other values become null. */
	int (*beyond)(void *arg, const char *what);
};

struct fxt_json_scan {
	const struct fxt_json_scan_ops *ops;	/* NULL: the scan only validates, strictly */
	void *arg;
	const char *complaint;		/* reason of a -EBADMSG that the scan itself returned */
	__u64 base;			/* offset in the input of start */
	const char *start, *at, *end;	/* current bytes */
	unsigned char expect;
	bool comma;			/* a comma came, with no value after it so far */
	/* Set by the caller after a key: if the value is a string, it is given in pieces. */
	bool pieces;
	bool lenient;			/* accept strings with invalid bytes, and NaN */
	__u64 mended, mended_at;	/* number of strings mended; offset after the first */
	__u64 named, named_at;		/* number of NaN and Infinity, which become texts; offset after the first */
	bool cut;			/* this string is above the limit: its first bytes are kept */
	unsigned int depth;
	__u64 objects;			/* bit per open bracket, the innermost lowest: an object */
	/* Current token: a string's contents, UTF-8 without escapes; the text of any other scalar. */
	enum fxt_json_type type;
	struct fxt_buffer text;
};

void fxt_json_scan_init(struct fxt_json_scan *s, const struct fxt_json_scan_ops *ops, void *arg);
void fxt_json_scan_uninit(struct fxt_json_scan *s);

/*
 * Returns the next token; its type and text are valid until the next call.  -EBADMSG with s->complaint where the input
 * is not JSON; -ENOMEM; -errno of ops.
 */
int fxt_json_scan_next(struct fxt_json_scan *s);

/* Returns the offset in the input after the last token. */
__u64 fxt_json_scan_offset(const struct fxt_json_scan *s);

/* Returns whether the text is one strictly valid JSON value. */
bool fxt_json_valid(const char *text, size_t count);

#endif
