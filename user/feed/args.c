// SPDX-License-Identifier: GPL-2.0-only
/* Reads "key=value" parts of events and marks as arguments. */
#include <errno.h>
#include <stdlib.h>

#include "feed/feed.h"

/* Reads a decimal number, if it would be printed the same. */
static bool decimal(struct fxt_span value, __u64 *number, bool *negative)
{
	struct fxt_span s = value;

	*negative = fxt_span_skip(&s, "-");
	if (s.bytes > 1 && *s.at == '0')
		return false;
	if (!fxt_span_number(&s, number) || s.bytes)
		return false;
	return *negative ? *number && *number <= 1ULL << 63 : true;
}

/* Reads a number with strtod() or strtoull() from a part that isn't terminated: from the whole part, or fails. */
static bool real(struct fxt_span value, double *number)
{
	char text[40], *end;

	if (value.bytes >= sizeof(text) || !value.bytes || strspn(value.at, "-0123456789") == 0)
		return false;
	memcpy(text, value.at, value.bytes);
	text[value.bytes] = 0;
	*number = strtod(text, &end);
	return !*end && strpbrk(text, ".en");
}

static bool pointer(struct fxt_span value, __u64 *number)
{
	char text[24], *end;

	if (value.bytes >= sizeof(text) || value.bytes < 3 || memcmp(value.at, "0x", 2))
		return false;
	memcpy(text, value.at, value.bytes);
	text[value.bytes] = 0;
	*number = strtoull(text, &end, 16);
	return !*end;
}

static void arg_add(struct fxt_record *r, struct fxt_span key, struct fxt_span value, bool exact)
{
	struct fxt_text name = fxt_span_text(key);
	bool negative;
	double number;
	__u64 whole;

	if (exact && !value.bytes) {
		fxt_build_arg_null(r, name);
	} else if (exact && value.bytes > 1 && *value.at == '"' && value.at[value.bytes - 1] == '"') {
		fxt_build_arg_string(r, name, fxt_build_text(value.at + 1, value.bytes - 2));
	} else if (decimal(value, &whole, &negative)) {
		if (negative || whole <= 0x7fffffff)
			fxt_build_arg_int(r, name, negative ? -whole : whole);
		else
			fxt_build_arg_uint(r, name, whole);
	} else if (exact && (fxt_span_is(value, "true") || fxt_span_is(value, "false"))) {
		fxt_build_arg_bool(r, name, *value.at == 't');
	} else if (exact && pointer(value, &whole)) {
		fxt_build_arg_pointer(r, name, whole);
	} else if (exact && real(value, &number)) {
		fxt_build_arg_double(r, name, number);
	} else {
		fxt_build_arg_string(r, name, fxt_span_text(value));
	}
}

static bool key_character(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.' || c == '-' || c == ' ' || c == '/' || c == ':' ||
	       (__u8)c >= 0x80;
}

/* Returns the key at a part's start, without '='; empty where the part starts without a key. */
static struct fxt_span key_of(struct fxt_span part, char between)
{
	size_t i;

	for (i = 0; i < part.bytes && part.at[i] != '='; i++)
		if (!key_character(part.at[i]) || part.at[i] == between)
			return fxt_span(part.at, 0);
	return fxt_span(part.at, i < part.bytes ? i : 0);
}

/* Returns the bytes of one argument: up to the next part with a key. */
static size_t extent(struct fxt_span text, char between)
{
	size_t i;

	for (i = 0; i < text.bytes; i++)
		if (text.at[i] == between && text.bytes - i > 1 &&
		    key_of(fxt_span(text.at + i + 1, text.bytes - i - 1), between).bytes)
			return i;
	return text.bytes;
}

/* Adds the words before the first key of an event's fields, as of "clock_set_rate: gpu state=1"; returns the rest. */
static struct fxt_span words_add(struct fxt_record *r, struct fxt_span text, char between)
{
	size_t bytes = extent(text, between);

	fxt_build_arg_string(r, fxt_build_string("text"), fxt_span_text(fxt_span(text.at, bytes)));
	if (bytes < text.bytes)
		bytes++;
	return fxt_span(text.at + bytes, text.bytes - bytes);
}

void fxt_feed_args(struct fxt_record *r, struct fxt_span text, char between, bool exact)
{
	struct fxt_span key;

	if (!text.bytes)
		return;
	if (!key_of(text, between).bytes)
		text = words_add(r, text, between);
	while (text.bytes) {
		size_t bytes = extent(text, between);

		if (r->arg_count == FXT_ARGS_MAX - 1 && bytes < text.bytes) {
			fxt_build_arg_string(r, fxt_build_string("fields"), fxt_span_text(text));
			return;
		}
		key = key_of(text, between);
		arg_add(r, key, fxt_span(text.at + key.bytes + 1, bytes - key.bytes - 1), exact);
		if (bytes < text.bytes)
			bytes++;
		text = fxt_span(text.at + bytes, text.bytes - bytes);
	}
}
