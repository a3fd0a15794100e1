// SPDX-License-Identifier: GPL-2.0-only
/* Writes JSON into memory. */
#include <math.h>

#include "util/digits.h"
#include "util/json_writer.h"
#include "util/utf8.h"

/* The most bytes that a byte of a string becomes. */
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

/* Escapes a control, a quote or a backslash. */
static char *escape_ascii(char *to, __u8 byte)
{
	static const char letters[] = "btn\0fr";	/* from 8 on */

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

/* Escapes a character that can't be copied as it is; returns its number of bytes in from. */
static size_t escape(char **to, const char *from, size_t count)
{
	size_t length;

	if ((__u8)*from < 0x80) {
		*to = escape_ascii(*to, *from);
		return 1;
	}
	length = fxt_utf8_length(from, count);
	memcpy(*to, length ? from : "\\ufffd", length ? length : 6);
	*to += length ? length : 6;
	return length ? length : 1;
}

void fxt_json_string(struct fxt_json_writer *w, const char *bytes, size_t count)
{
	/* The loop writes whole words, wherever the string ends in them. */
	char *to = fxt_json_room(w, ESCAPE_MAX * count + sizeof(__u64) + 2);
	const char *end = bytes + count;

	if (!to)
		return;
	*to++ = '"';
	while (bytes < end) {
		size_t left = end - bytes, copied;
		__u64 word = 0x2020202020202020ULL;

		memcpy(&word, bytes, left < sizeof(word) ? left : sizeof(word));
		copied = fxt_json_plain(word);
		memcpy(to, &word, sizeof(word));
		if (copied >= left)
			copied = left;
		to += copied;
		bytes += copied;
		if (copied < left && copied < sizeof(word))
			bytes += escape(&to, bytes, end - bytes);
	}
	*to++ = '"';
	fxt_json_took(w, to);
}
