// SPDX-License-Identifier: GPL-2.0-only
/* The JSON writer: separators, escapes, numbers and indentation. */
#include <math.h>
#include <string.h>

#include "util/json_writer.h"
#include "unit.h"

static void written(struct fxt_json_writer *w, const char *expected)
{
	fxt_buffer_put(&w->text, "", 1);
	assert_false(w->text.failed);
	assert_string_equal(w->text.bytes, expected);
	fxt_buffer_uninit(&w->text);
}

static void everything(struct fxt_json_writer *w)
{
	fxt_json_open(w, '{');
	fxt_json_key(w, "a");
	fxt_json_open(w, '[');
	fxt_json_number(w, ~0ULL);
	fxt_json_signed(w, -7);
	fxt_json_open(w, '{');
	fxt_json_close(w, '}');
	fxt_json_open(w, '[');
	fxt_json_close(w, ']');
	fxt_json_bool(w, true);
	fxt_json_bool(w, false);
	fxt_json_null(w);
	fxt_json_close(w, ']');
	fxt_json_key_text(w, "b\"", 2);
	fxt_json_raw(w, "[1, 2]", 6);
	fxt_json_key(w, "c");
	fxt_json_word(w, "d");
	fxt_json_close(w, '}');
}

static void separators(void **state)
{
	struct fxt_json_writer w = { 0 }, lines = { .lines = true };

	(void)state;
	everything(&w);
	written(&w, "{\"a\":[18446744073709551615,-7,{},[],true,false,null],"
		"\"b\\\"\":[1, 2],\"c\":\"d\"}");
	everything(&lines);
	written(&lines, "{\n  \"a\": [\n    18446744073709551615,\n    -7,\n    {},\n    [],\n"
		"    true,\n    false,\n    null\n  ],\n  \"b\\\"\": [1, 2],\n  \"c\": \"d\"\n}");
}

static void string(const char *text, size_t count, const char *expected)
{
	struct fxt_json_writer w = { 0 };

	fxt_json_string(&w, text, count);
	written(&w, expected);
}

/* Each special byte at each position of a word, as the writer checks whole words. */
static void escapes(void **state)
{
	static const struct {
		const char *text, *escaped;
	} known[] = {
		{ "\"", "\\\"" }, { "\\", "\\\\" }, { "\b", "\\b" }, { "\t", "\\t" }, { "\n", "\\n" },
		{ "\v", "\\u000b" }, { "\f", "\\f" }, { "\r", "\\r" }, { "\x1f", "\\u001f" },
		{ "\x7f", "\\u007f" }, { "\x80", "\\ufffd" }, { "\xff", "\\ufffd" },
		{ "\xc3\xa9", "\xc3\xa9" }, { "\xe2\x82", "\\ufffd\\ufffd" }, { " ", " " }, { "~", "~" },
		{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" }, { "!", "!" }, { "]", "]" }, { "/", "/" },
	};
	char text[32], expected[64];
	size_t i, before;

	(void)state;
	string("", 0, "\"\"");
	string("a\0b", 3, "\"a\\u0000b\"");
	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		for (before = 0; before < 18; before++) {
			sprintf(text, "%.*s%sz", (int)before, "abcdefghijklmnopqr", known[i].text);
			sprintf(expected, "\"%.*s%sz\"", (int)before, "abcdefghijklmnopqr",
				known[i].escaped);
			string(text, strlen(text), expected);
		}
}

static void doubles(void **state)
{
	struct fxt_json_writer w = { 0 };

	(void)state;
	fxt_json_open(&w, '[');
	fxt_json_double(&w, 0.5);
	fxt_json_double(&w, -3);
	fxt_json_double(&w, NAN);
	fxt_json_double(&w, INFINITY);
	fxt_json_double(&w, -INFINITY);
	fxt_json_close(&w, ']');
	written(&w, "[0.5,-3.0,\"NaN\",\"Infinity\",\"-Infinity\"]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(separators),
		cmocka_unit_test(escapes),
		cmocka_unit_test(doubles),
	};

	return unit_run(tests);
}
