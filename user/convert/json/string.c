// SPDX-License-Identifier: GPL-2.0-only
/* A JSON string's contents, as the string comes in pieces. */
#include <errno.h>
#include <string.h>

#include "convert/json/string.h"
#include "util/utf8.h"

#define ONES	0x0101010101010101ULL
#define HIGHS	0x8080808080808080ULL

void fxt_json_string_begin(struct fxt_json_string *s)
{
	s->text.length = 0;
	s->ascii = true;
	s->escape = false;
	s->digits = 0;
	s->high = 0;
}

/* Where the characters end that stand for themselves; notes whether they are ASCII. */
static const char *plain_end(struct fxt_json_string *s, const char *at, const char *end)
{
	__u64 word, quote, slash, seen = 0;

	for (; end - at >= 8; at += 8) {
		memcpy(&word, at, 8);
		quote = word ^ ONES * '"';
		slash = word ^ ONES * '\\';
		if ((((word - ONES * 0x20) & ~word) | ((quote - ONES) & ~quote) |
		     ((slash - ONES) & ~slash)) & HIGHS)
			break;
		seen |= word;
	}
	for (; at < end && (__u8)*at >= 0x20 && *at != '"' && *at != '\\'; at++)
		seen |= (__u8)*at;
	s->ascii &= !(seen & HIGHS);
	return at;
}

/* Half a surrogate pair without its other half. */
static void half_end(struct fxt_json_string *s)
{
	if (s->high)
		fxt_buffer_put(&s->text, "?", 1);
	s->high = 0;
}

/* A unit of UTF-16: a character, or half of one. */
static void unit_end(struct fxt_json_string *s)
{
	bool low = s->unit >= 0xdc00 && s->unit < 0xe000;
	__u32 code = low ? '?' : s->unit;
	char text[4];

	if (low && s->high) {
		code = 0x10000 + ((s->high & 0x3ff) << 10) + (s->unit & 0x3ff);
		s->high = 0;
	}
	half_end(s);
	if (s->unit >= 0xd800 && s->unit < 0xdc00)
		s->high = s->unit;
	else
		fxt_buffer_put(&s->text, text, fxt_utf8_encode(text, code));
}

/* A character behind a backslash. */
static bool escape(struct fxt_json_string *s, char c)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *found = c ? strchr(from, c) : NULL;

	s->escape = false;
	if (c == 'u') {
		s->digits = 4;
		s->unit = 0;
		return true;
	}
	half_end(s);
	if (found)
		fxt_buffer_put(&s->text, &to[found - from], 1);
	return found;
}

static bool hex_digit(struct fxt_json_string *s, char c)
{
	char letter = c | 0x20;
	bool digit = c >= '0' && c <= '9';

	s->unit = s->unit << 4 | (digit ? c - '0' : letter - 'a' + 10);
	if (!--s->digits)
		unit_end(s);
	return digit || (letter >= 'a' && letter <= 'f');
}

int fxt_json_string_feed(struct fxt_json_string *s, const char **at, const char *end,
			 const char **bytes, size_t *count, const char **complaint)
{
	while (*at < end) {
		const char *from = *at, *to;

		if (s->escape || s->digits) {
			++*at;
			if (s->escape ? escape(s, *from) : hex_digit(s, *from))
				continue;
			*complaint = "lexical error: an escape that JSON doesn't have";
			return -EBADMSG;
		}
		to = plain_end(s, from, end);
		if (to > from || *to == '"')
			half_end(s);
		*at = to + (to < end);
		if (to < end && *to == '"' && !s->text.length) {
			*bytes = from;
			*count = to - from;
			return 1;
		}
		fxt_buffer_put(&s->text, from, to - from);
		if (to == end)
			break;
		if (*to == '"') {
			*bytes = s->text.bytes;
			*count = s->text.length;
			return s->text.failed ? -ENOMEM : 1;
		}
		if (*to != '\\') {
			*complaint = "lexical error: a control character in a string";
			return -EBADMSG;
		}
		s->escape = true;
	}
	return s->text.failed ? -ENOMEM : 0;
}
