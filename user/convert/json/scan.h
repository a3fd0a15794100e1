/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tokenizer of JSON that comes in pieces, with bounded memory.  It accepts what Trace
 * Viewer does: a comma behind the last value, an outermost array that isn't closed.
 */
#ifndef FXT_CONVERT_JSON_SCAN_H
#define FXT_CONVERT_JSON_SCAN_H

#include <linux/types.h>

#include "convert/json/string.h"

#define FXT_JSON_DEPTH_MAX	64u
#define FXT_JSON_TOKEN_MAX	((size_t)1 << 20)	/* bytes of a string or a number */

enum fxt_json_type {
	FXT_JSON_NULL,
	FXT_JSON_FALSE,
	FXT_JSON_TRUE,
	FXT_JSON_NUMBER,
	FXT_JSON_STRING,
	FXT_JSON_OBJECT,
	FXT_JSON_ARRAY,
};

/* Returned for a key: its value, where it is a string, is given in pieces. */
#define FXT_JSON_PIECES		1

/* What the tokens are given to; 0 or -errno, which ends the scan. */
struct fxt_json_scan_ops {
	int (*open)(void *arg, bool object);
	int (*close)(void *arg, bool object);
	int (*key)(void *arg, const char *bytes, size_t count);
	/* A string's contents, UTF-8 without escapes; the text of any other scalar. */
	int (*scalar)(void *arg, enum fxt_json_type type, const char *bytes, size_t count);
	/* A piece of a string, not checked to be UTF-8; count is 0 at its end. */
	int (*piece)(void *arg, const char *bytes, size_t count);
	/*
	 * A value is too long or nested too deep: a string comes out shorter, other
	 * values as null, and what they are part of is not whole.
	 */
	int (*beyond)(void *arg, const char *what);
};

struct fxt_json_scan {
	const struct fxt_json_scan_ops *ops;	/* NULL: it only validates, strictly */
	void *arg;
	const char *complaint;		/* of -EBADMSG that the scan itself returned */
	__u64 base;			/* offset in the input of the piece at hand */
	const char *piece, *at, *end;	/* of it */
	unsigned char mode, expect;
	bool comma;			/* one has come, and nothing behind it so far */
	bool pieces_asked, pieces;	/* the next, or this, string is given in pieces */
	bool cut;			/* this string is past the limit: the rest is dropped */
	unsigned int depth;
	__u64 objects;			/* a bit for each open bracket, the innermost lowest */
	unsigned int skipped;		/* brackets that are open past the greatest depth */
	bool skipped_string, skipped_escape;
	struct fxt_json_string token;	/* a string; its text, of other scalars too */
};

void fxt_json_scan_init(struct fxt_json_scan *s, const struct fxt_json_scan_ops *ops, void *arg);
void fxt_json_scan_uninit(struct fxt_json_scan *s);

/* 0; -EBADMSG with s->complaint where it is no JSON; -ENOMEM; -errno of ops. */
int fxt_json_scan_feed(struct fxt_json_scan *s, const char *bytes, size_t count);

/* The input's end.  Likewise. */
int fxt_json_scan_end(struct fxt_json_scan *s);

/* Offset in the input of the first byte that no token given so far has. */
__u64 fxt_json_scan_offset(const struct fxt_json_scan *s);

/* Whether the text is one JSON value, without anything that is only accepted. */
bool fxt_json_valid(const char *text, size_t count);

#endif
