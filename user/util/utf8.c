// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* UTF-8 text, character by character. */
#include <string.h>

#include "fxt/text.h"
#include "util/utf8.h"

size_t fxt_utf8_length(const char *text, size_t count)
{
	__u32 state = 0;
	size_t i = 0;

	do {
		state = fxt_utf8_step(state, (__u8)text[i++]);
	} while (state && state != FXT_UTF8_BAD && i < count);
	return state ? 0 : i;
}

size_t fxt_utf8_valid(const char *text, size_t count)
{
	size_t at = 0, length = 1;

	while (at < count && length) {
		length = (__u8)text[at] < 0x80 ? 1 : fxt_utf8_length(text + at, count - at);
		at += length;
	}
	return at;
}

void fxt_utf8_mend(char *text, size_t count)
{
	size_t at;

	for (at = fxt_utf8_valid(text, count); at < count;
	     at += fxt_utf8_valid(text + at, count - at))
		text[at++] = '?';
}

__u32 fxt_utf8_decode(const char *text, size_t length)
{
	__u32 code = (__u8)text[0];
	size_t i;

	if (length > 1)
		code &= 0x7f >> length;
	for (i = 1; i < length; i++)
		code = code << 6 | (text[i] & 0x3f);
	return code;
}

/* C0 and C1 controls, line and paragraph separators, and controls of the text's direction. */
bool fxt_utf8_hides(__u32 code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c ||
	       (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069);
}

size_t fxt_utf8_shown(const char *text, size_t count, bool *shown)
{
	size_t length = fxt_utf8_length(text, count);

	*shown = length && !fxt_utf8_hides(fxt_utf8_decode(text, length));
	return length ? length : 1;
}

char *fxt_utf8_show(char *to, const char *text)
{
	size_t length;
	bool shown;

	for (; *text; text += length) {
		if (*text >= 0x20 && *text < 0x7f) {
			length = 1;
			*to++ = *text;
			continue;
		}
		/* A zero is no part of a longer one. */
		length = fxt_utf8_shown(text, 4, &shown);
		if (shown)
			memmove(to, text, length);
		else
			*to = '?';
		to += shown ? length : 1;
	}
	return to;
}

/* Where so many columns of it end. */
static const char *columns_pass(const char *text, size_t columns)
{
	bool shown;

	while (*text && columns--)
		text += fxt_utf8_shown(text, 4, &shown);
	return text;
}

size_t fxt_utf8_columns(const char *text)
{
	size_t columns = 0;

	for (; *text; columns++)
		text = columns_pass(text, 1);
	return columns;
}

const char *fxt_utf8_split(const char *text, size_t width, size_t *head)
{
	size_t columns = fxt_utf8_columns(text), before = (width - 2) / 3;

	if (columns <= width)
		return NULL;
	*head = columns_pass(text, before) - text;
	return columns_pass(text, columns - (width - 2 - before));
}

size_t fxt_utf8_encode(char *to, __u32 code)
{
	size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4, i;

	for (i = length - 1; i > 0; i--, code >>= 6)
		to[i] = 0x80 | (code & 0x3f);
	to[0] = length == 1 ? code : 0xf00 >> length | code;
	return length;
}
