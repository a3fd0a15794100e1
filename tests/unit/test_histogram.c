// SPDX-License-Identifier: GPL-2.0-only
/* Histograms: quantiles within one percent for any values, and merging as adding. */
#include <stdlib.h>

#include "analyze/statistics/histogram.h"
#include "unit.h"

#define VALUES	20000u

static int ascending(const void *a, const void *b)
{
	const __u64 *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Returns a value of any magnitude. */
static __u64 value_of(unsigned int i)
{
	__u64 random = (i + 1) * 0x9e3779b97f4a7c15ULL;

	return random >> (random % 60);
}

static void values_fill(struct fxt_histogram *h, __u64 *values, unsigned int from, unsigned int count)
{
	unsigned int i;

	for (i = from; i < from + count; i++) {
		values[i] = value_of(i);
		assert_int_equal(fxt_histogram_add(h, NULL, values[i]), 0);
	}
	assert_int_equal(fxt_histogram_settle(h, NULL), 0);
}

static void quantiles_judge(const struct fxt_histogram *h, const __u64 *sorted)
{
	struct fxt_histogram_bucket *buckets = fxt_histogram_buckets(h);
	unsigned int permille;

	assert_non_null(buckets);
	for (permille = 1; permille <= 1000; permille++) {
		__u64 exact = sorted[(VALUES * permille + 999) / 1000 - 1];
		__u64 got = fxt_histogram_quantile(h, buckets, permille);
		__u64 apart = exact > got ? exact - got : got - exact;

		assert_true(apart <= exact / 100 + 1);
	}
	assert_int_equal(fxt_histogram_quantile(h, buckets, 1000) <= h->max, 1);
	free(buckets);
}

static void quantiles(void **state)
{
	static __u64 values[VALUES];
	struct fxt_histogram whole = { 0 }, first = { 0 }, second = { 0 };
	__u64 sum = 0;
	unsigned int i;

	(void)state;
	values_fill(&whole, values, 0, VALUES);
	values_fill(&first, values, 0, VALUES / 3);
	values_fill(&second, values, VALUES / 3, VALUES - VALUES / 3);
	assert_int_equal(fxt_histogram_merge(&first, NULL, &second), 0);
	for (i = 0; i < VALUES; i++)
		sum += values[i];
	qsort(values, VALUES, sizeof(*values), ascending);
	assert_int_equal(whole.count, VALUES);
	assert_true(whole.sum == sum && first.sum == sum);
	assert_true(whole.max == values[VALUES - 1] && first.max == whole.max);
	assert_int_equal(first.used, whole.used);
	quantiles_judge(&whole, values);
	quantiles_judge(&first, values);
	fxt_histogram_uninit(&whole, NULL);
	fxt_histogram_uninit(&first, NULL);
	fxt_histogram_uninit(&second, NULL);
}

static void empty(void **state)
{
	struct fxt_histogram h = { 0 };

	(void)state;
	assert_null(fxt_histogram_buckets(&h));
	assert_int_equal(fxt_histogram_quantile(&h, NULL, 500), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles),
		cmocka_unit_test(empty),
	};

	return unit_run(tests);
}
