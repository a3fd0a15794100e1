// SPDX-License-Identifier: GPL-2.0-only
/* Which renames are recorded, and which of these a flight recorder's log keeps. */
#include <string.h>

#include "ring_info.h"
#include "flight/thin.h"
#include "fxt/rename.h"

/* Fills a part of the INFO ring, of 4 parts. */
static void fill(__u64 quarters)
{
	__u64 bytes = ((__u64)ring()->subbufs << ring()->subbuf_shift) / 4 * quarters;

	while (FXT_READ(ring()->reserve) - ring_env.consumer.ring[FXTREC_RING_INFO].tail <= bytes)
		event();
}

static int renames(unsigned int count, __u32 tid, __u64 run)
{
	int recorded = 0;

	while (count--)
		recorded += fxt_rename_is_recorded(ring_env.area, tid, run);
	return recorded;
}

static void admitted(void **state)
{
	(void)state;
	ring_open(SUBBUF, 0);
	assert_int_equal(renames(100, 7, 1), 100);
	fill(1);
	assert_int_equal(renames(100, 7, 1), 0);
	assert_int_equal(renames(100, 7, 2), 1);
	assert_int_equal(renames(100, 8, 2), 1);
	assert_int_equal(renames(1, 7, 2), 1);
	assert_int_equal(ring()->renames_surplus, 298);
	fill(2);
	assert_int_equal(renames(10, 9, 1), 0);
	assert_int_equal(ring()->renames_surplus, 308);
	ring_drain(ring_kind, ring()->subbufs, 0);
	assert_int_equal(renames(10, 9, 1), 10);
	ring_close();
}

/* A reader that writes any tail loses renames, or has none left out. */
static void wrong_tail(void **state)
{
	(void)state;
	ring_open(SUBBUF, 0);
	ring_env.consumer.ring[FXTREC_RING_INFO].tail = 1ULL << 40;
	assert_int_equal(renames(10, 7, 1), 0);
	ring_close();
}

static int keep(void *arg, const void *records, size_t bytes)
{
	unit_file_add(arg, records, bytes);
	return 0;
}

static size_t name_add(__u64 *w, __u32 tid, __u32 tgid, const char *text)
{
	struct fxt_thread_name name = {};

	memcpy(&name, text, strlen(text));
	memset(w, 0, FXT_THREAD_BYTES_MAX);
	return fxt_thread_describe(w, tid, tgid, &name, tid) / 8;
}

/* One thread's names by the hundred, another's between them, and a record of another kind. */
static void thinned(void **state)
{
	static struct fxt_names names;
	struct unit_file kept = {};
	__u64 left_out = 0, *w = malloc(400 * FXT_THREAD_BYTES_MAX), *end = w;
	const struct fxt_sink to = { keep, &kept };
	struct fxt_thin_stage thin = { &names, &left_out, &to };
	unsigned int i, all = 3 * FXT_THIN_NAMES, mine = 0, others = 0;
	const __u64 *at, *last;

	(void)state;
	for (i = 0; i < all; i++)
		end += name_add(end, 42, i % 2 ? 42 : 40, "noise");
	end += name_add(end, 43, 43, "quiet");
	*end++ = fxt_provider_buffer_full(3);
	end += name_add(end, 42, 42, "noise");
	end += name_add(end, 44, 40, "quiet too");
	assert_int_equal(fxt_names_list(&names, w, 8 * (end - w)), 0);
	assert_int_equal(fxt_thin_put(&thin, w, 8 * (end - w)), 0);
	last = (const __u64 *)(kept.bytes + kept.size);
	for (at = (const __u64 *)kept.bytes; (at = fxt_names_find(at, last)); at += fxt_field(*at, 4, 15)) {
		mine += at[1] == 42;
		others += at[1] != 42;
	}
	/* A second may begin in between. */
	assert_in_range(mine, FXT_THIN_NAMES, 2 * FXT_THIN_NAMES);
	assert_int_equal(mine + left_out, all + 1);
	assert_int_equal(others, 2);
	assert_memory_equal(last - fxt_field(last[-3], 4, 15), end - fxt_field(end[-3], 4, 15), 8);
	fxt_names_uninit(&names);
	unit_file_free(&kept);
	free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(admitted, info_ring),
		cmocka_unit_test_setup(wrong_tail, info_ring),
		cmocka_unit_test(thinned),
	};

	return unit_run(tests);
}
