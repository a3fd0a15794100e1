// SPDX-License-Identifier: GPL-2.0-only
/* The INFO and the EVENTS ring: writers inside each other, in every order and at every access. */
#include "ring_info.h"

/* Three writers inside each other that commit in every order: head follows the last of them. */
static void commit_orders(void **state)
{
	static const unsigned int orders[][3] = {
		{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 },
	};
	unsigned int order, before, i;

	(void)state;
	for (order = 0; order < 6; order++) {
		for (before = 0; before < 80; before++) {
			struct writer writers[3];
			__u64 head;

			ring_open(SUBBUF, 0);
			events(before);
			head = ring()->head;
			for (i = 0; i < 3; i++)
				assert_true(reserve(&writers[i], 1 + i));
			for (i = 0; i < 3; i++) {
				assert_int_equal(ring()->head, head);
				commit(&writers[orders[order][i]]);
			}
			assert_true(ring()->head > head);
			events(3);
			assert_int_equal(finish().events, before + 6);
		}
	}
}

/* A writer that starts while another is inside, and is still inside when that one ends. */
static void staggered(void **state)
{
	struct writer writers[2];
	unsigned int i;

	(void)state;
	ring_open(SUBBUF, 0);
	assert_true(reserve(&writers[0], 3));
	for (i = 1; i < 100; i++) {
		assert_true(reserve(&writers[i % 2], 1 + i % 3));
		commit(&writers[(i + 1) % 2]);
		assert_int_equal(ring()->head, 0);
	}
	commit(&writers[1]);
	assert_int_equal(finish().events, 100);
}

/* A whole writer inside another, before each access that the outer one makes. */
static void interrupted(void **state)
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
			finish();
		} while (happened);
	}
}

/* A whole writer inside another, with a full ring, and with losses to be reported. */
static void interrupted_full(void **state)
{
	unsigned int drain, at;
	bool happened;

	(void)state;
	for (drain = 0; drain < 3; drain++) {
		at = 0;
		do {
			ring_open(SUBBUF, 0);
			events(400);
			ring_drain(ring_kind, drain, 0);
			ring_arm(event, at++);
			event();
			happened = ring_disarm();
			ring_drain(ring_kind, 2, 0);
			events(2);
			assert_int_equal(ring()->reported[0], ring()->lost[0]);
			finish();
		} while (happened);
	}
}

static void big(void)
{
	event_of(300);
}

/* The inner record is too long for the remaining space, and lost; the outer one, reserved before, is not. */
static void interrupted_by_longer(void **state)
{
	unsigned int before, at;
	bool happened;

	(void)state;
	for (before = 80; before < 160; before += 3) {
		at = 0;
		do {
			ring_open(SUBBUF, 0);
			events(before);
			ring_arm(big, at++);
			event_of(1);
			happened = ring_disarm();
			ring_drain(ring_kind, 2, 0);
			events(2);
			assert_int_equal(ring()->reported[0], ring()->lost[0]);
			finish();
		} while (happened);
	}
}

static struct writer preempting;
static bool preempting_inside;

static void preempt(void)
{
	preempting_inside = reserve(&preempting, 2);
}

/* Another thread's writer starts inside a writer, and is still inside when that one has ended. */
static void preempted(void **state)
{
	unsigned int before, at;
	bool happened;

	(void)state;
	for (before = 0; before < 100; before++) {
		at = 0;
		do {
			ring_open(SUBBUF, 0);
			events(before);
			preempting_inside = false;
			ring_arm(preempt, at++);
			event();
			happened = ring_disarm();
			if (preempting_inside) {
				/* The writer's record isn't whole yet, and not visible to the reader. */
				ring_drain(ring_kind, 2, 0);
				assert_int_equal(ring()->writers, 1);
				commit(&preempting);
			}
			events(2);
			finish();
		} while (happened);
	}
}

static unsigned int depth;

/* An interrupt that is interrupted in turn, at the same access. */
static void deep(void)
{
	if (depth) {
		depth--;
		ring_arm(deep, ring_env.interrupt_at);
	}
	event();
}

static void interrupted_deep(void **state)
{
	unsigned int at, drain;
	bool happened;

	(void)state;
	for (drain = 0; drain < 2; drain++) {
		at = 0;
		do {
			ring_open(SUBBUF, 0);
			events(drain ? 400 : 60);
			ring_drain(ring_kind, drain, 0);
			depth = 3;
			ring_arm(deep, at++);
			event();
			happened = ring_disarm();
			events(2);
			finish();
		} while (happened);
	}
}

/* A reservation that interrupts overtake again and again gives up, and is counted. */
static void overtake(void)
{
	event_of(1);
	ring_arm(overtake, 2);
}

static void overtaken(void **state)
{
	struct fxtrec_producer *p;
	unsigned int at;

	(void)state;
	for (at = 0; at < 12; at++) {
		ring_open(SUBBUF, 0);
		p = ring();
		ring_arm(overtake, at);
		event();
		ring_env.interrupt = NULL;
		events(2);
		assert_int_equal(p->lost[FXTREC_LOST_FULL], 0);
		assert_int_equal(p->reported[FXTREC_LOST_NESTED], p->lost[FXTREC_LOST_NESTED]);
		finish();
	}
}

/* The reader's possible views on a processor of weak order, during draining and during overwriting. */
static void weakly_ordered(void **state)
{
	unsigned int at, i;

	(void)state;
	for (at = 0; at < 20; at++) {
		ring_open(SUBBUF, 0);
		ring_watch(ring_kind);
		if (at % 2)
			ring_env.consumer.ring[ring_kind].tail = FXTREC_OVERWRITE;
		for (i = 0; i < 400; i++) {
			ring_arm(event, at / 2);
			event();
			ring_disarm();
			if (!(at % 2) && !(i % 50))
				ring_drain(ring_kind, 2, 0);
		}
		assert_in_range(ring()->head, 2 * ring()->subbufs * SUBBUF, ~0ULL);
		if (at % 2)
			ring_close();
		else
			finish();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_RINGS(commit_orders),
		BOTH_RINGS(staggered),
		BOTH_RINGS(interrupted),
		BOTH_RINGS(interrupted_full),
		BOTH_RINGS(interrupted_by_longer),
		BOTH_RINGS(preempted),
		BOTH_RINGS(interrupted_deep),
		BOTH_RINGS(overtaken),
		BOTH_RINGS(weakly_ordered),
	};

	return unit_run(tests);
}
