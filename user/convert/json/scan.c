// SPDX-License-Identifier: GPL-2.0-only
/* A tokenizer of JSON that comes in pieces. */
#include <errno.h>
#include <string.h>

#include "convert/json/number.h"
#include "convert/json/scan.h"
#include "util/utf8.h"

/* What the next byte is part of. */
enum mode { BETWEEN, STRING, SCALAR, SKIP };

/* What may stand next, between tokens.  A comma changes it only with what follows. */
enum expect { VALUE, FIRST_VALUE, FIRST_KEY, KEY, COLON, NEXT, END };

void fxt_json_scan_init(struct fxt_json_scan *s, const struct fxt_json_scan_ops *ops, void *arg)
{
	*s = (struct fxt_json_scan){ .ops = ops, .arg = arg };
}

void fxt_json_scan_uninit(struct fxt_json_scan *s)
{
	fxt_buffer_uninit(&s->token.text);
}

__u64 fxt_json_scan_offset(const struct fxt_json_scan *s)
{
	return s->base + (s->at - s->piece);
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

static bool in_object(const struct fxt_json_scan *s)
{
	return s->depth && s->objects & 1;
}

/* A value, or with key a string, starts here. */
static int value_begin(struct fxt_json_scan *s, bool string)
{
	bool key;

	if (s->expect == END)
		return fail(s, "parse error: trailing garbage");
	if (s->comma && s->expect == NEXT)
		s->expect = in_object(s) ? KEY : VALUE;
	else if (s->comma)
		return fail(s, "parse error: a comma with no value before it");
	s->comma = false;
	key = s->expect == KEY || s->expect == FIRST_KEY;
	if (s->expect == NEXT)
		return fail(s, "parse error: values must be separated by a comma");
	if (s->expect == COLON || (key && !string))
		return fail(s, "parse error: an object's key must be a string, with a colon behind it");
	if (!key && !string)
		s->pieces_asked = false;
	return 0;
}

static void value_end(struct fxt_json_scan *s)
{
	s->mode = BETWEEN;
	s->expect = s->depth ? NEXT : END;
}

static int scalar_give(struct fxt_json_scan *s, enum fxt_json_type type, const char *bytes,
		       size_t count)
{
	value_end(s);
	return s->ops ? s->ops->scalar(s->arg, type, bytes, count) : 0;
}

static int bracket_open(struct fxt_json_scan *s, bool object)
{
	int err = value_begin(s, false);

	if (err)
		return err;
	if (s->depth == FXT_JSON_DEPTH_MAX) {
		err = beyond(s, "values nested deeper than 64");
		if (!err)
			err = scalar_give(s, FXT_JSON_NULL, "null", 4);
		s->mode = SKIP;
		s->skipped = 1;
		s->skipped_string = s->skipped_escape = false;
		return err;
	}
	s->depth++;
	s->objects = s->objects << 1 | object;
	s->expect = object ? FIRST_KEY : FIRST_VALUE;
	return s->ops ? s->ops->open(s->arg, object) : 0;
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
	value_end(s);
	return s->ops ? s->ops->close(s->arg, object) : 0;
}

/* Bytes of a value that is dropped, as it is nested too deep. */
static int skip(struct fxt_json_scan *s)
{
	char c = *s->at++;

	if (s->skipped_escape)
		s->skipped_escape = false;
	else if (c == '"')
		s->skipped_string = !s->skipped_string;
	else if (s->skipped_string)
		s->skipped_escape = c == '\\';
	else if (c == '{' || c == '[')
		s->skipped++;
	else if ((c == '}' || c == ']') && !--s->skipped)
		s->mode = BETWEEN;
	return 0;
}

static int piece_give(struct fxt_json_scan *s)
{
	size_t count = s->token.text.length;

	s->token.text.length = 0;
	return count ? s->ops->piece(s->arg, s->token.text.bytes, count) : 0;
}

static int string_begin(struct fxt_json_scan *s)
{
	int err = value_begin(s, true);

	s->mode = STRING;
	s->cut = false;
	fxt_json_string_begin(&s->token);
	s->pieces = s->pieces_asked && s->expect == VALUE;
	return err;
}

static int string_end(struct fxt_json_scan *s, const char *bytes, size_t count)
{
	bool key = s->expect == KEY || s->expect == FIRST_KEY;
	int err;

	if (s->pieces) {
		err = piece_give(s);
		s->pieces = s->pieces_asked = false;
		value_end(s);
		return err ? err : s->ops->piece(s->arg, NULL, 0);
	}
	if (!s->token.ascii && fxt_utf8_valid(bytes, count) < count)
		return fail(s, "lexical error: invalid bytes in UTF8 string");
	if (!key)
		return scalar_give(s, FXT_JSON_STRING, bytes, count);
	s->mode = BETWEEN;
	s->expect = COLON;
	err = s->ops ? s->ops->key(s->arg, bytes, count) : 0;
	s->pieces_asked = err == FXT_JSON_PIECES;
	return s->pieces_asked ? 0 : err;
}

static int string(struct fxt_json_scan *s)
{
	size_t count;
	const char *bytes;
	int err = 0, got = fxt_json_string_feed(&s->token, &s->at, s->end, &bytes, &count,
						&s->complaint);

	if (got < 0)
		return got;
	if (s->pieces) {
		if (got && bytes != s->token.text.bytes)
			fxt_buffer_put(&s->token.text, bytes, count);
	} else if (s->token.text.length > FXT_JSON_TOKEN_MAX && !s->cut) {
		err = beyond(s, "a string longer than 1 MiB");
		s->cut = true;
	}
	if (s->cut)
		count = s->token.text.length = 0;
	return err || !got ? err : string_end(s, bytes, count);
}

static int scalar_end(struct fxt_json_scan *s, const char *bytes, size_t count)
{
	static const struct {
		const char *name;
		size_t length;
		enum fxt_json_type type;
	} names[] = { { "null", 4, FXT_JSON_NULL }, { "false", 5, FXT_JSON_FALSE },
		      { "true", 4, FXT_JSON_TRUE } };
	unsigned int i;

	if (fxt_json_number_is(bytes, count))
		return scalar_give(s, FXT_JSON_NUMBER, bytes, count);
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (count == names[i].length && !memcmp(bytes, names[i].name, count))
			return scalar_give(s, names[i].type, bytes, count);
	return fail(s, "lexical error: neither a number nor a name that JSON has");
}

/* A number or a name: all up to what may stand behind one. */
static int scalar(struct fxt_json_scan *s)
{
	struct fxt_buffer *token = &s->token.text;
	const char *from = s->at, *to = from;

	while (to < s->end && (__u8)*to > ' ' && !strchr(",:[]{}\"", *to))
		to++;
	s->at = to;
	if (to < s->end && !token->length)
		return scalar_end(s, from, to - from);
	fxt_buffer_put(token, from, to - from);
	if (token->failed)
		return -ENOMEM;
	if (token->length > FXT_JSON_TOKEN_MAX)
		return fail(s, "a number longer than 1 MiB");
	return to == s->end ? 0 : scalar_end(s, token->bytes, token->length);
}

static int scalar_begin(struct fxt_json_scan *s)
{
	int err = value_begin(s, false);

	s->mode = SCALAR;
	s->token.text.length = 0;
	s->at--;
	return err;
}

static int between(struct fxt_json_scan *s)
{
	char c = *s->at++;

	switch (c) {
	case ' ':
	case '\t':
	case '\r':
	case '\n':
		return 0;
	case ',':
		if (s->comma)
			return fail(s, "parse error: a comma with no value before it");
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
		return string_begin(s);
	default:
		return scalar_begin(s);
	}
}

int fxt_json_scan_feed(struct fxt_json_scan *s, const char *bytes, size_t count)
{
	static int (*const modes[])(struct fxt_json_scan *s) = {
		[BETWEEN] = between, [STRING] = string, [SCALAR] = scalar, [SKIP] = skip,
	};
	int err = 0, given;

	s->base = fxt_json_scan_offset(s);
	s->piece = s->at = bytes;
	s->end = bytes + count;
	while (s->at < s->end && !err)
		err = modes[s->mode](s);
	given = s->pieces ? piece_give(s) : 0;
	return err ? err : given;
}

int fxt_json_scan_end(struct fxt_json_scan *s)
{
	int err = 0;

	if (s->mode == SCALAR)
		err = scalar_end(s, s->token.text.bytes, s->token.text.length);
	if (err)
		return err;
	if (s->mode == STRING)
		return fail(s, "parse error: cut in a string");
	if (s->ops && s->mode == BETWEEN && s->depth == 1 && !in_object(s))
		err = bracket_close(s, false);
	if (!err && (s->mode != BETWEEN || s->expect != END || (s->comma && !s->ops)))
		err = fail(s, "parse error: cut");
	return err;
}

bool fxt_json_valid(const char *text, size_t count)
{
	struct fxt_json_scan s;
	bool valid;

	fxt_json_scan_init(&s, NULL, NULL);
	valid = !fxt_json_scan_feed(&s, text, count) && !fxt_json_scan_end(&s);
	fxt_json_scan_uninit(&s);
	return valid;
}
