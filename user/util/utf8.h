/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* UTF-8 text (RFC 3629), character by character. */
#ifndef FXT_UTIL_UTF8_H
#define FXT_UTIL_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

/* Returns the bytes of the well-formed character at the start of a text of 1 byte or more; 0: no such character. */
size_t fxt_utf8_length(const char *text, size_t count);

/* Returns the bytes of the well-formed characters that a text starts with: count where all of the text is UTF-8. */
size_t fxt_utf8_valid(const char *text, size_t count);

/* Replaces each byte outside of a well-formed character by '?'. */
void fxt_utf8_mend(char *text, size_t count);

/* Returns the code of a well-formed character of length bytes. */
__u32 fxt_utf8_decode(const char *text, size_t length);

/* Returns whether a terminal shows no character of its own for a code: controls, separators, characters of no width, tags. */
bool fxt_utf8_hides(__u32 code);

/*
 * Returns the bytes of the character at the start of a text that ends with a zero or after count bytes.  *shown: whether a terminal may get the character; false for a byte outside of a well-formed character.
 */
size_t fxt_utf8_shown(const char *text, size_t count, bool *shown);

/*
 * Copies a text that ends with a zero, but not the zero, with "?" for characters that a terminal may not get.  Returns
 * the copy's end.
 */
char *fxt_utf8_show(char *to, const char *text);

/*
 * Returns the columns of a text that ends with a zero: one for each character, and for each byte outside of a well-formed character.
 */
size_t fxt_utf8_columns(const char *text);

/*
 * Finds the middle to leave out of a text of more than width columns, 8 or more, as the ends distinguish it from
 * others.  Returns the position after "..", and in *head the bytes before; NULL: the text fits.
 */
const char *fxt_utf8_split(const char *text, size_t width, size_t *head);

/* Writes the character of a code, in up to 4 bytes; returns the number of bytes. */
size_t fxt_utf8_encode(char *to, __u32 code);

#endif
