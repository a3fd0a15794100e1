/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* UTF-8 text (RFC 3629), character by character. */
#ifndef FXT_UTIL_UTF8_H
#define FXT_UTIL_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

/* Bytes of the well-formed character at the start of a text of 1 byte or more; 0: there is none. */
size_t fxt_utf8_length(const char *text, size_t count);

/* Bytes of the well-formed characters that a text starts with: count where all of it is UTF-8. */
size_t fxt_utf8_valid(const char *text, size_t count);

/* Replaces each byte that is no part of a well-formed character by '?'. */
void fxt_utf8_mend(char *text, size_t count);

/* The code of a well-formed character of length bytes. */
__u32 fxt_utf8_decode(const char *text, size_t length);

/* Returns whether a terminal shows no character of its own for a code: controls, separators, characters of no width, tags. */
bool fxt_utf8_hides(__u32 code);

/*
 * Bytes of the character at the start of a text that ends with a zero or behind count, and whether a terminal may get
 * it; a byte that is no part of one it may not.
 */
size_t fxt_utf8_shown(const char *text, size_t count, bool *shown);

/* Copies a text that ends with a zero, which to doesn't get: "?" in place of what is not shown.  Its end. */
char *fxt_utf8_show(char *to, const char *text);

/* Columns of a text that ends with a zero: one for each character, and each byte that is no part of one. */
size_t fxt_utf8_columns(const char *text);

/*
 * Of a text of more than width columns, 8 or more, the middle is left out, as its ends tell it from others: where it
 * goes on behind "..", and *head, the bytes before that.  NULL: it has room.
 */
const char *fxt_utf8_split(const char *text, size_t width, size_t *head);

/* Writes the character of a code, in up to 4 bytes; returns how many. */
size_t fxt_utf8_encode(char *to, __u32 code);

#endif
