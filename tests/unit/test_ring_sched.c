// SPDX-License-Identifier: GPL-2.0-only
/* The SCHED ring: its sub-buffers, a full ring, a lying reader, and writers inside writers. */
#include "ring_env.h"

#include "fxt/ring.h"

#define SUBBUF	4096u

static struct fxtrec_producer *ring(void)
{
	return &ring_env.area->ring[FXTREC_RING_SCHED];
}

static __u64 *place(__u64 head)
{
	return FXT_AREA_AT(ring_env.area, head - ring()->bias);
}

/* Records an event as a probe does off the hot path; sizes vary. */
static void event_any(void)
{
	struct fxt_sched_thread thread = { 71, 98 };
	__u64 ticks, head;

	if (fxt_sched_reserve(ring_env.area, &ticks, &head))
		fxt_sched_commit(ring(), head, fxt_sched_waking(place(head), 1, ticks, thread,
								ticks % 3 == 0, 70, ticks % 4));
}

/* Records two of three events as a probe does on the hot path. */
static void event(void)
{
	struct fxt_sched_thread prev = { 71, 120 }, next = { 0, 120 };
	__u64 head, *w;

	if (ring_env.attempts++ % 3 == 0 || !fxt_sched_reserve_fast(ring(), &head)) {
		event_any();
		return;
	}
	w = place(head);
	w[0] = ring()->switch_header[FXT_LINUX_S];
	w[1] = ring_clock();
	fxt_sched_switch_fill(w, prev, next);
	fxt_sched_commit(ring(), head, FXT_SCHED_SWITCH_BYTES);
}

static void events(unsigned int count)
{
	while (count--)
		event();
}

/* Drains the rest, and asserts that each event is there or reported, in order. */
static struct ring_losses finish(bool ordered)
{
	struct fxtrec_producer *p = ring();
	struct ring_losses losses;

	ring_drain(FXTREC_RING_SCHED, ~0u, 0);
	losses = ring_verify(ordered);
	assert_int_equal(losses.reported[FXTREC_LOST_FULL], p->reported[FXTREC_LOST_FULL]);
	assert_int_equal(losses.reported[FXTREC_LOST_NESTED], p->reported[FXTREC_LOST_NESTED]);
	assert_int_equal(losses.events, p->records);
	assert_int_equal(losses.events + p->lost[FXTREC_LOST_FULL] + p->lost[FXTREC_LOST_NESTED],
			 ring_env.attempts);
	ring_close();
	return losses;
}

static void geometry(void **state)
{
	struct fxtrec_producer *p;

	(void)state;
	ring_open(SUBBUF, 0);
	p = ring();
	assert_int_equal(p->abi, FXTREC_ABI);
	assert_int_equal(p->size, FXTREC_PAGE);
	assert_int_equal(p->cpu, RING_CPU);
	assert_int_equal(p[0].subbufs, 6);
	assert_int_equal(p[1].subbufs, 2);
	assert_int_equal(p[0].data, 0);
	assert_int_equal(p[1].data, 6 * SUBBUF);
	assert_int_equal(p[2].subbufs, 0);
	assert_int_equal(fxt_ring_slot(p, 5 * SUBBUF + 8), 5);
	assert_int_equal(fxt_ring_slot(p, 6 * SUBBUF), 0);
	assert_int_equal(fxt_ring_offset(p, 7 * SUBBUF + 8), SUBBUF + 8);
	assert_int_equal(fxt_ring_offset(p + 1, 3 * SUBBUF + 8), 7 * SUBBUF + 8);
	assert_int_equal(fxt_ring_end(p, 0), SUBBUF);
	assert_int_equal(fxt_ring_end(p, SUBBUF - 1), SUBBUF);
	assert_int_equal(fxt_ring_end(p, SUBBUF), 2 * SUBBUF);
	ring_close();
}

/* With events, three rings share the space of two. */
static void geometry_events(void **state)
{
	struct fxtrec_producer *p;

	(void)state;
	ring_events = FXTREC_EVENTS_ALL;
	ring_open(SUBBUF, 0);
	ring_events = 0;
	p = ring();
	assert_int_equal(p[FXTREC_RING_SCHED].subbufs, 3);
	assert_int_equal(p[FXTREC_RING_INFO].subbufs, 2);
	assert_int_equal(p[FXTREC_RING_EVENTS].subbufs, 3);
	assert_int_equal(p[FXTREC_RING_INFO].data, 3 * SUBBUF);
	assert_int_equal(p[FXTREC_RING_EVENTS].data, 5 * SUBBUF);
	ring_close();
}

