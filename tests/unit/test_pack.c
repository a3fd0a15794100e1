// SPDX-License-Identifier: GPL-2.0-only
/* Records of words in a file by their offsets: written records are read, whatever the memory. */
#include <errno.h>

#include "store/pack.h"
#include "unit.h"

#define RECORDS		100000u

static struct fxt_pack pack;
static __u64 places[RECORDS];

/* Makes words of every size; the first one grows, with some exceptions. */
static void fill(__u64 *words, __u64 number)
{
	unsigned int i;

	words[0] = number % 1000 == 999 ? number : (1ULL << 62) + number * 1000;
	for (i = 1; i < FXT_PACK_WORDS; i++)
		words[i] = (number * i) % 9 == 8 ? ~0ULL : (1ULL << 8 * ((number * i) % 9)) - 1;
}

static void put(void)
{
	__u64 words[FXT_PACK_WORDS], i;

	for (i = 0; i < RECORDS; i++) {
		places[i] = pack.next;
		assert_true(places[i] > (i ? places[i - 1] : 0));
		fill(words, i);
		assert_int_equal(fxt_pack_put(&pack, words, i % FXT_PACK_WORDS + 1), 0);
	}
}

static void get(__u64 number)
{
	__u64 words[FXT_PACK_WORDS], expected[FXT_PACK_WORDS];
	unsigned int i;

	fill(expected, number);
	assert_int_equal(fxt_pack_get(&pack, places[number], words, FXT_PACK_WORDS), 0);
	for (i = 0; i < FXT_PACK_WORDS; i++)
		assert_true(words[i] == (i > number % FXT_PACK_WORDS ? 0 : expected[i]));
}

static void packed(void **state)
{
	__u64 i, at = 1;

	(void)state;
	fxt_pack_init(&pack, NULL);
	put();
	assert_true(pack.next > 10 * FXT_TAPE_BLOCK_BYTES);
	for (i = RECORDS; i--;)
		get(i);
	for (i = 0; i < RECORDS; i++) {
		at = (at * 2654435761u + 1) % RECORDS;
		get(at);
	}
	fxt_pack_uninit(&pack);
}

/* Reads records again, once more were written after them. */
static void between(void **state)
{
	__u64 words[FXT_PACK_WORDS], i;

	(void)state;
	fxt_pack_init(&pack, NULL);
	for (i = 0; i < RECORDS; i++) {
		places[i] = pack.next;
		fill(words, i);
		assert_int_equal(fxt_pack_put(&pack, words, i % FXT_PACK_WORDS + 1), 0);
		get(i);
		get(i / 2);
	}
	fxt_pack_uninit(&pack);
}

static void limited(void **state)
{
	struct fxt_spool spool = { .max = 100 << 10 };
	__u64 words[FXT_PACK_WORDS], i;
	int err = 0;

	(void)state;
	fxt_pack_init(&pack, &spool);
	for (i = 0; i < RECORDS && !err; i++) {
		fill(words, i);
		err = fxt_pack_put(&pack, words, FXT_PACK_WORDS);
	}
	assert_int_equal(err, -EFBIG);
	assert_true(spool.over);
	fxt_pack_uninit(&pack);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packed),
		cmocka_unit_test(between),
		cmocka_unit_test(limited),
	};

	return unit_run(tests);
}
