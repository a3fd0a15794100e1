// SPDX-License-Identifier: GPL-2.0-only
/* Selection of the renames that are recorded, and of those that a flight recorder's log keeps. */
#include <string.h>

#include "ring_info.h"
#include "flight/thin.h"
#include "fxt/rename.h"

/* Fills a part of the INFO ring, in quarters. */
static void fill(__u64 quarters)
{
	__u64 bytes = ((__u64)ring()->subbufs << ring()->subbuf_shift) / 4 * quarters;

	while (FXT_READ(ring()->reserve) - ring_env.consumer.ring[FXTREC_RING_INFO].tail <= bytes)
		event();
}

static int renames(unsigned int count, __u32 tid)
{
	int recorded = 0;

	while (count--)
		recorded += fxt_rename_is_recorded(ring_env.area, tid, 1000);
	return recorded;
}

static void admitted(void **state)
{
	(void)state;
	ring_open(SUBBUF, 0);
	assert_int_equal(renames(100, 7), 100);
	fill(1);
	assert_int_equal(renames(100, 7), 0);
	assert_int_equal(renames(100, 8), FXT_RENAMES);
	assert_int_equal(ring()->renames_surplus, 200 - FXT_RENAMES);
	fill(2);
	assert_int_equal(renames(FXT_RENAMES, 9), FXT_RENAMES);
	fill(3);
	assert_int_equal(renames(10, 9), 0);
	assert_int_equal(renames(10, 10), FXT_RENAMES_FAR);
	ring_drain(ring_kind, ring()->subbufs, 0);
	assert_int_equal(renames(100, 7), 100);
	ring_close();
}

/* A few threads rename all the time, and very many others between them. */
static void crowd(void **state)
{
	const __u32 noisy = FXT_RENAMERS_A_SET - 1;
	unsigned int tid, recorded = 0, noise = 0;

	(void)state;
	ring_open(SUBBUF, 0);
	fill(1);
	for (tid = 1; tid <= 10000; tid++) {
		noise += renames(10, 1 << 20 | tid % noisy);
		recorded += renames(1, tid);
		recorded += renames(1, tid);
	}
	assert_int_equal(recorded, 20000);
	assert_int_equal(noise, noisy * FXT_RENAMES);
	assert_int_equal(ring()->renames_surplus, 100000 - noise);
	ring_close();
}

/*
 * A crowd of threads of one user, which rename a few times each, leaves the rest of the ring to new threads, and to
 * others.
 */
static void user(void **state)
{
	unsigned int tid, recorded = 0, others = 0;

	(void)state;
	ring_open(SUBBUF, 0);
	fill(3);
	for (tid = 1; tid <= 10000; tid++)
		recorded += renames(FXT_RENAMES_FAR, tid);
	assert_int_equal(recorded, FXT_RENAMES_USER);
	for (tid = 20000; tid < 20000 + FXT_RENAMES_USER; tid++)
		others += fxt_rename_is_recorded(ring_env.area, tid, 0);
	assert_int_equal(others, FXT_RENAMES_USER);
	ring_env.consumer.ring[FXTREC_RING_INFO].tail = ring()->reserve + 1;
	assert_int_equal(renames(1, 7), 1);
	ring_close();
}

/* Threads have as many renames again after the reader has drained the ring. */
static void drained(void **state)
{
	(void)state;
	ring_open(SUBBUF, 0);
	fill(1);
	assert_int_equal(renames(100, 7), FXT_RENAMES);
	event();
	ring_env.consumer.ring[FXTREC_RING_INFO].tail = ring()->reserve;
	fill(1);
	assert_int_equal(renames(100, 7), FXT_RENAMES);
	ring_close();
}

/* A reader that writes a wrong tail loses some renames, or has none left out. */
static void wrong_tail(void **state)
{
	(void)state;
	ring_open(SUBBUF, 0);
	ring_env.consumer.ring[FXTREC_RING_INFO].tail = 1ULL << 40;
	assert_in_range(renames(10, 7), 0, 10);
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
	return fxt_thread_describe(w, tid, tgid, &name, tid, 0) / 8;
}

/* A thread's names by the hundred, another's between them, and a record of another kind. */
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
	/* A second may start in between. */
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
		cmocka_unit_test_setup(crowd, info_ring),
		cmocka_unit_test_setup(user, info_ring),
		cmocka_unit_test_setup(drained, info_ring),
		cmocka_unit_test_setup(wrong_tail, info_ring),
		cmocka_unit_test(thinned),
	};

	return unit_run(tests);
}
