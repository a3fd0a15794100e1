// SPDX-License-Identifier: GPL-2.0-only
/* Changes of figures: real changes are found, and chance isn't taken for one. */
#include <math.h>
#include <string.h>

#include "analyze/statistics/shift.h"
#include "analyze/statistics/student.h"
#include "random.h"
#include "unit.h"

#define PERIODS	1000u

/* A model of a recording's durations: each is a mean with noise, lasting or not. */
struct load {
	double mean;		/* ns */
	double noise;		/* noise of each duration, as a share of the mean */
	double lasting;		/* noise that lasts for about a tenth of the recording, as a share */
	double outliers;	/* share of durations that take three times as long */
	double idle;		/* share of the time without a duration */
};

struct recording {
	struct fxt_arena memory;
	struct fxt_durations durations;
	struct fxt_amounts amounts;
};

static void recording_make(struct recording *r, const struct load *load)
{
	double state = normal();
	unsigned int i;

	memset(r, 0, sizeof(*r));
	for (i = 0; i < PERIODS; i++) {
		unsigned int block = (__u64)i * FXT_BLOCKS / PERIODS;
		double ns;

		state = 0.99 * state + sqrt(1 - 0.99 * 0.99) * normal();
		if (uniform() < load->idle)
			continue;
		ns = load->mean * (1 + load->noise * normal() + load->lasting * state);
		ns = fmax(ns * (uniform() < load->outliers ? 3 : 1), 1);
		assert_int_equal(fxt_durations_add(&r->durations, &r->memory, NULL, block, ns), 0);
		r->amounts.block[block] += ns;
		r->amounts.events++;
	}
	assert_int_equal(fxt_durations_settle(&r->durations, NULL), 0);
}

static void recording_free(struct recording *r)
{
	unsigned int i;

	for (i = 0; i < FXT_BLOCKS; i++)
		if (r->durations.block[i])
			fxt_histogram_uninit(r->durations.block[i], NULL);
	fxt_arena_uninit(&r->memory);
}

#define FIGURES	4u

/* Computes the figures of one pair. */
static void pair_compare(const struct load *load_a, const struct load *load_b, struct fxt_shift *shifts)
{
	static const struct fxt_margin margin = { .share = 0.02 };
	static const unsigned int permilles[] = { 500, 900, 990 };
	struct recording a, b;
	unsigned int i;

	recording_make(&a, load_a);
	recording_make(&b, load_b);
	for (i = 0; i < 3; i++)
		assert_int_equal(fxt_shift_quantile(&shifts[i], &a.durations, &b.durations, permilles[i], &margin), 0);
	fxt_shift_rate(&shifts[3], &a.amounts, 10000000000, &b.amounts, 10000000000, &margin);
	recording_free(&a);
	recording_free(&b);
}

/* Number of further figures of each pair, of other names, that are as likely to differ. */
#define NAMES	25u

/* Returns the number of pairs with a changed figure. */
static unsigned int pairs_changed(const struct load *load_a, const struct load *load_b, unsigned int pairs)
{
	struct fxt_shift shifts[NAMES * FIGURES], *all[NAMES * FIGURES];
	unsigned int changed = 0, pair, i;

	for (pair = 0; pair < pairs; pair++) {
		bool any = false;

		for (i = 0; i < NAMES; i++)
			pair_compare(load_a, i ? load_a : load_b, shifts + i * FIGURES);
		for (i = 0; i < NAMES * FIGURES; i++)
			all[i] = &shifts[i];
		assert_int_equal(fxt_shifts_judge(all, NAMES * FIGURES, 0.01), 0);
		for (i = 0; i < NAMES * FIGURES; i++)
			any |= shifts[i].changed;
		changed += any;
	}
	return changed;
}

static const struct load loads[] = {
	{ 1e6, 0.01, 0, 0, 0 },
	{ 1e6, 0.02, 0.005, 0.02, 0 },
	{ 5e6, 0.05, 0.005, 0.05, 0.2 },
	{ 3e3, 0.04, 0.005, 0.01, 0 },
};

static void same(void **state)
{
	/* A load that doesn't change, but varies more than any workload of the other test. */
	static const struct load wild = { 1e5, 1, 0.5, 0.1, 0.5 };
	unsigned int i, changed = 0;

	(void)state;
	seed = 1;
	for (i = 0; i < sizeof(loads) / sizeof(*loads); i++)
		changed += pairs_changed(&loads[i], &loads[i], 20);
	changed += pairs_changed(&wild, &wild, 20);
	assert_true(changed <= 2);
}

