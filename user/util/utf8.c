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

/*
 * The first and the last code of each range that a terminal shows as nothing or that changes the text around it: C1
 * controls, separators, controls of the text's direction, characters of no width and tags (Unicode's property
 * Default_Ignorable_Code_Point), interlinear annotations.
 */
static const struct range {
	__u32 first, last;
} hidden[] = {
	{ 0x7f, 0x9f }, { 0xad, 0xad }, { 0x34f, 0x34f }, { 0x61c, 0x61c }, { 0x115f, 0x1160 }, { 0x17b4, 0x17b5 },
	{ 0x180b, 0x180f }, { 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x206f }, { 0x3164, 0x3164 },
	{ 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 }, { 0xfff0, 0xfffb }, { 0x1bca0, 0x1bca3 },
	{ 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
};

bool fxt_utf8_hides(__u32 code)
{
	size_t i;

	if (code < 0x20)
		return true;
	for (i = 0; i < sizeof(hidden) / sizeof(*hidden) && code >= hidden[i].first; i++)
		if (code <= hidden[i].last)
			return true;
	return false;
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
		/* A zero is not part of a longer character. */
		length = fxt_utf8_shown(text, 4, &shown);
		if (shown)
			memmove(to, text, length);
		else
			*to = '?';
		to += shown ? length : 1;
	}
	return to;
}

/* Returns the position after a number of columns. */
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
