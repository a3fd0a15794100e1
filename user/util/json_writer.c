// SPDX-License-Identifier: GPL-2.0-only
/* Writes JSON into memory. */
#include <math.h>

#include "util/digits.h"
#include "util/json_writer.h"
#include "util/utf8.h"

/* Bytes that a byte of a string takes at most. */
#define ESCAPE_MAX	6u

void fxt_json_line(struct fxt_json_writer *w)
{
	unsigned int i;

	if (w->keyed) {
		w->keyed = false;
		return;
	}
	if (w->comma)
		fxt_buffer_put(&w->text, ",", 1);
	w->comma = false;
	if (w->text.length)
		fxt_buffer_put(&w->text, "\n", 1);
	for (i = 0; i < w->depth; i++)
		fxt_buffer_put(&w->text, "  ", 2);
}

void fxt_json_raw(struct fxt_json_writer *w, const char *text, size_t count)
{
	char *to = fxt_json_room(w, count);

	if (!to)
		return;
	memcpy(to, text, count);
	fxt_json_took(w, to + count);
}

void fxt_json_open(struct fxt_json_writer *w, char bracket)
{
	fxt_json_raw(w, &bracket, 1);
	w->comma = w->keyed = false;
	w->depth++;
}

void fxt_json_close(struct fxt_json_writer *w, char bracket)
{
	w->depth--;
	/* Brackets with nothing between them stand on one line. */
	w->keyed = !w->comma;
	w->comma = false;
	fxt_json_raw(w, &bracket, 1);
}

void fxt_json_key_text(struct fxt_json_writer *w, const char *bytes, size_t count)
{
	fxt_json_string(w, bytes, count);
	fxt_json_colon(w);
}

void fxt_json_number(struct fxt_json_writer *w, __u64 number)
{
	char *to = fxt_json_room(w, 20);

	if (to)
		fxt_json_took(w, fxt_digits(to, number));
}

void fxt_json_signed(struct fxt_json_writer *w, __s64 number)
{
	char *to = fxt_json_room(w, 20);

	if (to)
		fxt_json_took(w, fxt_digits_signed(to, number));
}

void fxt_json_double(struct fxt_json_writer *w, double real)
{
	const char *name = isnan(real) ? "NaN" : real < 0 ? "-Infinity" : "Infinity";
	char *to;

	if (!isfinite(real)) {
		fxt_json_string(w, name, strlen(name));
		return;
	}
	to = fxt_json_room(w, 32);
	if (to)
		fxt_json_took(w, fxt_digits_double(to, real));
}

void fxt_json_bool(struct fxt_json_writer *w, bool value)
{
	fxt_json_raw(w, value ? "true" : "false", value ? 4 : 5);
}

void fxt_json_null(struct fxt_json_writer *w)
{
	fxt_json_raw(w, "null", 4);
}

#define ONES	0x0101010101010101ULL
#define HIGHS	0x8080808080808080ULL

/* Not 0 where a byte of the word is a control, a quote, a backslash, or beyond ASCII. */
static inline __u64 special(__u64 w)
{
	__u64 quote = w ^ ONES * '"', slash = w ^ ONES * '\\', del = w ^ ONES * 0x7f;

	return (w | (w - ONES * 0x20) | (quote - ONES) | (slash - ONES) | (del - ONES)) & HIGHS;
}

/* A control, a quote or a backslash. */
static char *escape_ascii(char *to, __u8 byte)
{
	static const char letters[] = "btn\0fr";	/* from 8 */

	*to++ = '\\';
	if (byte == '"' || byte == '\\') {
		*to++ = byte;
	} else if (byte >= 8 && byte <= 13 && byte != 11) {
		*to++ = letters[byte - 8];
	} else {
		memcpy(to, "u00", 3);
		to = fxt_digits_bytes(to + 3, &byte, 1);
	}
	return to;
}

/* The inside of a string, in room for ESCAPE_MAX times count; returns what is behind it. */
static char *escape(char *to, const char *from, size_t count)
{
	const char *end = from + count;

	while (from < end) {
		__u8 byte = *from;
		size_t bytes;
		__u64 word;

		if (end - from >= 8) {
			memcpy(&word, from, 8);
			if (!special(word)) {
				memcpy(to, &word, 8);
				from += 8;
				to += 8;
				continue;
			}
		}
		if (byte >= 0x80) {
			bytes = fxt_utf8_length(from, end - from);
			memcpy(to, bytes ? from : "\\ufffd", bytes ? bytes : 6);
			to += bytes ? bytes : 6;
			from += bytes ? bytes : 1;
			continue;
		}
		if (byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7f)
			*to++ = byte;
		else
			to = escape_ascii(to, byte);
		from++;
	}
	return to;
}

void fxt_json_string(struct fxt_json_writer *w, const char *bytes, size_t count)
{
	char *to = fxt_json_room(w, ESCAPE_MAX * count + 2);

	if (!to)
		return;
	*to = '"';
	to = escape(to + 1, bytes, count);
	*to++ = '"';
	fxt_json_took(w, to);
}
