// SPDX-License-Identifier: GPL-2.0-only
/* UTF-8, digits and hashes: against the C library, and against values of the algorithms' authors. */
#include <math.h>
#include <string.h>

#include "store/hash.h"
#include "unit.h"
#include "util/digits.h"
#include "util/utf8.h"

static void utf8_codes(void **state)
{
	char text[8];
	__u32 code;

	(void)state;
	for (code = 0; code < 0x110000; code++) {
		size_t length = fxt_utf8_encode(text, code), expected;

		expected = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
		assert_int_equal(length, expected);
		if (code >= 0xd800 && code < 0xe000) {
			assert_int_equal(fxt_utf8_length(text, length), 0);
			continue;
		}
		assert_int_equal(fxt_utf8_length(text, length), length);
		assert_int_equal(fxt_utf8_length(text, 8), length);
		assert_int_equal(fxt_utf8_decode(text, length), code);
		if (length > 1)
			assert_int_equal(fxt_utf8_length(text, length - 1), 0);
	}
}

static void mended(const char *text, size_t valid, const char *expected)
{
	char copy[32];

	assert_int_equal(fxt_utf8_valid(text, strlen(text)), valid);
	strcpy(copy, text);
	fxt_utf8_mend(copy, strlen(text));
	assert_string_equal(copy, expected);
}

static void utf8_mend(void **state)
{
	(void)state;
	mended("", 0, "");
	mended("a\xc3\xa9", 3, "a\xc3\xa9");
	mended("a\xc3", 1, "a?");
	mended("\xc3" "a", 0, "?a");
	mended("\xff\xe2\x82\xac", 0, "?\xe2\x82\xac");
	mended("\xe2\x82" "b\xe2\x82\xac\x80", 0, "??b\xe2\x82\xac?");
	mended("\xed\xa0\x80\xc0\x80", 0, "?????");
}

static void split(const char *text, size_t width, const char *head, const char *expected)
{
	size_t bytes = 0;
	const char *tail = fxt_utf8_split(text, width, &bytes);

	assert_int_equal(!tail, !expected);
	if (!tail)
		return;
	assert_int_equal(bytes, strlen(head));
	assert_memory_equal(text, head, bytes);
	assert_string_equal(tail, expected);
	assert_int_equal(fxt_utf8_columns(head) + 2 + fxt_utf8_columns(tail), width);
}

static void utf8_split(void **state)
{
	(void)state;
	assert_int_equal(fxt_utf8_columns(""), 0);
	assert_int_equal(fxt_utf8_columns("a\xc3\xa9\xff"), 3);
	split("", 8, NULL, NULL);
	split("12345678", 8, NULL, NULL);
	split("123456789", 8, "12", "6789");
	split("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9" "56\xff\xe2\x82\xac" "9", 8, "\xc3\xa9\xc3\xa9",
	      "6\xff\xe2\x82\xac" "9");
}

static const char *text_of(char *text, const char *end)
{
	text[end - text] = '\0';
	return text;
}

static void digits(void **state)
{
	static const __u64 numbers[] = { 0, 9, 10, 99, 100, 12345, 1ULL << 32, 1ULL << 63, ~0ULL };
	static const __u8 bytes[] = { 0x00, 0x9a, 0xff };
	char text[32], expected[32];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		sprintf(expected, "%llu", numbers[i]);
		assert_string_equal(text_of(text, fxt_digits(text, numbers[i])), expected);
		sprintf(expected, "%lld", (long long)numbers[i]);
		assert_string_equal(text_of(text, fxt_digits_signed(text, numbers[i])), expected);
		sprintf(expected, "%llx", numbers[i]);
		assert_string_equal(text_of(text, fxt_digits_hex(text, numbers[i], 1)), expected);
		sprintf(expected, "%08llx", numbers[i]);
		assert_string_equal(text_of(text, fxt_digits_hex(text, numbers[i], 8)), expected);
	}
	assert_string_equal(text_of(text, fxt_digits_padded(text, 42, 5)), "00042");
	assert_string_equal(text_of(text, fxt_digits_short(text, 120)), "120");
	assert_string_equal(text_of(text, fxt_digits_short(text, -20)), "-20");
	assert_string_equal(text_of(text, fxt_digits_bytes(text, bytes, 3)), "009aff");
}

static void doubles(void **state)
{
	static const struct {
		double real;
		const char *text;
	} known[] = {
		{ 0, "0.0" }, { -0.0, "-0.0" }, { 2, "2.0" }, { -1.5, "-1.5" }, { 0.1, "0.1" },
		{ 1234.567, "1234.567" }, { 1e-3, "0.001" }, { 1e-4, "0.0001" }, { 1e300, "1e+300" },
		{ 1.0 / 3, "0.3333333333333333" }, { 5e-324, "4.94065645841247e-324" },
		{ 123456789012345, "123456789012345.0" }, { INFINITY, "inf" }, { -INFINITY, "-inf" },
		{ NAN, "nan" },
	};
	char text[32];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		assert_string_equal(text_of(text, fxt_digits_double(text, known[i].real)),
				    known[i].text);
	srandom(1);
	for (i = 0; i < 100000; i++) {
		double real = (i % 2 ? 1e-3 : 1e-9) * random() * (i % 3 ? 1 : -1);

		assert_true(strtod(text_of(text, fxt_digits_double(text, real)), NULL) == real);
	}
}

/* Compares with the reference page of the Fowler/Noll/Vo hash. */
static void hashes(void **state)
{
	(void)state;
	assert_true(fxt_hash_bytes(FXT_HASH_START, "", 0) == 0xcbf29ce484222325ULL);
	assert_true(fxt_hash_bytes(FXT_HASH_START, "a", 1) == 0xaf63dc4c8601ec8cULL);
	assert_true(fxt_hash_bytes(FXT_HASH_START, "foobar", 6) == 0x85944171f73967e8ULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(utf8_codes),
		cmocka_unit_test(utf8_mend),
		cmocka_unit_test(utf8_split),
		cmocka_unit_test(digits),
		cmocka_unit_test(doubles),
		cmocka_unit_test(hashes),
	};

	return unit_run(tests);
}
