// SPDX-License-Identifier: GPL-2.0-only
/* Memory that continues in a file: written bytes are read again. */
#include <errno.h>

#include "store/map.h"
#include "unit.h"

#define HEAP	((size_t)1 << 20)

static void pieces(void **state)
{
	enum { PIECES = 20000, BYTES = 4000 };
	static __u32 *at[PIECES];
	struct fxt_spill spill;
	__u32 round, i;

	(void)state;
	fxt_spill_init(&spill, HEAP, NULL);
	for (round = 0; round < 3; round++) {
		for (i = 0; i < PIECES; i++) {
			at[i] = fxt_spill_alloc(&spill, BYTES);
			assert_non_null(at[i]);
			/* The memory is zero, even if it was used before. */
			assert_int_equal(at[i][0] | at[i][BYTES / 8] | at[i][BYTES / 4 - 1], 0);
			at[i][0] = at[i][BYTES / 8] = at[i][BYTES / 4 - 1] = i + round;
		}
		for (i = 0; i < PIECES; i++) {
			assert_int_equal(at[i][0], i + round);
			assert_int_equal(at[i][BYTES / 4 - 1], i + round);
		}
		assert_true(spill.used > HEAP);
		for (i = 0; i < PIECES; i++)
			fxt_spill_free(&spill, at[i], BYTES);
		assert_int_equal(spill.heap_left, HEAP);
	}
	/* Freed memory is used again. */
	assert_true(spill.used < (size_t)2 * PIECES * 4096);
	fxt_spill_uninit(&spill);
}

/* A map works wherever its memory is. */
static void maps(void **state)
{
	enum { KEYS = 200000 };
	struct fxt_spill spill;
	struct fxt_map map = { .memory.spill = &spill };
	__u64 key, *value;
	size_t at = 0, count = 0;

	(void)state;
	fxt_spill_init(&spill, HEAP, NULL);
	for (key = 0; key < KEYS; key++) {
		value = fxt_map_new(&map, key << 20, 40);
		assert_non_null(value);
		*value = key;
	}
	for (key = 0; key < KEYS; key++) {
		value = fxt_map_get(&map, key << 20);
		assert_non_null(value);
		assert_int_equal(*value, key);
	}
	while (fxt_map_next(&map, &at))
		count++;
	assert_int_equal(count, KEYS);
	assert_true(spill.used > HEAP);
	fxt_map_uninit(&map, NULL);
	assert_int_equal(spill.heap_left, HEAP);
	fxt_spill_uninit(&spill);
}

/* A file may not take more than the limit of all files. */
static void limited(void **state)
{
	struct fxt_spool spool = { .max = 32 << 20 };
	struct fxt_spill spill;
	size_t total = 0;

	(void)state;
	fxt_spill_init(&spill, HEAP, &spool);
	while (total < (size_t)1 << 30 && fxt_spill_alloc(&spill, 1 << 20))
		total += 1 << 20;
	assert_in_range(total, 30 << 20, 34 << 20);
	assert_true(spool.over);
	assert_int_equal(fxt_spool_take(&spool, 1), spool.bytes < spool.max ? 0 : -EFBIG);
	fxt_spill_uninit(&spill);
}

/* Without a file there is no memory, and no crash. */
static void nowhere(void **state)
{
	struct fxt_spill spill;
	void *piece;

	(void)state;
	setenv("TMPDIR", "/nonexistent", 1);
	fxt_spill_init(&spill, 4096, NULL);
	piece = fxt_spill_alloc(&spill, 1000);
	assert_non_null(piece);
	assert_null(fxt_spill_alloc(&spill, 10000));
	fxt_spill_free(&spill, piece, 1000);
	fxt_spill_free(&spill, NULL, 1000);
	fxt_spill_uninit(&spill);
	unsetenv("TMPDIR");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces),
		cmocka_unit_test(maps),
		cmocka_unit_test(limited),
		cmocka_unit_test(nowhere),
	};

	return unit_run(tests);
}
