/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What stands before the JSON parser: bounds what it must hold, mends what Trace
 * Viewer forgives, and takes systemTraceEvents out of its way.
 */
#ifndef FXT_CONVERT_JSON_SCAN_H
#define FXT_CONVERT_JSON_SCAN_H

#include <yajl/yajl_parse.h>

#include "convert/json/text.h"

#define FXT_JSON_DEPTH_MAX	64u
#define FXT_JSON_TOKEN_MAX	((size_t)1 << 20)	/* bytes of a string or a number */

struct fxt_json_scan_ops {
	/* The text of systemTraceEvents, unescaped, in pieces, an empty one at its end.  0 or -errno. */
	int (*system)(void *arg, const char *bytes, size_t count);
	/*
	 * A value is too long or nested too deep.  -errno ends it all; 0: it gets
	 * shorter, and what it is part of, known once this returns, is not whole.
	 */
	int (*beyond)(void *arg, const char *what);
};

struct fxt_json_scan {
	const struct fxt_json_scan_ops *ops;
	void *arg;
	yajl_handle yajl;
	__u64 base;		/* offset in the input of out[0] */
	__u64 taken;		/* bytes of input so far */
	unsigned int depth;
	unsigned int swallow;	/* depth that is dropped, from FXT_JSON_DEPTH_MAX on */
	char first;		/* '[' or '{', which it all is in */
	char before;		/* the token before: a bracket, ',', ':', or 'v' for a value */
	bool comma;		/* held back until it is clear that a value follows */
	bool in_string;
	bool in_system;		/* the string is systemTraceEvents' */
	bool cut;		/* the rest of the string is dropped */
	unsigned int escape;	/* characters that are still to come of an escape */
	unsigned int unit, high;	/* of \u in systemTraceEvents */
	size_t token;		/* bytes of the string or the number so far */
	char key[24];		/* a key of the outermost object */
	size_t filled;
	__u8 out[(64 << 10) + 16];
};

/* 0 or -ENOMEM; zeroes it. */
int fxt_json_scan_init(struct fxt_json_scan *s, const struct fxt_json_scan_ops *ops,
		       const yajl_callbacks *callbacks, void *arg);
void fxt_json_scan_uninit(struct fxt_json_scan *s);

/* 0; -EBADMSG where the parser or a callback refused; -errno of ops. */
int fxt_json_scan_feed(struct fxt_json_scan *s, const __u8 *bytes, size_t count);

/* The input's end: closes the array that it all is in.  Likewise. */
int fxt_json_scan_end(struct fxt_json_scan *s);

/* Where the parser is in the input. */
__u64 fxt_json_scan_offset(const struct fxt_json_scan *s);

/* The parser's complaint, without a line's end. */
void fxt_json_scan_complaint(struct fxt_json_scan *s, char *to, size_t room);

#endif
