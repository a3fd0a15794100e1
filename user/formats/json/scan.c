// SPDX-License-Identifier: GPL-2.0-only
/* Splits JSON into tokens. */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "formats/json/number.h"
#include "formats/json/scan.h"
#include "util/json_writer.h"
#include "util/utf8.h"

/* Next token that is expected.  A comma changes it only together with the byte after it. */
enum expect { VALUE, FIRST_VALUE, FIRST_KEY, KEY, COLON, NEXT, END };

static const char cut_in_string[] = "parse error: cut in a string";

void fxt_json_scan_init(struct fxt_json_scan *s, const struct fxt_json_scan_ops *ops, void *arg)
{
	*s = (struct fxt_json_scan){ .ops = ops, .arg = arg };
}

void fxt_json_scan_uninit(struct fxt_json_scan *s)
{
	fxt_buffer_uninit(&s->text);
}

__u64 fxt_json_scan_offset(const struct fxt_json_scan *s)
{
	return s->base + (s->at - s->start);
}

static int fail(struct fxt_json_scan *s, const char *complaint)
{
	s->complaint = complaint;
	return -EBADMSG;
}

static int beyond(struct fxt_json_scan *s, const char *what)
{
	return s->ops ? s->ops->beyond(s->arg, what) : fail(s, what);
}

/* Ensures that there is a byte at s->at: 1; 0: the input ends; -errno. */
static int more(struct fxt_json_scan *s)
{
	const char *bytes = s->at;
	ssize_t got;

	if (s->at < s->end)
		return 1;
	got = s->ops ? s->ops->fill(s->arg, &bytes) : 0;
	if (got <= 0)
		return got;
	s->base = fxt_json_scan_offset(s);
	s->start = s->at = bytes;
	s->end = bytes + got;
	return 1;
}

/* Returns the next byte; -EBADMSG with a complaint at the end; -errno. */
static int byte_next(struct fxt_json_scan *s, const char *complaint)
{
	int got = more(s);

	return got > 0 ? (__u8)*s->at++ : got ? got : fail(s, complaint);
}

static bool in_object(const struct fxt_json_scan *s)
{
	return s->depth && s->objects & 1;
}

/* Starts a value, or a key if string is set. */
static int value_begin(struct fxt_json_scan *s, bool string)
{
	bool key;

	if (s->expect == END)
		return fail(s, "parse error: trailing garbage");
	if (s->comma && s->expect == NEXT)
		s->expect = in_object(s) ? KEY : VALUE;
	else if (s->comma)
		return fail(s, "parse error: a comma with no value before it: remove it");
	s->comma = false;
	key = s->expect == KEY || s->expect == FIRST_KEY;
	if (s->expect == NEXT)
		return fail(s, "parse error: values must be separated by a comma");
	if (s->expect == COLON || (key && !string))
		return fail(s, "parse error: an object's key must be a string, with a colon behind it");
	return 0;
}

static int value_end(struct fxt_json_scan *s, enum fxt_json_token token, enum fxt_json_type type)
{
	s->expect = s->depth ? NEXT : END;
	s->type = type;
	return token;
}

/* Skips a value that is nested too deep, after its bracket, and replaces it by null. */
static int deep_skip(struct fxt_json_scan *s)
{
	int byte = 0, err = beyond(s, "values nested deeper than 64");
	unsigned int depth = 1;
	bool string = false;

	if (err)
		return err;
	while (depth && byte >= 0) {
		byte = byte_next(s, "parse error: cut");
		if (byte == '"')
			string = !string;
		else if (string && byte == '\\')
			byte = byte_next(s, "parse error: cut");
		else if (!string && (byte == '{' || byte == '['))
			depth++;
		else if (!string && (byte == '}' || byte == ']'))
			depth--;
	}
	s->text.length = 0;
	fxt_buffer_put(&s->text, "null", 4);
	return byte < 0 ? byte : value_end(s, FXT_JSON_SCALAR, FXT_JSON_NULL);
}

static int bracket_open(struct fxt_json_scan *s, bool object)
{
	int err = value_begin(s, false);

	if (err)
		return err;
	if (s->depth == FXT_JSON_DEPTH_MAX)
		return deep_skip(s);
	s->depth++;
	s->objects = s->objects << 1 | object;
	s->expect = object ? FIRST_KEY : FIRST_VALUE;
	s->type = object ? FXT_JSON_OBJECT : FXT_JSON_ARRAY;
	return FXT_JSON_OPEN;
}

