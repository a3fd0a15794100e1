// SPDX-License-Identifier: GPL-2.0-only
/* The INFO ring: its sub-buffers, a full ring and its losses, and a lying reader. */
#include "ring_info.h"

static void drained(void **state)
{
	unsigned int i;

	(void)state;
	ring_open(SUBBUF, 0);
	for (i = 0; i < 300; i++) {
		events(30);
		ring_drain(FXTREC_RING_INFO, 2, i % 3 ? 0 : 200);
	}
	assert_int_equal(finish().events, 9000);
}

static void full(void **state)
{
	struct ring_losses losses;
	__u64 recorded;

	(void)state;
	ring_open(SUBBUF, 0);
	events(500);
	recorded = 500 - ring()->lost[FXTREC_LOST_FULL];
	assert_in_range(recorded, 2 * 60, 2 * 170);
	assert_int_equal(ring()->told[FXTREC_LOST_FULL], 0);
	assert_true(ring()->head <= 2 * SUBBUF);
	ring_drain(FXTREC_RING_INFO, 1, 0);
	event();
	assert_int_equal(ring()->told[FXTREC_LOST_FULL], 500 - recorded);
	losses = finish();
	assert_int_equal(losses.events, recorded + 1);
	assert_int_equal(losses.provider_events, 1);
}

static void full_often(void **state)
{
	unsigned int i;

	(void)state;
	ring_open(SUBBUF, (1ULL << 32) - 4 * SUBBUF);
	for (i = 0; i < 300; i++) {
		events(i % 7 * 40);
		ring_drain(FXTREC_RING_INFO, 1 + i % 2, i % 5 ? 0 : 100);
	}
	event();
	assert_true(ring()->head > 1ULL << 32);
	assert_true(finish().told[FXTREC_LOST_FULL] > 1000);
}

/* The greatest place that may be asked for. */
static void greatest(void **state)
{
	unsigned int i;

	(void)state;
	ring_open(SUBBUF, 0);
	for (i = 0; i < 40; i++) {
		event_of(i % 2 ? 1 : (SUBBUF - FXT_SUBBUF_SPARE - 16) / 8);
		ring_drain(FXTREC_RING_INFO, 2, 0);
	}
	assert_int_equal(finish().events, 40);
}

static void bogus_tail(void **state)
{
	static const __u64 tails[] = { 1 << 20, 1ULL << 40, ~0ULL, ~0ULL - 7, 1ULL << 63 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
		ring_open(SUBBUF, 0);
		events(10);
		ring_env.consumer.ring[FXTREC_RING_INFO].tail = tails[i];
		events(500);
		assert_true(ring()->head <= SUBBUF);
		ring_env.consumer.ring[FXTREC_RING_INFO].tail = 0;
		events(10);
		finish();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drained),
		cmocka_unit_test(full),
		cmocka_unit_test(full_often),
		cmocka_unit_test(greatest),
		cmocka_unit_test(bogus_tail),
	};

	return unit_run(tests);
}
