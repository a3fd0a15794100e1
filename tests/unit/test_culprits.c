// SPDX-License-Identifier: GPL-2.0-only
/* Sums by suspect: in any form, and after any additions and removals, as one plain array has them. */
#include <string.h>

#include "analyze/blame/culprits.h"
#include "unit.h"

#define SUSPECTS	3000u
#define FEW		400u

struct sums {
	struct fxt_culprits c;
	__u64 ns[SUSPECTS];
};

static __u32 seed;

static __u32 random_below(__u32 limit)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % limit;
}

static void sums_add(struct sums *s, struct fxt_spill *spill, __u32 count, __u32 number, __u64 ns)
{
	assert_int_equal(fxt_culprits_add(&s->c, spill, count, number, ns), 0);
	s->ns[number] += ns;
}

static void sums_judge(const struct sums *s)
{
	static __u64 got[SUSPECTS];
	__u32 number, used = 0;
	size_t at = 0;
	__u64 ns, all = 0;

	memset(got, 0, sizeof(got));
	while (fxt_culprits_next(&s->c, &at, &number, &ns)) {
		assert_true(number < SUSPECTS && !got[number]);
		got[number] = ns;
		all += ns;
		used++;
	}
	assert_memory_equal(got, s->ns, sizeof(got));
	assert_true(s->c.ns == all);
	assert_int_equal(fxt_culprits_count(&s->c), used);
	/* A hash table keeps the slots of sums that became 0. */
	assert_true(fxt_culprits_places(&s->c) >= used);
}

/* The sums are the same, whether few of many suspects are in them, or most. */
static void two(void **state)
{
	static __u64 expected[FEW];
	struct fxt_culprits c = { 0 }, other = { 0 };
	__u64 all = 0, ns, found = 0;
	__u32 i, number;
	size_t at = 0;

	(void)state;
	for (i = 0; i < 20000; i++) {
		number = i * 2654435761u % (i < 100 ? 8 : FEW);
		ns = i % 7;
		expected[number] += ns;
		all += ns;
		assert_int_equal(fxt_culprits_add(i % 2 ? &c : &other, NULL, i < 50 ? 8 * FEW : FEW, number, ns),
				 0);
	}
	assert_int_equal(fxt_culprits_merge(&c, NULL, FEW, &other), 0);
	assert_true(c.ns == all);
	while (fxt_culprits_next(&c, &at, &number, &ns)) {
		assert_true(ns == expected[number]);
		found++;
	}
	assert_int_equal(found, fxt_culprits_count(&c));
	/* Nothing was removed: a hash table has no surplus slot. */
	assert_true(c.room ? c.room >= found : c.used == found);
	for (i = 0; i < FEW; i++)
		found -= expected[i] != 0;
	assert_int_equal(found, 0);
	fxt_culprits_clear(&c, NULL);
	fxt_culprits_clear(&other, NULL);
}

/* Adds parts of a sum while suspects become more, and removes every other one again. */
static void parts(struct fxt_spill *spill, __u32 first, __u32 most, unsigned int expected)
{
	static struct sums whole, part;
	__u32 count = first, i, round;

	memset(&whole, 0, sizeof(whole));
	for (round = 0; round < 60; round++) {
		memset(&part, 0, sizeof(part));
		assert_int_equal(fxt_culprits_expect(&part.c, spill, count, expected), 0);
		for (i = random_below(60); i; i--)
			sums_add(&part, spill, count, random_below(count), random_below(3));
		sums_judge(&part);
		assert_int_equal(fxt_culprits_merge(&whole.c, spill, count, &part.c), 0);
		for (i = 0; i < SUSPECTS; i++)
			whole.ns[i] += part.ns[i];
		sums_judge(&whole);
		if (round % 2) {
			fxt_culprits_take(&whole.c, &part.c);
			for (i = 0; i < SUSPECTS; i++)
				whole.ns[i] -= part.ns[i];
			sums_judge(&whole);
		}
		fxt_culprits_clear(&part.c, spill);
		count += random_below(most - count + 1) / 8;
	}
	fxt_culprits_clear(&whole.c, spill);
	assert_true(!whole.c.used && !whole.c.room && !whole.c.slots);
}

static void forms(void **state)
{
	struct fxt_spill spill;
	unsigned int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		seed = 7;
		fxt_spill_init(&spill, i ? 0 : (size_t)64 << 20, NULL);
		parts(&spill, 3, 40, 0);
		parts(&spill, 3, 1000, 100);
		parts(&spill, 900, 1100, 5000);
		parts(&spill, 2000, SUSPECTS, 5000);
		fxt_spill_uninit(&spill);
	}
	parts(NULL, 30, SUSPECTS, 100);
}

/*
 * With an expected number of suspects, the sums are an array at once; with few, or too many, only once they are there.
 */
static void expected(void **state)
{
	static const struct {
		__u32 count, sums;
		bool array;
	} rows[] = { { 90, 24, true }, { 90, 23, false }, { 1000, 249, false }, { 1000, 250, true }, { 1025, 9999, false } };
	struct fxt_culprits c;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		c = (struct fxt_culprits){ 0 };
		assert_int_equal(fxt_culprits_expect(&c, NULL, rows[i].count, rows[i].sums), 0);
		assert_true(rows[i].array ? c.room >= rows[i].count : !c.slots);
		fxt_culprits_clear(&c, NULL);
	}
}

/* The greatest sums are the first of all in order. */
static void sorted(void **state)
{
	static struct fxt_culprit of[SUSPECTS];
	struct fxt_suspects suspects = { .of = of, .count = SUSPECTS };
	struct fxt_culprit *all, *some;
	struct fxt_culprits c = { 0 };
	__u32 i, most, count;

	(void)state;
	seed = 11;
	for (i = 0; i < SUSPECTS; i++) {
		of[i] = (struct fxt_culprit){ random_below(FXT_CULPRIT_KINDS), &of[i], 0 };
		assert_int_equal(fxt_culprits_add(&c, NULL, SUSPECTS, i, random_below(40)), 0);
	}
	all = fxt_culprits_sorted(&c, &suspects, 0, &count);
	assert_true(all && count > 2000);
	for (i = 1; i < count; i++)
		assert_true(all[i - 1].ns > all[i].ns || (all[i - 1].ns == all[i].ns && all[i - 1].kind <= all[i].kind));
	for (most = 1; most <= 2 * count; most = most < 20 ? most + 1 : 2 * most) {
		some = fxt_culprits_sorted(&c, &suspects, most, &i);
		assert_non_null(some);
		assert_int_equal(i, count);
		for (i = 0; i < most && i < count; i++)
			assert_true(some[i].ns == all[i].ns && some[i].kind == all[i].kind);
		free(some);
	}
	free(all);
	fxt_culprits_clear(&c, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two),
		cmocka_unit_test(forms),
		cmocka_unit_test(expected),
		cmocka_unit_test(sorted),
	};

	return unit_run(tests);
}