/* Before the reader opens the ring, events are neither recorded nor lost. */
static void closed(void **state)
{
	(void)state;
	ring_open(SUBBUF, 0);
	ring_env.consumer.ring[FXTREC_RING_SCHED].tail = FXTREC_CLOSED;
	events(10);
	assert_int_equal(ring()->head, 0);
	assert_int_equal(ring()->records, 0);
	assert_false(fxt_ring_has_unreported_loss(ring()));
	ring_env.attempts = 0;
	ring_env.now = 0;
	ring_env.consumer.ring[FXTREC_RING_SCHED].tail = 0;
	events(10);
	assert_int_equal(finish(true).events, 10);
}

/* Without a loss, through all sub-buffers many times, drained in every manner. */
static void drained(void **state)
{
	unsigned int keep, i;

	(void)state;
	for (keep = 0; keep < 3; keep++) {
		ring_open(SUBBUF, 0);
		for (i = 0; i < 200; i++) {
			events(37);
			ring_drain(FXTREC_RING_SCHED, 3, 0);
		}
		assert_int_equal(finish(true).events, 200 * 37);
	}
}

/* A sub-buffer holds whole records, and its last word none. */
static void sub_buffer_end(void **state)
{
	(void)state;
	ring_open(SUBBUF, 0);
	while (ring()->head < SUBBUF)
		event();
	assert_in_range(ring()->used[0], SUBBUF - 8 - 2 * FXT_SCHED_BYTES_MAX + 8, SUBBUF - 8);
	assert_int_equal(ring()->used[0] % 8, 0);
	/* The next record has 48 to 64 bytes. */
	assert_in_range(ring()->head, SUBBUF + 48, SUBBUF + 64);
	finish(true);
}

static void full(void **state)
{
	struct ring_losses losses;
	__u64 recorded;

	(void)state;
	ring_open(SUBBUF, 0);
	events(1000);
	recorded = ring()->records;
	/* Six sub-buffers of events of 48 and 56 bytes. */
	assert_in_range(recorded, 6 * 72, 6 * 85);
	assert_int_equal(ring()->lost[FXTREC_LOST_FULL], 1000 - recorded);
	assert_int_equal(ring()->reported[FXTREC_LOST_FULL], 0);
	/* The space of the oldest sub-buffer is enough, without its last byte it isn't. */
	ring_drain(FXTREC_RING_SCHED, 1, 8 * 6);
	event();
	assert_int_equal(ring()->records, recorded);
	ring_drain(FXTREC_RING_SCHED, 1, 0);
	events(10);
	assert_int_equal(ring()->reported[FXTREC_LOST_FULL], 1001 - recorded);
	losses = finish(true);
	assert_int_equal(losses.events, recorded + 10);
	assert_int_equal(losses.provider_events, 1);
}

/* The ring is full again and again, and drained by a sub-buffer at a time. */
static void full_often(void **state)
{
	struct ring_losses losses;
	unsigned int i;

	(void)state;
	ring_open(SUBBUF, 0);
	for (i = 0; i < 300; i++) {
		events(i % 7 * 100);
		ring_drain(FXTREC_RING_SCHED, 1 + i % 3, i % 5 ? 0 : 48);
	}
	/* The last drain freed space: the remaining losses are reported now. */
	event();
	losses = finish(true);
	assert_true(losses.reported[FXTREC_LOST_FULL] > 1000);
	assert_true(losses.provider_events > 50);
}

/* More than 32 bits of losses: the wide record. */
static void full_wide(void **state)
{
	struct ring_losses losses;

	(void)state;
	ring_open(SUBBUF, 0);
	event();
	ring()->lost[FXTREC_LOST_FULL] = 1ULL << 33;
	ring()->loss_start = 1;
	ring()->limit = 0;
	event();
	ring_env.attempts += 1ULL << 33;
	losses = finish(false);
	assert_int_equal(losses.reported[FXTREC_LOST_FULL], 1ULL << 33);
}

