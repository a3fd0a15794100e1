// SPDX-License-Identifier: GPL-2.0-only
/* The map from 64-bit numbers: entries are found, whatever their keys. */
#include <stdlib.h>

#include "store/keyed.h"
#include "store/map.h"
#include "unit.h"

#define COUNT	100000u

static unsigned int freed;

static void value_free(void *value)
{
	assert_non_null(value);
	freed++;
}

static void filled(__u64 first, __u64 step)
{
	static char values[COUNT];
	struct fxt_map map = { 0 };
	__u64 i;

	assert_null(fxt_map_get(&map, first));
	for (i = 0; i < COUNT; i++)
		assert_int_equal(fxt_map_put(&map, first + i * step, &values[i]), 0);
	assert_int_equal(map.count, COUNT);
	for (i = 0; i < COUNT; i++)
		assert_ptr_equal(fxt_map_get(&map, first + i * step), &values[i]);
	assert_null(fxt_map_get(&map, first + COUNT * step));
	freed = 0;
	fxt_map_uninit(&map, value_free);
	assert_int_equal(freed, COUNT);
	assert_null(fxt_map_get(&map, first));
}

static void keys(void **state)
{
	(void)state;
	filled(0, 1);
	filled(~0ULL, (__u64)-1);
	filled(0, 1ULL << 32);
	filled(0, 1ULL << 47);
	filled(12345, 0x9e3779b97f4a7c15ULL);
	filled(0x7f0000001000, 4096);
}

/* The order of the keys doesn't depend on the hashes. */
static void sorted(void **state)
{
	static char values[COUNT];
	struct fxt_map map = { 0 };
	struct fxt_map_slot *slots;
	__u64 i;

	(void)state;
	assert_null(fxt_map_sorted(&map));
	for (i = COUNT; i; i--)
		assert_int_equal(fxt_map_put(&map, 3 * i, &values[i - 1]), 0);
	slots = fxt_map_sorted(&map);
	assert_non_null(slots);
	for (i = 0; i < COUNT; i++) {
		assert_int_equal(slots[i].key, 3 * (i + 1));
		assert_ptr_equal(slots[i].value, &values[i]);
	}
	free(slots);
	fxt_map_uninit(&map, NULL);
}

/* Returns the most slots that are searched for a key that is in the map. */
static size_t longest(const struct fxt_map *map)
{
	size_t slots = (size_t)1 << map->bits, run = 0, most = 0, i;

	for (i = 0; i < slots; i++) {
		run = map->slots[i].value ? run + 1 : 0;
		most = run > most ? run : most;
	}
	return most;
}

/* With any secret, keys at equal distances are as far apart as others: in runs of at most about 60, at random. */
static void runs(void **state)
{
	static char value;
	unsigned int round;
	__u64 i;

	(void)state;
	for (round = 0; round < 300; round++) {
		struct fxt_map map = { 0 };

		for (i = 0; i < 4096; i++)
			assert_int_equal(fxt_map_put(&map, i << round % 50, &value), 0);
		assert_in_range(longest(&map), 1, 200);
		fxt_map_uninit(&map, NULL);
	}
}

/* After insertions and removals in any order, exactly the present entries are found. */
static void removal(void **state)
{
	enum { KEYS = 400, ROUNDS = 200000 };
	static char values[KEYS], in[KEYS];
	struct fxt_map map = { 0 };
	unsigned int i, k, there = 0;

	(void)state;
	srandom(1);
	assert_null(fxt_map_remove(&map, 1));
	for (i = 0; i < ROUNDS; i++) {
		k = random() % KEYS;
		if (in[k])
			assert_ptr_equal(fxt_map_remove(&map, k), &values[k]);
		else
			assert_int_equal(fxt_map_put(&map, k, &values[k]), 0);
		there += in[k] ? -1 : 1;
		in[k] = !in[k];
		assert_int_equal(map.count, there);
		k = random() % KEYS;
		assert_ptr_equal(fxt_map_get(&map, k), in[k] ? &values[k] : NULL);
	}
	assert_null(fxt_map_remove(&map, KEYS));
	for (k = 0; k < KEYS; k++)
		assert_ptr_equal(fxt_map_get(&map, k), in[k] ? &values[k] : NULL);
	freed = 0;
	fxt_map_uninit(&map, value_free);
	assert_int_equal(freed, there);
}

/* Every value comes once; an empty map has none. */
static void walk(void **state)
{
	enum { KEYS = 1000 };
	static char values[KEYS], seen[KEYS];
	struct fxt_map map = { 0 };
	size_t at = 0, k;
	char *value;

	(void)state;
	assert_null(fxt_map_next(&map, &at));
	for (k = 0; k < KEYS; k++)
		assert_int_equal(fxt_map_put(&map, k << 20, &values[k]), 0);
	for (k = 0; k < KEYS; k += 3)
		assert_ptr_equal(fxt_map_remove(&map, k << 20), &values[k]);
	at = 0;
	while ((value = fxt_map_next(&map, &at)))
		assert_int_equal(seen[value - values]++, 0);
	for (k = 0; k < KEYS; k++)
		assert_int_equal(seen[k], k % 3 != 0);
	assert_null(fxt_map_next(&map, &at));
	fxt_map_uninit(&map, NULL);
	assert_null(map.slots);
}

/* Objects by their names; one has the key that belongs to another's hash. */
static void named(void **state)
{
	struct object {
		__u64 name[2];
		int value;
	} *other, *got;
	const __u64 name[2] = { 1, 2 }, more[2] = { 1, 3 };
	struct fxt_map map = { 0 };

	(void)state;
	assert_null(fxt_map_named(&map, name, sizeof(name)));
	other = fxt_map_new(&map, fxt_keyed_bytes(name, sizeof(name)), sizeof(*other));
	assert_non_null(other);
	assert_null(fxt_map_named(&map, name, sizeof(name)));
	got = fxt_map_new_named(&map, name, sizeof(name), sizeof(*got));
	assert_non_null(got);
	assert_ptr_not_equal(got, other);
	assert_memory_equal(got->name, name, sizeof(name));
	assert_int_equal(got->value, 0);
	assert_ptr_equal(fxt_map_named(&map, name, sizeof(name)), got);
	assert_null(fxt_map_named(&map, more, sizeof(more)));
	fxt_map_uninit(&map, free);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys),
		cmocka_unit_test(sorted),
		cmocka_unit_test(runs),
		cmocka_unit_test(removal),
		cmocka_unit_test(walk),
		cmocka_unit_test(named),
	};

	return unit_run(tests);
}
