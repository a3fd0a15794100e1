// SPDX-License-Identifier: GPL-2.0-only
/* Windows of time: their texts, and their times in a trace. */
#include <errno.h>

#include "unit.h"
#include "util/window.h"

#define FIRST	1000000000000ULL
#define LAST	1010000000000ULL
#define OPEN	(~0ULL)

static void windows(void **state)
{
	static const struct {
		const char *text;
		bool relative;
		__u64 from, to;
	} rows[] = {
		{ ",", false, 0, OPEN },
		{ "1.5,", true, FIRST + 1500000000, OPEN },
		{ "1.5", true, FIRST + 1500000000, OPEN },
		{ "200ms,1.5s", true, FIRST + 200000000, FIRST + 1500000000 },
		{ "0.29,0.57s", true, FIRST + 290000000, FIRST + 570000000 },
		{ "0,1us", true, FIRST, FIRST + 1000 },
		{ "-1s,", true, LAST - 1000000000, OPEN },
		{ "-1s", true, LAST - 1000000000, OPEN },
		{ "-2s,-1500ms", true, LAST - 2000000000, LAST - 1500000000 },
		{ ",-0", true, 0, LAST },
		{ "-5000s,", true, 0, OPEN },
		{ "@5,@6", false, 5, 6 },
		{ "@1000000000001,1s", true, FIRST + 1, FIRST + 1000000000 },
		{ ",@18446744073709551615", false, 0, OPEN },
		{ "1000.5,1001.25", true, FIRST + 500000000, FIRST + 1250000000 },
		{ "1000.123456789,", true, FIRST + 123456789, OPEN },
		{ ",1002", true, 0, FIRST + 2000000000 },
		{ "1000000000001,1000000000002", true, FIRST + 1, FIRST + 2 },
		{ "1000500000000,1001", true, FIRST + 500000000, FIRST + 1000000000 },
		{ "1,1002", true, FIRST + 1000000000, FIRST + 1002000000000 },
		{ "-5s,1009", true, LAST - 5000000000, FIRST + 1009000000000 },
		{ "999.9999995,", true, FIRST - 500, OPEN },
		{ "999,", true, FIRST + 999000000000, OPEN },
		{ "1011,", true, FIRST + 1011000000000, OPEN },
		{ "1000.5s,", true, FIRST + 1000500000000, OPEN },
		{ "8000000000,", true, FIRST + 8000000000000000000, OPEN },
	};
	struct fxt_window w;
	__u64 from, to;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(fxt_window_parse(&w, rows[i].text), 0);
		assert_int_equal(fxt_window_is_relative(&w), rows[i].relative);
		fxt_window_resolve(&w, FIRST, LAST, &from, &to);
		assert_true(from == rows[i].from && to == rows[i].to);
	}
	fxt_window_parse(&w, "9000000,");
	fxt_window_resolve(&w, OPEN - 5, OPEN, &from, &to);
	assert_true(from == OPEN && to == OPEN);
	assert_true(fxt_window_holds(0, OPEN, OPEN) && fxt_window_holds(5, 6, 5));
	assert_false(fxt_window_holds(5, 6, 6) || fxt_window_holds(5, 6, 4));
}

static void wrong(void **state)
{
	static const struct {
		const char *text;
		int err;
	} rows[] = {
		{ "", -EINVAL }, { "x", -EINVAL }, { "1,2,3", -EINVAL }, { "1 ,2", -EINVAL }, { "1d", -EINVAL },
		{ "--1", -EINVAL }, { "+1", -EINVAL }, { "-", -EINVAL }, { "@", -EINVAL }, { "@-1", -EINVAL },
		{ "@1.5s", -EINVAL }, { "@1s", -EINVAL }, { "@18446744073709551616", -ERANGE }, { "1e30", -ERANGE },
		{ "nan", -EINVAL }, { "inf", -EINVAL }, { "2,1", -ERANGE }, { "1,1000ms", -ERANGE },
		{ "-1,-2", -ERANGE }, { "-1,-1", -ERANGE }, { "@7,@7", -ERANGE }, { "@8,@7", -ERANGE },
		{ ",0", -ERANGE }, { ",@0", -ERANGE },
		{ "1111111111111111111111111111111111111111111111111111111111111111111111", -EINVAL },
	};
	struct fxt_window w;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(fxt_window_parse(&w, rows[i].text), rows[i].err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows),
		cmocka_unit_test(wrong),
	};

	return unit_run(tests);
}
