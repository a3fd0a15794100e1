/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tokenizer of JSON, with bounded memory.  It accepts what Trace Viewer does: a comma
 * behind the last value, an outermost array that isn't closed.
 */
#ifndef FXT_CONVERT_JSON_SCAN_H
#define FXT_CONVERT_JSON_SCAN_H

#include <sys/types.h>

#include <linux/types.h>

#include "util/buffer.h"

#define FXT_JSON_DEPTH_MAX	64u
#define FXT_JSON_TOKEN_MAX	((size_t)1 << 20)	/* bytes of a string or a number */

enum fxt_json_token {
	FXT_JSON_END,		/* of the input, behind the outermost value */
	FXT_JSON_OPEN,		/* brackets, of an object or an array by their type */
	FXT_JSON_CLOSE,
	FXT_JSON_KEY,
	FXT_JSON_SCALAR,
	FXT_JSON_PIECES,	/* a string, all of which was given in pieces */
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

/* 0 or -errno, which ends the scan. */
struct fxt_json_scan_ops {
	/* The next bytes of the input, valid until the next call; 0 at its end. */
	ssize_t (*fill)(void *arg, const char **bytes);
	/* A piece of a string, not checked to be UTF-8. */
	int (*piece)(void *arg, const char *bytes, size_t count);
	/*
	 * A value is too long or nested too deep: a string comes out cut, other
	 * values as null.
	 */
	int (*beyond)(void *arg, const char *what);
};

struct fxt_json_scan {
	const struct fxt_json_scan_ops *ops;	/* NULL: it only validates, strictly */
	void *arg;
	const char *complaint;		/* of -EBADMSG that the scan itself returned */
	__u64 base;			/* offset in the input of the bytes at hand */
	const char *start, *at, *end;	/* of them */
	unsigned char expect;
	bool comma;			/* one has come, and nothing behind it so far */
	/* Set by the caller behind a key: its value, where it is a string, is given in pieces. */
	bool pieces;
	bool lenient;			/* bytes that a string can't have are mended: */
	__u64 mended, mended_at;	/* strings, and the offset behind the first */
	__u64 named, named_at;		/* likewise, NaN and Infinity, which are texts then */
	bool cut;			/* this string is past the limit: its first bytes are kept */
	unsigned int depth;
	__u64 objects;			/* a bit for each open bracket, the innermost lowest */
	/* The token: a string's contents, UTF-8 without escapes; the text of any other scalar. */
	enum fxt_json_type type;
	struct fxt_buffer text;
};

void fxt_json_scan_init(struct fxt_json_scan *s, const struct fxt_json_scan_ops *ops, void *arg);
void fxt_json_scan_uninit(struct fxt_json_scan *s);

/*
 * The next token; its type and text are valid until the one after it.  -EBADMSG with
 * s->complaint where the input is no JSON; -ENOMEM; -errno of ops.
 */
int fxt_json_scan_next(struct fxt_json_scan *s);

/* Offset in the input of the first byte that no token given so far has. */
__u64 fxt_json_scan_offset(const struct fxt_json_scan *s);

/* Whether the text is one JSON value, without anything that is only accepted. */
bool fxt_json_valid(const char *text, size_t count);

#endif
