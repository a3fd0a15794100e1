// SPDX-License-Identifier: GPL-2.0-only
/* Globs of thread names: they match as fnmatch(3) does, one glob or several. */
#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "select/glob.h"
#include "unit.h"

#define RANDOM	200000

static bool matches(const struct fxt_glob *glob, const char *text)
{
	struct fxt_thread_name name = { { 0 } };

	strncpy((char *)name.word, text, FXT_COMM_BYTES - 1);
	return fxt_glob_matches(&glob->automaton, &name);
}

static bool match(const char *pattern, const char *text)
{
	struct fxt_glob glob = { 0 };

	assert_int_equal(fxt_glob_add(&glob, pattern), 0);
	return matches(&glob, text);
}

static void literal(void **state)
{
	(void)state;
	assert_true(match("make", "make"));
	assert_false(match("make", "mak"));
	assert_false(match("make", "makes"));
	assert_true(match("*", ""));
	assert_false(match("?", ""));
	assert_true(match("cc1*", "cc1plus"));
	assert_true(match("kworker/[0-3]:*", "kworker/2:1H"));
	assert_false(match("kworker/[!0-3]:*", "kworker/2:1H"));
	assert_true(match("a\\*b", "a*b"));
	assert_false(match("a\\*b", "axb"));
	assert_true(match("[]]", "]"));
	assert_true(match("[a-]", "-"));
	assert_true(match("*\xc3\xa4*", "f\xc3\xa4" "den"));
	/* A name ends at its 15th byte. */
	assert_true(match("123456789012345", "1234567890123456"));
}

static void several(void **state)
{
	struct fxt_glob glob = { 0 };

	(void)state;
	assert_false(matches(&glob, "make"));
	assert_int_equal(fxt_glob_add(&glob, "ma"), 0);
	assert_int_equal(fxt_glob_add(&glob, "*ke"), 0);
	assert_int_equal(fxt_glob_add(&glob, "x?*"), 0);
	assert_true(matches(&glob, "ma"));
	assert_true(matches(&glob, "make"));
	assert_true(matches(&glob, "xy"));
	assert_false(matches(&glob, "x"));
	assert_false(matches(&glob, "mak"));
	assert_false(matches(&glob, "max"));
}

static void refused(void **state)
{
	static const char *const wrong[] = { "[", "[a", "[]", "[!]", "a\\", "[a\\" };
	char longest[FXT_GLOB_PLACES + 1] = "";
	struct fxt_glob glob;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		memset(&glob, 0, sizeof(glob));
		assert_int_equal(fxt_glob_add(&glob, wrong[i]), -EINVAL);
	}
	memset(&glob, 0, sizeof(glob));
	memset(longest, 'a', FXT_GLOB_PLACES - 1);
	assert_int_equal(fxt_glob_add(&glob, longest), 0);
	assert_int_equal(fxt_glob_add(&glob, ""), -E2BIG);
	memset(&glob, 0, sizeof(glob));
	memset(longest, 'a', FXT_GLOB_PLACES);
	assert_int_equal(fxt_glob_add(&glob, longest), -E2BIG);
}

/* Makes a text of few different letters, so that many match. */
static void random_text(char *text, const char *of, size_t most)
{
	size_t length = rand() % (most + 1), i;

	for (i = 0; i < length; i++)
		text[i] = of[rand() % strlen(of)];
	text[length] = '\0';
}

static void like_fnmatch(void **state)
{
	unsigned int matched = 0, i;

	(void)state;
	srand(7);
	for (i = 0; i < RANDOM; i++) {
		struct fxt_glob glob = { 0 };
		char pattern[16], text[16];
		bool wanted;

		random_text(pattern, "ab*?[]!-\\", 8);
		random_text(text, "ab]-", 8);
		if (fxt_glob_add(&glob, pattern))
			continue;
		/* C libraries differ about these characters in brackets. */
		if (strchr(pattern, '[') && strpbrk(pattern, "\\-!"))
			continue;
		wanted = !fnmatch(pattern, text, 0);
		matched += wanted;
		if (matches(&glob, text) != wanted)
			fail_msg("\"%s\" and \"%s\": fnmatch says %d", pattern, text, wanted);
	}
	assert_true(matched > RANDOM / 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(literal),
		cmocka_unit_test(several),
		cmocka_unit_test(refused),
		cmocka_unit_test(like_fnmatch),
	};

	return unit_run(tests);
}
