// SPDX-License-Identifier: GPL-2.0-only
/* The order of a page's rows: by kind, track and time, from any order of arrival. */
#include <stdlib.h>

#include "unit.h"

#include "page/order.h"
#include "page/ranks.h"

#define ROWS	5000

static __u64 place(const struct fxt_page_row *row)
{
	return (__u64)row->kind << 32 | row->track;
}

static bool follows(const struct fxt_page_row *before, const struct fxt_page_row *row)
{
	if (place(before) != place(row))
		return place(before) < place(row);
	if (before->from != row->from)
		return before->from < row->from;
	if (row->kind == FXT_PAGE_SLICE && before->depth != row->depth)
		return before->depth < row->depth;
	return before->to <= row->to;
}

static void sorted(unsigned int tracks, unsigned int times)
{
	struct fxt_page_row *rows = calloc(ROWS, sizeof(*rows));
	__u64 sum = 0;
	size_t i;

	assert_non_null(rows);
	srand(tracks + times);
	for (i = 0; i < ROWS; i++) {
		rows[i].kind = rand() % FXT_PAGE_KINDS;
		rows[i].track = rand() % tracks * (0xffffffffu / tracks);
		rows[i].from = rand() % times;
		rows[i].to = rows[i].from + rand() % times;
		rows[i].depth = rand() % 4;
		sum += rows[i].to;
	}
	assert_int_equal(fxt_page_rows_sort(&rows, ROWS), 0);
	for (i = 0; i < ROWS; i++) {
		sum -= rows[i].to;
		assert_true(!i || follows(&rows[i - 1], &rows[i]));
	}
	assert_int_equal(sum, 0);
	free(rows);
}

static void test_rows(void **state)
{
	struct fxt_page_row *none;

	(void)state;
	sorted(1, 1000000);
	sorted(3, 10);
	sorted(5000, 1000);
	sorted(70000, 1000);
	none = calloc(1, sizeof(*none));
	assert_int_equal(fxt_page_rows_sort(&none, 0), 0);
	free(none);
}

static void test_ranks(void **state)
{
	static const __u32 numbers[] = { 64, 3, 3, 0, 127, 63, 64, 1000000 };
	static const __u32 expected[] = { 0, 3, 63, 64, 127, 1000000 };
	struct fxt_page_ranks ranks;
	size_t i;

	(void)state;
	assert_int_equal(fxt_page_ranks_init(&ranks, 1000000), 0);
	for (i = 0; i < 8; i++)
		fxt_page_ranks_add(&ranks, numbers[i]);
	assert_int_equal(fxt_page_ranks_settle(&ranks), 0);
	assert_int_equal(ranks.count, 6);
	assert_memory_equal(ranks.numbers, expected, sizeof(expected));
	for (i = 0; i < 6; i++)
		assert_int_equal(fxt_page_rank(&ranks, expected[i]), i);
	fxt_page_ranks_uninit(&ranks);
	assert_int_equal(fxt_page_ranks_init(&ranks, 0), 0);
	assert_int_equal(fxt_page_ranks_settle(&ranks), 0);
	assert_int_equal(ranks.count, 0);
	fxt_page_ranks_uninit(&ranks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_ranks),
	};

	return unit_run(tests);
}
