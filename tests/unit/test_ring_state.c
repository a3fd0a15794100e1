// SPDX-License-Identifier: GPL-2.0-only
/* Reading a ring's state during the write of a record. */
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

#include "fxt/loss.h"
#include "source/clock.h"
#include "source/ring_state.h"
#include "unit.h"

#define PATIENCE_NS	20000000ULL

#define HEAD	96u
#define WRITTEN	120u

static struct fxtrec_producer ring;

/* Runs as a writer that has reported losses, and counted the record of the report; head follows later. */
static void *writer(void *arg)
{
	(void)arg;
	usleep(2000);
	__atomic_store_n(&ring.head, WRITTEN, __ATOMIC_RELEASE);
	__atomic_store_n(&ring.busy, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&ring.writers, 0, __ATOMIC_RELEASE);
	return NULL;
}

static void inside(enum fxtrec_ring_kind kind, __u64 reserve)
{
	ring = (struct fxtrec_producer){
		.kind = kind,
		.head = HEAD,
		.records = 4,
		.lost = { 7 },
		.reported = { 7 },
		.reserve = reserve,
		.busy = kind == FXTREC_RING_SCHED,
		.writers = kind != FXTREC_RING_SCHED,
	};
}

/* Reads the state; returns whether the writer was given up: on a busy machine, it may run too late. */
static bool read_beside(enum fxtrec_ring_kind kind, struct fxt_ring_state *s)
{
	__u64 start = fxt_clock_mono(), took;
	pthread_t thread;

	inside(kind, WRITTEN);
	assert_int_equal(pthread_create(&thread, NULL, writer, NULL), 0);
	fxt_ring_state_read(&ring, s);
	took = fxt_clock_mono() - start;
	pthread_join(thread, NULL);
	return s->head == HEAD && took > PATIENCE_NS;
}

static void writers(void **state)
{
	static const enum fxtrec_ring_kind kinds[] = { FXTREC_RING_SCHED, FXTREC_RING_INFO, FXTREC_RING_EVENTS };
	struct fxt_ring_state s;
	unsigned int i, tries;

	(void)state;
	for (i = 0; i < 3; i++) {
		for (tries = 100; read_beside(kinds[i], &s) && tries; tries--)
			;
		assert_int_equal(s.head, WRITTEN);
		assert_int_equal(s.records, 4);
		assert_int_equal(s.lost[0], 7);
		assert_int_equal(s.reported[0], 7);
	}
}

/* A writer that stays inside, or a reservation that nobody fills, isn't waited for. */
static void stays(void **state)
{
	struct fxt_ring_state s;

	(void)state;
	inside(FXTREC_RING_SCHED, 0);
	fxt_ring_state_read(&ring, &s);
	assert_int_equal(s.head, HEAD);
	inside(FXTREC_RING_EVENTS, WRITTEN);
	ring.writers = 0;
	fxt_ring_state_read(&ring, &s);
	assert_int_equal(s.head, HEAD);
}

/* Two causes, one reported in part. */
static void unreported(void **state)
{
	struct fxt_ring_state s = { .lost = { 7, 2 }, .reported = { 3, 2 }, .loss_start = 50 };
	__u64 w[FXT_LOSS_BYTES_MAX / 8], expected[FXT_LOSS_BYTES_MAX / 8];
	__u32 bytes;

	(void)state;
	bytes = fxt_loss_write(expected, 3, FXTREC_RING_INFO, FXTREC_LOST_FULL, 4, 50, 90);
	assert_int_equal(fxt_ring_state_report(&s, w, 3, FXTREC_RING_INFO, 90), bytes);
	assert_memory_equal(w, expected, bytes);
	s.lost[FXTREC_LOST_NESTED]++;
	bytes += fxt_loss_write(expected + bytes / 8, 3, FXTREC_RING_INFO, FXTREC_LOST_NESTED, 1, 50, 90);
	assert_int_equal(fxt_ring_state_report(&s, w, 3, FXTREC_RING_INFO, 90), bytes);
	assert_memory_equal(w, expected, bytes);
	s = (struct fxt_ring_state){ .lost = { 7, 3 }, .reported = { 7, 3 } };
	assert_int_equal(fxt_ring_state_report(&s, w, 3, FXTREC_RING_INFO, 90), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writers),
		cmocka_unit_test(stays),
		cmocka_unit_test(unreported),
	};

	return unit_run(tests);
}
