// SPDX-License-Identifier: GPL-2.0-only
/* Records in a file by number: written records are read. */
#include <errno.h>

#include "store/tape.h"
#include "unit.h"

#define RECORDS		200000u

struct one {
	__u64 number, twice;
	char rest[24];
};

static void put(struct fxt_tape *tape, __u64 factor)
{
	struct one one = { 0 };
	__u64 i;

	for (i = 0; i < RECORDS; i++) {
		one.number = i * factor;
		one.twice = 2 * i;
		assert_int_equal(fxt_tape_put(tape, &one), 0);
	}
}

static void get(struct fxt_tape *tape, __u64 factor)
{
	struct one one;
	__u64 i, at = 1;

	assert_int_equal(tape->count, RECORDS);
	for (i = 0; i < RECORDS; i++) {
		/* Near and far, back and forth. */
		at = i % 3 ? (at * 2654435761u + 1) % RECORDS : RECORDS - 1 - i;
		assert_int_equal(fxt_tape_get(tape, at, &one), 0);
		assert_true(one.number == at * factor && one.twice == 2 * at);
	}
}

static void tape(void **state)
{
	struct fxt_tape t;

	(void)state;
	fxt_tape_init(&t, sizeof(struct one), NULL);
	put(&t, 1);
	get(&t, 1);
	/* Earlier contents aren't taken for the present ones. */
	assert_int_equal(fxt_tape_clear(&t), 0);
	put(&t, 3);
	get(&t, 3);
	fxt_tape_uninit(&t);
}

static void limited(void **state)
{
	struct fxt_spool spool = { .max = 100 << 10 };
	struct fxt_tape t;
	struct one one = { 0 };
	int err = 0;

	(void)state;
	fxt_tape_init(&t, sizeof(one), &spool);
	while (!err && t.count < RECORDS)
		err = fxt_tape_put(&t, &one);
	assert_int_equal(err, -EFBIG);
	assert_true(spool.over);
	fxt_tape_uninit(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tape),
		cmocka_unit_test(limited),
	};

	return unit_run(tests);
}
