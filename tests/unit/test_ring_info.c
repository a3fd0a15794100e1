// SPDX-License-Identifier: GPL-2.0-only
/* The INFO and the EVENTS ring: their sub-buffers, a full ring and its losses, and a lying reader. */
#include "ring_info.h"

static void drained(void **state)
{
	unsigned int i;

	(void)state;
	ring_open(SUBBUF, 0);
	for (i = 0; i < 300; i++) {
		events(30);
		ring_drain(ring_kind, 2, i % 3 ? 0 : 200);
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
	assert_in_range(recorded, ring()->subbufs * 60, ring()->subbufs * 170);
	assert_int_equal(ring()->reported[FXTREC_LOST_FULL], 0);
	assert_true(ring()->head <= ring()->subbufs * SUBBUF);
	ring_drain(ring_kind, 1, 0);
	event();
	assert_int_equal(ring()->reported[FXTREC_LOST_FULL], 500 - recorded);
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
		ring_drain(ring_kind, 1 + i % 2, i % 5 ? 0 : 100);
	}
	event();
	assert_true(ring()->head > 1ULL << 32);
	assert_true(finish().reported[FXTREC_LOST_FULL] > 1000);
}

/* The greatest size that may be asked for. */
static void greatest(void **state)
{
	unsigned int i;

	(void)state;
	ring_open(SUBBUF, 0);
	for (i = 0; i < 40; i++) {
		event_of(i % 2 ? 1 : (SUBBUF - FXT_SUBBUF_SPARE - 16) / 8);
		ring_drain(ring_kind, 2, 0);
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
		ring_env.consumer.ring[ring_kind].tail = tails[i];
		events(500);
		assert_true(ring()->head <= (ring()->subbufs - 1) * SUBBUF);
		ring_env.consumer.ring[ring_kind].tail = 0;
		events(10);
		finish();
	}
}

/* Before it is opened, the ring neither records nor counts events. */
static void closed(void **state)
{
	events_ring(state);
	ring_open(SUBBUF, 0);
	ring_env.consumer.ring[ring_kind].tail = FXTREC_CLOSED;
	events(500);
	assert_int_equal(ring()->reserve, 0);
	assert_int_equal(ring()->records, 0);
	ring_env.consumer.ring[ring_kind].tail = 0;
	events(20);
	assert_int_equal(ring()->records, 20);
	assert_int_equal(finish().events, 20);
}

/*
 * The ring is overwritten again and again without a loss, except where a writer stays inside, and keeps its
 * reservation.
 */
static void overwritten(void **state)
{
	struct writer inside;
	__u64 head, end;

	events_ring(state);
	ring_open(SUBBUF, 0);
	ring_env.consumer.ring[ring_kind].tail = FXTREC_OVERWRITE;
	events(1000);
	assert_true(ring()->head > 3 * ring()->subbufs * SUBBUF);
	assert_int_equal(ring()->lost[FXTREC_LOST_FULL], 0);
	head = ring()->head;
	assert_true(reserve(&inside, 3));
	events(1000);
	end = ring()->reserve;
	assert_int_equal(ring()->head, head);
	assert_true(ring()->lost[FXTREC_LOST_FULL] > 0);
	assert_true((end >> ring()->subbuf_shift) - (head >> ring()->subbuf_shift) < ring()->subbufs);
	commit(&inside);
	assert_true(ring()->head >= end);
	events(1000);
	assert_int_equal(ring()->reported[FXTREC_LOST_FULL], ring()->lost[FXTREC_LOST_FULL]);
	ring_close();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_RINGS(drained),
		BOTH_RINGS(full),
		BOTH_RINGS(full_often),
		BOTH_RINGS(greatest),
		BOTH_RINGS(bogus_tail),
		cmocka_unit_test(closed),
		cmocka_unit_test(overwritten),
	};

	return unit_run(tests);
}