static int bracket_close(struct fxt_json_scan *s, bool object)
{
	if (s->expect == END)
		return fail(s, "parse error: trailing garbage");
	if (!s->depth || object != in_object(s))
		return fail(s, "parse error: a bracket that was not opened");
	if (s->expect != NEXT && s->expect != FIRST_VALUE && s->expect != FIRST_KEY)
		return fail(s, "parse error: a key without a value");
	if (s->comma && !s->ops)
		return fail(s, "parse error: a comma with no value behind it");
	s->comma = false;
	s->depth--;
	s->objects >>= 1;
	return value_end(s, FXT_JSON_CLOSE, object ? FXT_JSON_OBJECT : FXT_JSON_ARRAY);
}

/* Reads a unit of UTF-16, by the digits after "\u"; -errno. */
static int unit_read(struct fxt_json_scan *s)
{
	int unit = 0, i;

	for (i = 0; i < 4; i++) {
		int byte = byte_next(s, cut_in_string), letter = byte | 0x20;

		if (byte < 0)
			return byte;
		if (byte >= '0' && byte <= '9')
			unit = unit << 4 | (byte - '0');
		else if (letter >= 'a' && letter <= 'f')
			unit = unit << 4 | (letter - 'a' + 10);
		else
			return fail(s, "lexical error: an escape that JSON doesn't have");
	}
	return unit;
}

/* Reads the part after a backslash; *high: the first half of a surrogate pair, or 0. */
static int escape_read(struct fxt_json_scan *s, __u32 *high)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	int byte = byte_next(s, cut_in_string);
	const char *found = byte > 0 ? strchr(from, byte) : NULL;
	__u32 before = *high, code;
	char text[4];

	if (byte >= 0 && byte != 'u' && !found)
		return fail(s, "lexical error: an escape that JSON doesn't have");
	if (byte == 'u')
		byte = unit_read(s);
	if (byte < 0)
		return byte;
	*high = 0;
	code = found ? (__u8)to[found - from] : (__u32)byte;
	if (code >= 0xdc00 && code < 0xe000) {
		code = before ? 0x10000 + ((before & 0x3ff) << 10) + (code & 0x3ff) : '?';
		before = 0;
	}
	if (before)
		fxt_buffer_put(&s->text, "?", 1);
	if (code >= 0xd800 && code < 0xdc00)
		*high = code;
	else
		fxt_buffer_put(&s->text, text, fxt_utf8_encode(text, code));
	return 0;
}

/* Passes on a string above the limit as a piece, or cuts it. */
static int limit_check(struct fxt_json_scan *s)
{
	size_t count = s->text.length;
	int err = 0;

	if (s->text.failed)
		return -ENOMEM;
	if (count <= FXT_JSON_TOKEN_MAX)
		return 0;
	s->text.length = 0;
	if (s->pieces)
		return s->ops->piece(s->arg, s->text.bytes, count);
	if (!s->cut)
		err = beyond(s, "a string longer than 1 MiB, cut");
	s->cut = true;
	/* The cut may not be within a character. */
	for (count = FXT_JSON_TOKEN_MAX; ((__u8)s->text.bytes[count] & 0xc0) == 0x80; count--)
		;
	s->text.length = count;
	return err;
}

/* Returns the end of the bytes that need no handling. */
static const char *plain_end(const char *at, const char *end)
{
	__u64 word;

	for (; end - at >= 8; at += 8) {
		memcpy(&word, at, 8);
		if (fxt_json_plain(word) < 8)
			break;
	}
	while (at < end && (__u8)*at >= 0x20 && *at != '"' && *at != '\\')
		at++;
	return at;
}

static void mended(struct fxt_json_scan *s)
{
	if (!s->mended++)
		s->mended_at = fxt_json_scan_offset(s);
}

/* Reads a string's contents, up to and including the closing quote. */
static int contents_read(struct fxt_json_scan *s)
{
	__u32 high = 0;
	int got = 0, err = 0;

	while (!err && (got = more(s)) > 0) {
		const char *from = s->at;

		s->at = plain_end(from, s->end);
		if (high && (s->at > from || *s->at == '"')) {
			fxt_buffer_put(&s->text, "?", 1);
			high = 0;
		}
		fxt_buffer_put(&s->text, from, s->at - from);
		err = limit_check(s);
		if (err || s->at == s->end)
			continue;
		if (*s->at++ == '"')
			return 0;
		if (s->at[-1] == '\\') {
			err = escape_read(s, &high);
		} else if (s->lenient) {
			fxt_buffer_put(&s->text, s->at - 1, 1);
			mended(s);
		} else {
			return fail(s, "lexical error: a control character in a string");
		}
	}
	return err ? err : got ? got : fail(s, cut_in_string);
}