/* A reader that lies loses its own records, and nothing else. */
static void bogus_tail(void **state)
{
	static const __u64 tails[] = { 1 << 20, 1ULL << 40, ~0ULL, ~0ULL - 7, 1ULL << 63, 3, 8192 };
	__u64 honest;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
		ring_open(SUBBUF, 0);
		events(50);
		honest = ring_env.consumer.ring[FXTREC_RING_SCHED].tail;
		ring_env.consumer.ring[FXTREC_RING_SCHED].tail = tails[i];
		events(500);
		assert_true(ring()->head <= 7 * SUBBUF + SUBBUF);
		assert_int_equal(ring()->records + ring()->lost[FXTREC_LOST_FULL], 550);
		ring_env.consumer.ring[FXTREC_RING_SCHED].tail = honest;
		/* After a false tail beyond head, sub-buffers were overwritten. */
		if (tails[i] > 6 * SUBBUF) {
			ring_drain(FXTREC_RING_SCHED, ~0u, 0);
			event();
			finish(true);
		} else {
			ring_close();
		}
	}
}

/* Positions across 2^32, and past 2^63. */
static void far_positions(void **state)
{
	static const __u64 starts[] = { (1ULL << 32) - 2 * SUBBUF, (1ULL << 63) - 3 * SUBBUF };
	size_t i;
	int round;

	(void)state;
	for (i = 0; i < 2; i++) {
		ring_open(SUBBUF, starts[i]);
		for (round = 0; round < 50; round++) {
			events(round % 5 * 200);
			ring_drain(FXTREC_RING_SCHED, 4, 0);
		}
		event();
		assert_true(ring()->head > starts[i] + 20 * SUBBUF);
		assert_true(finish(true).reported[FXTREC_LOST_FULL] > 0);
	}
}

/*
 * A writer inside another, before each access that the outer one makes; outer writers include those that move on to
 * another sub-buffer or report losses.  The inner record is lost, and reported before the next record.
 */
static void nested(void **state)
{
	unsigned int before, at;
	bool happened;

	(void)state;
	for (before = 0; before < 100; before++) {
		at = 0;
		do {
			ring_open(SUBBUF, 0);
			events(before);
			ring_arm(event, at++);
			event();
			happened = ring_disarm();
			events(3);
			assert_false(fxt_ring_has_unreported_loss(ring()));
			finish(true);
		} while (happened);
	}
}

/* A writer inside another while the ring is full, and once it no longer is. */
static void nested_full(void **state)
{
	unsigned int drain, at;
	bool happened;

	(void)state;
	for (drain = 0; drain < 2; drain++) {
		at = 0;
		do {
			ring_open(SUBBUF, 0);
			events(600);
			if (drain)
				ring_drain(FXTREC_RING_SCHED, 2, 0);
			ring_arm(event, at++);
			event();
			happened = ring_disarm();
			ring_drain(FXTREC_RING_SCHED, 2, 0);
			events(3);
			assert_false(fxt_ring_has_unreported_loss(ring()));
			finish(!drain);
		} while (happened);
	}
}

/* The reader's possible views on a processor of weak order, during draining and during overwriting. */
static void weakly_ordered(void **state)
{
	unsigned int i;

	(void)state;
	ring_open(SUBBUF, 0);
	ring_watch(FXTREC_RING_SCHED);
	for (i = 0; i < 40; i++) {
		events(i < 20 ? 37 : 300);
		ring_drain(FXTREC_RING_SCHED, 3, 0);
	}
	assert_in_range(finish(true).reported[FXTREC_LOST_FULL], 1, ring_env.attempts);
	ring_open(SUBBUF, 0);
	ring_watch(FXTREC_RING_SCHED);
	ring_env.consumer.ring[FXTREC_RING_SCHED].tail = FXTREC_OVERWRITE;
	events(2000);
	assert_in_range(ring()->head, 3 * ring()->subbufs * SUBBUF, ~0ULL);
	ring_close();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(geometry),
		cmocka_unit_test(geometry_events),
		cmocka_unit_test(closed),
		cmocka_unit_test(drained),
		cmocka_unit_test(sub_buffer_end),
		cmocka_unit_test(full),
		cmocka_unit_test(full_often),
		cmocka_unit_test(full_wide),
		cmocka_unit_test(bogus_tail),
		cmocka_unit_test(far_positions),
		cmocka_unit_test(nested),
		cmocka_unit_test(nested_full),
		cmocka_unit_test(weakly_ordered),
	};

	return unit_run(tests);
}
