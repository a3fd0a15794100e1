/* SPDX-License-Identifier: GPL-2.0-only */
/* A JSON string's contents, as the string comes in pieces. */
#ifndef FXT_CONVERT_JSON_STRING_H
#define FXT_CONVERT_JSON_STRING_H

#include <linux/types.h>

#include "util/buffer.h"

struct fxt_json_string {
	struct fxt_buffer text;		/* contents so far; whoever takes them sets length to 0 */
	bool ascii;
	bool escape;			/* a backslash has come */
	unsigned char digits;		/* of \uXXXX to come */
	__u32 unit, high;		/* UTF-16; high waits for its other half */
};

/* Behind the opening quote. */
void fxt_json_string_begin(struct fxt_json_string *s);

/*
 * Reads on from *at, which moves behind what was read.  1: the string has ended, its
 * contents are bytes and count, in the piece or in text.  0: the piece has.
 * -EBADMSG with *complaint; -ENOMEM.
 */
int fxt_json_string_feed(struct fxt_json_string *s, const char **at, const char *end,
			 const char **bytes, size_t *count, const char **complaint);

#endif
