// SPDX-License-Identifier: GPL-2.0-only
/* Reading CPU limits: of the control groups of processes, and of all their parents, up to a limit. */
#include <stdio.h>

#include "describe/quota.h"
#include "unit.h"

static void those_above(void **state)
{
	struct fxt_quotas q = {};

	(void)state;
	assert_int_equal(fxt_quotas_learn(&q, "/a/b c/d"), 0);
	assert_int_equal(q.count, 3);
	assert_string_equal(q.read[0], "/a");
	assert_string_equal(q.read[1], "/a/b c");
	assert_string_equal(q.read[2], "/a/b c/d");
	assert_int_equal(fxt_quotas_learn(&q, "/a/b"), 0);
	assert_int_equal(fxt_quotas_learn(&q, "/a/b c"), 0);
	assert_int_equal(q.count, 4);
	assert_string_equal(q.read[3], "/a/b");
	assert_int_equal(fxt_quotas_left_out(&q), 0);
	fxt_quotas_uninit(&q);
}

static void too_many(void **state)
{
	struct fxt_quotas q = {};
	unsigned int i, round;
	char path[32];

	(void)state;
	for (round = 0; round < 2; round++)
		for (i = 0; i < FXT_QUOTA_GROUPS + 10; i++) {
			snprintf(path, sizeof(path), "/group-%u", i);
			assert_int_equal(fxt_quotas_learn(&q, path), 0);
		}
	assert_int_equal(q.count, FXT_QUOTA_GROUPS);
	assert_int_equal(fxt_quotas_left_out(&q), 10);
	fxt_quotas_uninit(&q);
}

static void gone(void **state)
{
	char *records = NULL;
	size_t bytes = 0;

	(void)state;
	assert_int_equal(fxt_quota_read("/fxtrec-no-such-group", FXT_CLOCK_MONO, &records, &bytes), 0);
	assert_int_equal(bytes, 0);
	assert_null(records);
}

/* Groups that come and go use constant memory, and the newest are read. */
static void come_and_go(void **state)
{
	static struct fxt_quotas q;
	unsigned int i, round;
	char path[32];

	(void)state;
	assert_int_equal(fxt_quotas_prune(&q), 0);
	assert_int_equal(fxt_quotas_learn(&q, "/stays"), 0);
	for (round = 0; round < 10; round++) {
		for (i = 0; i < FXT_QUOTA_GROUPS + 10; i++) {
			snprintf(path, sizeof(path), "/group-%u-%u", round, i);
			assert_int_equal(fxt_quotas_learn(&q, path), 0);
		}
		assert_int_equal(q.count, FXT_QUOTA_GROUPS);
		assert_int_equal(fxt_quotas_left_out(&q), 11);
		/* Groups that weren't read yet replace groups that were read. */
		for (i = 1; i < FXT_QUOTA_GROUPS; i++)
			fxt_quotas_gone(&q, q.read[i]);
		assert_int_equal(fxt_quotas_prune(&q), 1);
		assert_int_equal(q.count, 1 + 11);
		assert_string_equal(q.read[0], "/stays");
		for (i = 1; i < 12; i++)
			fxt_quotas_gone(&q, q.read[i]);
		assert_int_equal(fxt_quotas_prune(&q), 1);
		assert_int_equal(q.known.count, 1);
	}
	for (i = 0; i < 2 * FXT_QUOTA_KNOWN; i++) {
		snprintf(path, sizeof(path), "/group-%u", i);
		assert_int_equal(fxt_quotas_learn(&q, path), 0);
	}
	assert_int_equal(q.known.count, FXT_QUOTA_KNOWN);
	fxt_quotas_uninit(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(those_above),
		cmocka_unit_test(too_many),
		cmocka_unit_test(gone),
		cmocka_unit_test(come_and_go),
	};

	return unit_run(tests);
}