static void slower(void **state)
{
	unsigned int i;

	(void)state;
	seed = 2;
	for (i = 0; i < sizeof(loads) / sizeof(*loads); i++) {
		struct load more = loads[i];

		more.mean *= 1.05;
		assert_true(pairs_changed(&loads[i], &more, 20) >= 19);
	}
}

static void intervals(void **state)
{
	struct load load = { 1e6, 0.05, 0, 0.02, 0 }, more = load;
	unsigned int i, inside = 0, ordered = 0;
	struct fxt_shift shifts[FIGURES];

	(void)state;
	seed = 3;
	more.mean *= 1.2;
	for (i = 0; i < 100; i++) {
		pair_compare(&load, &more, shifts);
		inside += shifts[0].low <= 0.2 && shifts[0].high >= 0.2;
		ordered += shifts[0].low < shifts[0].change && shifts[0].change < shifts[0].high;
	}
	assert_true(inside >= 90 && ordered == 100);
}

/* A figure that isn't present nearly all the time, or hardly ever, isn't tested. */
static void rare(void **state)
{
	static const struct fxt_margin margin = { .share = 0.02 };
	struct fxt_amounts none = { 0 }, few = { .block = { [3] = 1000 }, .events = 1000 }, even = { .events = 640 };
	struct fxt_durations empty = { 0 };
	struct fxt_shift shift, *one = &shift;
	unsigned int i;

	(void)state;
	for (i = 0; i < FXT_BLOCKS; i++)
		even.block[i] = 10;
	assert_int_equal(fxt_shift_quantile(&shift, &empty, &empty, 500, &margin), 0);
	assert_false(shift.tested);
	fxt_shift_rate(&shift, &none, 1000, &few, 1000, &margin);
	assert_false(shift.tested);
	fxt_shift_rate(&shift, &none, 1000000000, &even, 1000000000, &margin);
	assert_true(shift.tested && isinf(shift.change) && shift.b == 640);
	assert_int_equal(fxt_shifts_judge(&one, 1, 0.01), 0);
	assert_true(shift.changed);
	fxt_shift_rate(&shift, &even, 1000000000, &none, 1000000000, &margin);
	assert_int_equal(fxt_shifts_judge(&one, 1, 0.01), 0);
	assert_true(shift.changed && shift.change == -1);
}

/* Compares with published values. */
static void student(void **state)
{
	(void)state;
	assert_true(fabs(fxt_student_tail(0, 5) - 0.5) < 1e-12);
	assert_true(fabs(fxt_student_tail(1, 1) - 0.25) < 1e-12);
	assert_true(fabs(fxt_student_tail(-1, 1) - 0.75) < 1e-12);
	assert_true(fabs(fxt_student_quantile(0.025, 30) - 2.042272) < 1e-6);
	assert_true(fabs(fxt_student_quantile(0.0005, 30) - 3.645959) < 1e-6);
	assert_true(fabs(fxt_student_quantile(0.001, 10) - 4.143700) < 1e-6);
}

/* Holm: the least likely figure against all, the next against the others. */
static void judged(void **state)
{
	struct fxt_shift s[4] = { { .tested = true, .p = 0.004, .weight = 1 }, { .p = 0, .weight = 1 },
				  { .tested = true, .p = 0.02, .weight = 1 },
				  { .tested = true, .p = 0.0033, .weight = 1 } };
	struct fxt_shift *all[4] = { &s[0], &s[1], &s[2], &s[3] };

	(void)state;
	assert_int_equal(fxt_shifts_judge(all, 4, 0.01), 0);
	assert_true(s[3].changed && s[0].changed);
	assert_false(s[1].changed || s[2].changed);
	s[0].changed = s[3].changed = false;
	s[3].p = 0.0034;
	assert_int_equal(fxt_shifts_judge(all, 4, 0.01), 0);
	assert_false(s[3].changed || s[0].changed);
	/* A figure of more weight has more of the risk, and the others have the rest. */
	s[0].weight = 3;
	assert_int_equal(fxt_shifts_judge(all, 4, 0.01), 0);
	assert_true(s[0].changed && s[3].changed);
	assert_false(s[2].changed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same),
		cmocka_unit_test(slower),
		cmocka_unit_test(intervals),
		cmocka_unit_test(rare),
		cmocka_unit_test(student),
		cmocka_unit_test(judged),
	};

	return unit_run(tests);
}
