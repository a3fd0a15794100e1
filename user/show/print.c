// SPDX-License-Identifier: GPL-2.0-only
/* Fields as text on a stream: fast, and safe for a terminal whatever a file holds. */
#include <errno.h>
#include <poll.h>
#include <stdio_ext.h>

#include "show/print.h"
#include "util/digits.h"
#include "util/report.h"
#include "util/time.h"
#include "util/utf8.h"

void fxt_print_u64(FILE *out, __u64 value)
{
	char text[20];

	fwrite_unlocked(text, 1, fxt_digits(text, value) - text, out);
}

void fxt_print_s64(FILE *out, __s64 value)
{
	char text[20];

	fwrite_unlocked(text, 1, fxt_digits_signed(text, value) - text, out);
}

void fxt_print_hex(FILE *out, __u64 value, unsigned int digits)
{
	char text[18] = "0x";

	fwrite_unlocked(text, 1, fxt_digits_hex(text + 2, value, digits) - text, out);
}

void fxt_print_double(FILE *out, double value)
{
	char text[32];

	fwrite_unlocked(text, 1, fxt_digits_double(text, value) - text, out);
}

void fxt_print_seconds(FILE *out, __u64 ns)
{
	char text[32] = "                ", seconds[20];
	size_t digits = fxt_digits(seconds, ns / SECOND_NS) - seconds;
	char *at = text + (digits < 6 ? 6 - digits : 0);

	memcpy(at, seconds, digits);
	at += digits;
	*at++ = '.';
	at = fxt_digits_padded(at, ns % SECOND_NS, 9);
	fwrite_unlocked(text, 1, at - text, out);
}

static void byte_put(FILE *out, __u8 byte)
{
	char text[2];

	fwrite_unlocked(text, 1, fxt_digits_bytes(text, &byte, 1) - text, out);
}

void fxt_print_bytes(FILE *out, const __u8 *data, __u64 length, __u64 limit)
{
	__u64 i;

	for (i = 0; i < length && i < limit; i++)
		byte_put(out, data[i]);
	if (length > limit)
		fputs_unlocked("...", out);
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

/* Returns the bytes at a text's start that are printed as they are. */
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
		character = fxt_utf8_length(text + i, length - i);
		code = character ? fxt_utf8_decode(text + i, character) : 0;
		if (!character) {
			fputs_unlocked("\\x", out);
			byte_put(out, bytes[i++]);
			continue;
		}
		if (code == '"' || code == '\\' || fxt_utf8_hides(code))
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

void fxt_print_name(FILE *out, const char *name)
{
	const char *at;

	for (at = name; *at >= ' ' && *at < 0x7f; at++)
		;
	if (*at)
		fxt_print_quoted(out, name, strlen(name));
	else
		fputs(name, out);
}

void fxt_print_cell(FILE *out, const char *text, unsigned int width)
{
	unsigned int column = 0;
	size_t length;
	bool shown;

	for (; *text && (!width || column < width); text += length, column++) {
		length = fxt_utf8_shown(text, 4, &shown);
		fwrite(shown ? text : "?", 1, shown ? length : 1, out);
	}
	if (column < width)
		fprintf(out, "%*s", (int)(width - column), "");
}

void fxt_print_title(FILE *out, const char *text, unsigned int width)
{
	size_t head, columns;
	const char *tail = fxt_utf8_split(text, width, &head);

	if (!tail) {
		fxt_print_cell(out, text, width);
		return;
	}
	columns = fxt_utf8_columns(tail);
	fxt_print_cell(out, text, width - 2 - columns);
	fputs("..", out);
	fxt_print_cell(out, tail, columns);
}

/* Returns whether the reader has closed its end, which explains an earlier failed write without its errno. */
static bool reader_left(FILE *out)
{
	struct pollfd at = { .fd = fileno(out), .events = POLLOUT };

	return poll(&at, 1, 0) > 0 && at.revents & POLLERR;
}

/* Returns whether errno can be from an earlier failed write: other errors have another cause. */
static bool is_write_error(int err)
{
	return err == ENOSPC || err == EDQUOT || err == EFBIG || err == EIO || err == EPIPE;
}

int fxt_print_finish(FILE *out, int status)
{
	int before = errno, err;

	errno = 0;
	if (!fflush(out) && !ferror(out))
		return status;
	err = errno ? errno : is_write_error(before) ? before : 0;
	/* Reported once: output that can't be written is dropped. */
	__fpurge(out);
	clearerr(out);
	if (err ? err == EPIPE : reader_left(out))
		return status;
	return fxt_report("standard output: %s", err ? strerror(err) : "it can't be written");
}
