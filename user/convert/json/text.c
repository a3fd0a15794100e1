// SPDX-License-Identifier: GPL-2.0-only
/* JSON text: gathered, escaped, validated. */
#include <stdlib.h>
#include <string.h>

#include <yajl/yajl_parse.h>

#include "convert/json/text.h"
#include "util/utf8.h"

void fxt_json_text_uninit(struct fxt_json_text *text)
{
	free(text->bytes);
	*text = (struct fxt_json_text){ 0 };
}

char *fxt_json_text_room(struct fxt_json_text *text, size_t more)
{
	if (text->room - text->length < more) {
		size_t room = (text->length + more) * 3 / 2 + 256;
		char *bytes = realloc(text->bytes, room);

		if (!bytes) {
			text->failed = true;
			return NULL;
		}
		text->bytes = bytes;
		text->room = room;
	}
	return text->bytes + text->length;
}

void fxt_json_text_put(struct fxt_json_text *text, const char *bytes, size_t count)
{
	char *to = fxt_json_text_room(text, count);

	if (!to || !count)
		return;
	memcpy(to, bytes, count);
	text->length += count;
}

void fxt_json_text_string(struct fxt_json_text *text, const char *bytes, size_t count)
{
	char *to = fxt_json_text_room(text, FXT_JSON_ESCAPE_MAX * count + 2), *end;

	if (!to)
		return;
	*to = '"';
	end = fxt_json_escape(to + 1, bytes, count);
	*end++ = '"';
	text->length += end - to;
}

#define ONES	0x0101010101010101ULL
#define HIGHS	0x8080808080808080ULL

/* Not 0 where a byte of the word is a control, a quote, a backslash, or beyond ASCII. */
static inline __u64 special(__u64 w)
{
	__u64 quote = w ^ ONES * '"', slash = w ^ ONES * '\\', del = w ^ ONES * 0x7f;

	return (w | (w - ONES * 0x20) | (quote - ONES) | (slash - ONES) | (del - ONES)) & HIGHS;
}

static char *escape_ascii(char *to, __u8 byte)
{
	static const char hex[] = "0123456789abcdef";
	static const char letters[] = "btn\0fr";	/* from 8 */

	*to++ = '\\';
	if (byte == '"' || byte == '\\') {
		*to++ = byte;
	} else if (byte >= 8 && byte <= 13 && byte != 11) {
		*to++ = letters[byte - 8];
	} else {
		memcpy(to, "u00", 3);
		to[3] = hex[byte >> 4];
		to[4] = hex[byte & 15];
		to += 5;
	}
	return to;
}

char *fxt_json_escape(char *to, const char *from, size_t count)
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

unsigned int fxt_json_unescape_unit(char *to, unsigned int unit, unsigned int *high)
{
	unsigned int first = *high, bytes = 0;

	*high = 0;
	if (unit >= 0xdc00 && unit < 0xe000 && first)
		return fxt_utf8_encode(to, 0x10000 + ((first & 0x3ff) << 10) + (unit & 0x3ff));
	if (first)
		to[bytes++] = '?';
	if (unit >= 0xd800 && unit < 0xdc00)
		*high = unit;
	else if (unit >= 0xdc00 && unit < 0xe000)
		to[bytes++] = '?';
	else
		bytes += fxt_utf8_encode(to + bytes, unit);
	return bytes;
}

bool fxt_json_valid(const char *text, size_t count)
{
	yajl_handle yajl = yajl_alloc(NULL, NULL, NULL);
	bool valid;

	if (!yajl)
		return false;
	valid = yajl_parse(yajl, (const unsigned char *)text, count) == yajl_status_ok &&
		yajl_complete_parse(yajl) == yajl_status_ok;
	yajl_free(yajl);
	return valid;
}
