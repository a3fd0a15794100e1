// SPDX-License-Identifier: GPL-2.0-only
/* Fields as text on a stream: fast, and safe for a terminal whatever a file holds. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "fxt/text.h"
#include "show/print.h"
#include "util/report.h"

void fxt_print_string(FILE *out, const char *string)
{
	fwrite_unlocked(string, 1, strlen(string), out);
}

/* Digits before end, at least that many; returns the first. */
static inline char *digits_put(char *end, __u64 value, unsigned int base, unsigned int least)
{
	char *at = end;

	for (; value || at > end - least; value /= base)
		*--at = "0123456789abcdef"[value % base];
	return at;
}

void fxt_print_u64(FILE *out, __u64 value)
{
	char text[20], *at = digits_put(text + sizeof(text), value, 10, 1);

	fwrite_unlocked(at, 1, text + sizeof(text) - at, out);
}

void fxt_print_s64(FILE *out, __s64 value)
{
	if (value < 0)
		putc_unlocked('-', out);
	fxt_print_u64(out, value < 0 ? 0 - (__u64)value : (__u64)value);
}

void fxt_print_hex(FILE *out, __u64 value, unsigned int digits)
{
	char text[18], *at = digits_put(text + sizeof(text), value, 16, digits);

	*--at = 'x';
	*--at = '0';
	fwrite_unlocked(at, 1, text + sizeof(text) - at, out);
}

void fxt_print_double(FILE *out, double value)
{
	char text[40];
	int precision;

	for (precision = 15; precision < 18; precision++) {
		snprintf(text, sizeof(text), "%.*g", precision, value);
		if (strtod(text, NULL) == value)
			break;
	}
	fxt_print_string(out, text);
	if (isfinite(value) && !strpbrk(text, ".e"))
		fxt_print_string(out, ".0");
}

void fxt_print_seconds(FILE *out, __u64 ns)
{
	char text[24], *end = text + sizeof(text), *at = digits_put(end, ns % 1000000000, 10, 9);

	*--at = '.';
	at = digits_put(at, ns / 1000000000, 10, 1);
	while (at > end - 16)
		*--at = ' ';
	fwrite_unlocked(at, 1, end - at, out);
}

static void byte_put(FILE *out, __u8 byte)
{
	putc_unlocked("0123456789abcdef"[byte >> 4], out);
	putc_unlocked("0123456789abcdef"[byte & 15], out);
}

void fxt_print_bytes(FILE *out, const __u8 *data, __u64 length, __u64 limit)
{
	__u64 i;

	for (i = 0; i < length && i < limit; i++)
		byte_put(out, data[i]);
	if (length > limit)
		fxt_print_string(out, "...");
}

/* The code of the character whose bytes these are, which is well-formed. */
static __u32 code_of(const __u8 *bytes, size_t length)
{
	__u32 code = length == 1 ? bytes[0] : bytes[0] & (0x7f >> length);
	size_t i;

	for (i = 1; i < length; i++)
		code = code << 6 | (bytes[i] & 0x3f);
	return code;
}

/* C0 and C1 controls, line and paragraph separators, and what turns the direction of text. */
static bool code_hides(__u32 code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c ||
	       (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069);
}

static void code_escape(FILE *out, __u32 code)
{
	putc_unlocked('\\', out);
	switch (code) {
	case '\n':
		putc_unlocked('n', out);
		break;
	case '\t':
		putc_unlocked('t', out);
		break;
	case '"':
	case '\\':
		putc_unlocked(code, out);
		break;
	default:
		putc_unlocked('u', out);
		byte_put(out, code >> 8);
		byte_put(out, code);
	}
}

/* Bytes of the well-formed character that a text begins with; 0 where there is none. */
static size_t character_length(const __u8 *bytes, size_t length)
{
	__u32 state = 0;
	size_t i;

	for (i = 0; i < length; i++) {
		state = fxt_utf8_step(state, bytes[i]);
		if (state == FXT_UTF8_BAD)
			return 0;
		if (!state)
			return i + 1;
	}
	return 0;
}

/* Bytes at a text's beginning that need no second look. */
static size_t plain_length(const __u8 *bytes, size_t length)
{
	size_t i = 0;

	while (i < length && bytes[i] >= 0x20 && bytes[i] < 0x7f && bytes[i] != '"' &&
	       bytes[i] != '\\')
		i++;
	return i;
}

void fxt_print_quoted(FILE *out, const char *text, size_t length)
{
	const __u8 *bytes = (const __u8 *)text;
	size_t i = 0;

	putc_unlocked('"', out);
	while (i < length) {
		size_t plain = plain_length(bytes + i, length - i), character;
		__u32 code;

		fwrite_unlocked(bytes + i, 1, plain, out);
		i += plain;
		if (i == length)
			break;
		character = character_length(bytes + i, length - i);
		code = character ? code_of(bytes + i, character) : 0;
		if (!character) {
			fxt_print_string(out, "\\x");
			byte_put(out, bytes[i++]);
			continue;
		}
		if (code == '"' || code == '\\' || code_hides(code))
			code_escape(out, code);
		else
			fwrite_unlocked(bytes + i, 1, character, out);
		i += character;
	}
	putc_unlocked('"', out);
}

static bool byte_plain(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') || (byte && strchr("_-.:/@", byte));
}

void fxt_print_word(FILE *out, const char *bytes, size_t length)
{
	size_t i;

	for (i = 0; i < length && byte_plain(bytes[i]); i++)
		;
	if (!length || i < length)
		fxt_print_quoted(out, bytes, length);
	else
		fwrite_unlocked(bytes, 1, length, out);
}

int fxt_print_finish(FILE *out, int status)
{
	if (!fflush(out) && !ferror(out))
		return status;
	if (errno == EPIPE)
		return status;
	return fxt_report("standard output: %s", strerror(errno));
}
