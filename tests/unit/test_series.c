// SPDX-License-Identifier: GPL-2.0-only
/* Names of numbered files. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "flight/rest.h"
#include "unit.h"
#include "util/series.h"

/* The number is before the suffix, including the compression's. */
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
		char *name = fxt_series_next(&series, FXT_SERIES_ASKED);

		assert_string_equal(name, names[i][1]);
		free(name);
	}
}

#define COUNT(array)	(sizeof(array) / sizeof(*(array)))

/* Makes a folder of a template with empty files of these names. */
static void files_make(char *folder, const char *const *names, size_t count)
{
	char path[64];

	assert_non_null(mkdtemp(folder));
	while (count--) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[count]);
		close(open(path, O_CREAT | O_WRONLY, 0600));
	}
}

static void files_remove(const char *folder, const char *const *names, size_t count)
{
	char path[64];

	while (count--) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[count]);
		unlink(path);
	}
	rmdir(folder);
}

/* A series continues after existing files of its own name. */
static void follows(void **state)
{
	static const char *const there[] = { "a.1.0007.fxt", "a.0009.1.fxt", "a.1.0010.json", "a.1.x.fxt" };
	char folder[] = "/tmp/fxt-series-XXXXXX", path[64];
	struct fxt_series series = { .path = path };
	char *name;

	(void)state;
	files_make(folder, there, COUNT(there));
	snprintf(path, sizeof(path), "%s/a.1.fxt", folder);
	assert_int_equal(fxt_series_follow(&series), 0);
	name = fxt_series_next(&series, FXT_SERIES_ASKED);
	assert_string_equal(name + strlen(folder), "/a.1.0008.fxt");
	free(name);
	files_remove(folder, there, COUNT(there));
}

/* Files of an earlier recording count among the files that stay, each kind by itself. */
static void keeps(void **state)
{
	static const char *const there[] = { "a.0003.fxt", "a.0001.fxt", "a.0002.trigger.fxt", "a.0005.trigger.fxt", "a.0004.trigger.fxt" };
	static const char *const removed[] = { "a.0001.fxt", "a.0002.trigger.fxt", "a.0004.trigger.fxt" };
	char folder[] = "/tmp/fxt-series-XXXXXX", path[64];
	struct fxt_series series = { .path = path, .keep = 2, .inherits = true };
	char *name;
	size_t i;

	(void)state;
	files_make(folder, there, COUNT(there));
	snprintf(path, sizeof(path), "%s/a.fxt", folder);
	assert_int_equal(fxt_series_follow(&series), 0);
	name = fxt_series_next(&series, FXT_SERIES_TRIGGERED);
	assert_string_equal(name + strlen(folder), "/a.0006.trigger.fxt");
	free(name);
	fxt_series_keep(&series, FXT_SERIES_TRIGGERED, 6);
	fxt_series_keep(&series, FXT_SERIES_ASKED, 7);
	for (i = 0; i < sizeof(removed) / sizeof(*removed); i++) {
		name = fxt_series_surplus(&series);
		assert_string_equal(name + strlen(folder) + 1, removed[i]);
		free(name);
	}
	assert_null(fxt_series_surplus(&series));
	fxt_series_uninit(&series);
	files_remove(folder, there, COUNT(there));
}

/* A trigger that asks all the time asks ever more rarely, and starts again after it was quiet. */
static void rests(void **state)
{
	struct fxt_rest rest = {};
	__u64 now, asked = 0, last = 0;

	(void)state;
	for (now = FXT_REST_NS; now < 3600 * FXT_REST_NS; now += FXT_REST_NS / 10) {
		if (!fxt_rest_over(&rest, now))
			continue;
		assert_true(!asked || now - last <= FXT_REST_MAX_NS + FXT_REST_NS / 10);
		fxt_rest_start(&rest, now);
		asked++;
		last = now;
	}
	/* 1, 2, 4, ... 512 s, then each 600 s. */
	assert_in_range(asked, 10, 16);
	assert_int_equal(rest.refused + asked, 35990);
	now = last + 8 * FXT_REST_MAX_NS;
	fxt_rest_start(&rest, now);
	assert_int_equal(rest.ns, FXT_REST_NS);
}

/* The name of a folder, or an empty name, is not a file's. */
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
		cmocka_unit_test(keeps),
		cmocka_unit_test(rests),
		cmocka_unit_test(folders),
	};

	return unit_run(tests);
}
