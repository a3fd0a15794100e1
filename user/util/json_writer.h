/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes JSON into memory; adds commas, quotes and escapes by itself. */
#ifndef FXT_UTIL_JSON_WRITER_H
#define FXT_UTIL_JSON_WRITER_H

#include <string.h>

#include <linux/types.h>

#include "util/buffer.h"

/* An all-zero writer is empty.  To take the text, copy it and set its length to 0. */
struct fxt_json_writer {
	struct fxt_buffer text;	/* text.failed: no memory, the text is incomplete */
	bool lines;		/* each value on a line of its own, indented */
	bool comma;		/* a comma is due before the next value or key */
	bool keyed;		/* the next value goes on the current line */
	unsigned int depth;
};

/* Writes a bracket: '{' or '[', and '}' or ']'. */
void fxt_json_open(struct fxt_json_writer *w, char bracket);
void fxt_json_close(struct fxt_json_writer *w, char bracket);

/* Writes the key of the value that follows. */
void fxt_json_key_text(struct fxt_json_writer *w, const char *bytes, size_t count);

/* Writes a string; each byte outside of a UTF-8 character becomes U+FFFD. */
void fxt_json_string(struct fxt_json_writer *w, const char *bytes, size_t count);
void fxt_json_number(struct fxt_json_writer *w, __u64 number);
void fxt_json_signed(struct fxt_json_writer *w, __s64 number);
/* Writes a number; the strings "NaN", "Infinity" and "-Infinity" stand for numbers that JSON can't hold. */
void fxt_json_double(struct fxt_json_writer *w, double real);
void fxt_json_bool(struct fxt_json_writer *w, bool value);
void fxt_json_null(struct fxt_json_writer *w);

/* Writes a value that is JSON text already. */
void fxt_json_raw(struct fxt_json_writer *w, const char *text, size_t count);

/* Writes the line's end and the indentation before a value or a bracket. */
void fxt_json_line(struct fxt_json_writer *w);

/* Writes the separator before a value, and returns space for the value's JSON text; or NULL. */
static inline char *fxt_json_room(struct fxt_json_writer *w, size_t bytes)
{
	char *to;

	if (w->lines)
		fxt_json_line(w);
	to = fxt_buffer_room(&w->text, bytes + 1);
	if (to && w->comma) {
		*to++ = ',';
		w->text.length++;
	}
	w->comma = true;
	return to;
}

/* Adds the bytes that were written to that space, up to end. */
static inline void fxt_json_took(struct fxt_json_writer *w, const char *end)
{
	w->text.length = end - w->text.bytes;
}

/* Returns the bytes at the start of a little-endian word that need no escape and are ASCII. */
static inline size_t fxt_json_plain(__u64 w)
{
	const __u64 ones = 0x0101010101010101ULL;
	__u64 quote = w ^ ones * '"', slash = w ^ ones * '\\', del = w ^ ones * 0x7f, other;

	/* The lowest bit is exact: the subtractions borrow only from bytes above it. */
	other = (w | (w - ones * 0x20) | (quote - ones) | (slash - ones) | (del - ones)) &
		ones << 7;
	return other ? __builtin_ctzll(other) / 8 : 8;
}

/* Writes a string that needs no escape, as constants do not. */
static inline void fxt_json_word(struct fxt_json_writer *w, const char *word)
{
	size_t length = strlen(word);
	char *to = fxt_json_room(w, length + 2);

	if (!to)
		return;
	*to++ = '"';
	memcpy(to, word, length);
	to[length] = '"';
	fxt_json_took(w, to + length + 1);
}

static inline void fxt_json_colon(struct fxt_json_writer *w)
{
	char *to = fxt_buffer_room(&w->text, 2);

	if (!to)
		return;
	to[0] = ':';
	to[1] = ' ';
	w->text.length += 1 + w->lines;
	w->comma = false;
	w->keyed = true;
}

/* Writes a key that needs no escape. */
static inline void fxt_json_key(struct fxt_json_writer *w, const char *key)
{
	fxt_json_word(w, key);
	fxt_json_colon(w);
}

/* Writes a key and a number. */
static inline void fxt_json_put_number(struct fxt_json_writer *w, const char *key, __u64 number)
{
	fxt_json_key(w, key);
	fxt_json_number(w, number);
}

#endif
