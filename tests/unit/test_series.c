// SPDX-License-Identifier: GPL-2.0-only
/* Names of numbered files. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "unit.h"
#include "util/series.h"

/* The number stands before the suffix, the packing's with it. */
static void numbers(void **state)
{
	static const char *const names[][2] = {
		{ "trace.fxt", "trace.0001.fxt" }, { "trace", "trace.0001" }, { "a.b/trace", "a.b/trace.0001" },
		{ "a.b/c.d.fxt", "a.b/c.d.0001.fxt" }, { "host.2026-11-26.fxt", "host.2026-11-26.0001.fxt" },
		{ "app.1.2", "app.1.2.0001" }, { "trace.json.gz", "trace.0001.json.gz" },
		{ "my.trace.fxt.zst", "my.trace.0001.fxt.zst" }, { "1.2.gz", "1.2.0001.gz" },
		{ ".fxt", ".fxt.0001" }, { "a/.fxt", "a/.fxt.0001" }, { ".gz", ".gz.0001" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct fxt_series series = { .path = names[i][0] };
		char *name = fxt_series_next(&series);

		assert_string_equal(name, names[i][1]);
		free(name);
	}
}

/* It goes on behind those that are there, of its own name alone. */
static void follows(void **state)
{
	static const char *const there[] = { "a.1.0007.fxt", "a.0009.1.fxt", "a.1.0010.json", "a.1.x.fxt" };
	char folder[] = "/tmp/fxt-series-XXXXXX", path[64];
	struct fxt_series series = { .path = path };
	char *name;
	size_t i;

	(void)state;
	assert_non_null(mkdtemp(folder));
	for (i = 0; i < sizeof(there) / sizeof(*there); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, there[i]);
		close(open(path, O_CREAT | O_WRONLY, 0600));
	}
	snprintf(path, sizeof(path), "%s/a.1.fxt", folder);
	assert_int_equal(fxt_series_follow(&series), 0);
	name = fxt_series_next(&series);
	assert_string_equal(name + strlen(folder), "/a.1.0008.fxt");
	free(name);
	for (i = 0; i < sizeof(there) / sizeof(*there); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, there[i]);
		unlink(path);
	}
	rmdir(folder);
}

/* A folder's name, or none, is no file's. */
static void folders(void **state)
{
	static char *const paths[] = { "/tmp/", "/tmp", "/tmp/..", ".", "" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		struct fxt_series series = { .path = paths[i] };

		assert_int_equal(fxt_series_follow(&series), -EISDIR);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(follows),
		cmocka_unit_test(folders),
	};

	return unit_run(tests);
}