static int string_read(struct fxt_json_scan *s)
{
	int given = 0, err = value_begin(s, true);

	if (err)
		return err;
	s->cut = false;
	s->text.length = 0;
	/* Ensures that an empty string has an address, too. */
	if (!fxt_buffer_room(&s->text, 1))
		return -ENOMEM;
	err = contents_read(s);
	if (s->pieces) {
		if (s->text.length)
			given = s->ops->piece(s->arg, s->text.bytes, s->text.length);
		return err ? err : given ? given : value_end(s, FXT_JSON_PIECES, FXT_JSON_STRING);
	}
	if (err)
		return err;
	if (fxt_utf8_valid(s->text.bytes, s->text.length) < s->text.length) {
		if (!s->lenient)
			return fail(s, "lexical error: invalid bytes in UTF8 string");
		fxt_utf8_mend(s->text.bytes, s->text.length);
		mended(s);
	}
	if (s->expect != KEY && s->expect != FIRST_KEY)
		return value_end(s, FXT_JSON_SCALAR, FXT_JSON_STRING);
	s->expect = COLON;
	return FXT_JSON_KEY;
}

/* Returns whether a text is a number that JSON doesn't have, as Python, JavaScript and C's printf() write it. */
static bool not_finite(const char *text, size_t bytes)
{
	static const char *const names[] = { "nan", "inf", "infinity" };
	size_t i;

	if (bytes && (*text == '-' || *text == '+')) {
		text++;
		bytes--;
	}
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (bytes == strlen(names[i]) && !strncasecmp(text, names[i], bytes))
			return true;
	/* C may add a kind: "nan(ind)". */
	return bytes > 4 && !strncasecmp(text, "nan(", 4) && text[bytes - 1] == ')';
}

/* Reads a number or a name: all bytes up to one that may follow it. */
static int scalar_read(struct fxt_json_scan *s)
{
	static const char *const names[] = { "null", "false", "true" };
	int got = 0, err = value_begin(s, false);
	unsigned int type;

	s->at--;
	s->text.length = 0;
	while (!err && (got = more(s)) > 0) {
		const char *from = s->at;

		while (s->at < s->end && (__u8)*s->at > ' ' && !strchr(",:[]{}\"", *s->at))
			s->at++;
		fxt_buffer_put(&s->text, from, s->at - from);
		if (s->text.length > FXT_JSON_TOKEN_MAX)
			err = fail(s, "a number longer than 1 MiB");
		if (s->at < s->end)
			break;
	}
	if (err || got < 0 || s->text.failed)
		return err ? err : got < 0 ? got : -ENOMEM;
	if (fxt_json_number_is(s->text.bytes, s->text.length))
		return value_end(s, FXT_JSON_SCALAR, FXT_JSON_NUMBER);
	for (type = FXT_JSON_NULL; type <= FXT_JSON_TRUE; type++)
		if (s->text.length == strlen(names[type]) &&
		    !memcmp(s->text.bytes, names[type], s->text.length))
			return value_end(s, FXT_JSON_SCALAR, type);
	if (s->lenient && not_finite(s->text.bytes, s->text.length)) {
		if (!s->named++)
			s->named_at = fxt_json_scan_offset(s);
		return value_end(s, FXT_JSON_SCALAR, FXT_JSON_STRING);
	}
	return fail(s, "lexical error: neither a number nor a name that JSON has");
}

/* Reads a token by its first byte; 0 for bytes between tokens; -errno. */
static int token_read(struct fxt_json_scan *s, char c)
{
	switch (c) {
	case ' ':
	case '\t':
	case '\r':
	case '\n':
		return 0;
	case ',':
		if (s->comma)
			return fail(s, "parse error: a comma with no value before it: remove it");
		s->comma = true;
		return 0;
	case ':':
		if (s->expect != COLON || s->comma)
			return fail(s, "parse error: a colon with no key before it");
		s->expect = VALUE;
		return 0;
	case '{':
	case '[':
		return bracket_open(s, c == '{');
	case '}':
	case ']':
		return bracket_close(s, c == '}');
	case '"':
		return string_read(s);
	case '/':
		return fail(s, "parse error: a comment, which JSON does not have: remove it");
	default:
		return scalar_read(s);
	}
}

static int input_end(struct fxt_json_scan *s)
{
	if (s->ops && s->depth == 1 && !in_object(s))
		return bracket_close(s, false);
	if (s->expect != END || (s->comma && !s->ops))
		return fail(s, "parse error: cut");
	return FXT_JSON_END;
}

int fxt_json_scan_next(struct fxt_json_scan *s)
{
	int token = 0, got = 0;

	while (!token && (got = more(s)) > 0)
		token = token_read(s, *s->at++);
	s->pieces = false;
	return token ? token : got ? got : input_end(s);
}

bool fxt_json_valid(const char *text, size_t count)
{
	struct fxt_json_scan s;
	int token;

	fxt_json_scan_init(&s, NULL, NULL);
	s.start = s.at = text;
	s.end = text + count;
	do {
		token = fxt_json_scan_next(&s);
	} while (token > 0);
	fxt_json_scan_uninit(&s);
	return !token;
}
