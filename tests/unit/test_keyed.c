// SPDX-License-Identifier: GPL-2.0-only
/* Keyed hashes: an input can't choose keys that collide. */
#include "store/keyed.h"
#include "unit.h"

enum { COUNT = 1 << 14, SLOTS = 1 << 12 };

/*
 * Returns the size of the fullest slot, by the upper bits or the lower; with random keys, four per slot on average, it
 * has about 15.
 */
static unsigned int fullest(const __u64 *hashes)
{
	unsigned int upper[SLOTS] = { 0 }, lower[SLOTS] = { 0 }, most = 0, i;

	for (i = 0; i < COUNT; i++) {
		unsigned int *counts[2] = { &upper[hashes[i] >> 52], &lower[hashes[i] % SLOTS] };

		if (++*counts[0] > most)
			most = *counts[0];
		if (++*counts[1] > most)
			most = *counts[1];
	}
	return most;
}

static void numbers(void **state)
{
	static const __u64 steps[] = { 1, 1ULL << 20, 1ULL << 40, 1ULL << 50, 0x9e3779b97f4a7c15ULL,
				       0x0101010101010101ULL, 4096 };
	static __u64 hashes[COUNT];
	unsigned int step, i;

	(void)state;
	for (step = 0; step < sizeof(steps) / sizeof(*steps); step++) {
		__u64 secret = fxt_keyed_secret();

		for (i = 0; i < COUNT; i++)
			hashes[i] = fxt_keyed_number(secret, i * steps[step]);
		assert_in_range(fullest(hashes), 4, 40);
	}
	assert_true(fxt_keyed_secret() != fxt_keyed_secret());
}

static void texts(void **state)
{
	static __u64 hashes[COUNT];
	char text[40] = { 0 };
	size_t length;
	unsigned int i;

	(void)state;
	for (length = 4; length <= sizeof(text); length += 9) {
		for (i = 0; i < COUNT; i++) {
			memcpy(text + length - 4, &i, 4);
			hashes[i] = fxt_keyed_bytes(text, length);
		}
		assert_in_range(fullest(hashes), 4, 40);
	}
	/* The length counts, and bytes after it don't. */
	memset(text, 0, sizeof(text));
	assert_true(fxt_keyed_bytes(text, 8) != fxt_keyed_bytes(text, 9));
	text[9] = 1;
	hashes[0] = fxt_keyed_bytes(text, 9);
	text[9] = 2;
	assert_true(fxt_keyed_bytes(text, 9) == hashes[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(texts),
	};

	return unit_run(tests);
}
