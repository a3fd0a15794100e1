// SPDX-License-Identifier: GPL-2.0-only
/* The drain writes all records no later than requested. */
#include <unistd.h>

#include "unit.h"

/* This file has its own source, without stacks. */
#include "record/drain.c"

#define PATH		"/tmp/fxtrec-test-drain"
#define MILLISECOND_NS	1000000ULL
#define HOUR_NS		(3600000 * MILLISECOND_NS)
#define ENOUGH_RUNS	40	/* for the longest possible period */

static struct fxtrec_area area;
static struct fxtrec_consumer consumer;
static struct fxt_source_cpu cpu = { .area = &area, .consumer = &consumer };
static struct fxt_source source = { .cpus = &cpu, .cpu_count = 1 };
static struct fxt_output output;
static struct fxt_names names;

int fxt_stacks_put(void *stage, const void *records, size_t bytes)
{
	(void)stage;
	(void)records;
	(void)bytes;
	return 0;
}

/* Opens a drain of a CPU that records nothing, with rings of ring_bytes. */
static struct fxt_drain drain_of(__u64 ring_bytes, __u64 flush_ns)
{
	struct fxt_drain d;
	unsigned int kind;

	for (kind = 0; kind < FXTREC_RINGS; kind++) {
		area.ring[kind].subbufs = 8;
		area.ring[kind].subbuf_shift = __builtin_ctzll(ring_bytes / 8);
	}
	assert_int_equal(fxt_output_open(&output, PATH, false, 0, NULL), 0);
	assert_int_equal(fxt_output_await(&output), 0);
	assert_int_equal(fxt_drain_init(&d, &source, NULL, &names, &output, flush_ns), 0);
	return d;
}

static void done(struct fxt_drain *d)
{
	fxt_drain_uninit(d);
	assert_int_equal(fxt_output_close(&output), 0);
	unlink(PATH);
}

/* Returns the period after many runs that found nothing. */
static __u64 period_of(__u64 ring_bytes, __u64 flush_ns)
{
	struct fxt_drain d = drain_of(ring_bytes, flush_ns);
	unsigned int i;

	for (i = 0; i < ENOUGH_RUNS; i++)
		assert_int_equal(fxt_drain_run(&d), 0);
	done(&d);
	return d.period_ns;
}

static void period(void **state)
{
	(void)state;
	assert_int_equal(period_of(64 << 20, HOUR_NS), 100 * MILLISECOND_NS);
	assert_int_equal(period_of(64 << 20, 5 * MILLISECOND_NS), 5 * MILLISECOND_NS);
	assert_int_equal(period_of(64 << 20, 1), MILLISECOND_NS);
	/* A small ring needs a shorter period than --flush. */
	assert_in_range(period_of(1 << 20, HOUR_NS), MILLISECOND_NS, 10 * MILLISECOND_NS);
}

/* Returns whether the next run writes all records, if the last flush is that long ago. */
static bool flushes(__u64 ago_ns)
{
	struct fxt_drain d = drain_of(64 << 20, HOUR_NS);
	__u64 flushed = d.flushed = fxt_clock_mono() - ago_ns;
	bool did;

	d.period_ns = 100 * MILLISECOND_NS;
	assert_int_equal(fxt_drain_run(&d), 0);
	did = d.flushed != flushed;
	done(&d);
	return did;
}

static void due(void **state)
{
	(void)state;
	assert_false(flushes(HOUR_NS / 2));
	assert_true(flushes(HOUR_NS));
	/* The run after this one would be too late. */
	assert_true(flushes(HOUR_NS - 90 * MILLISECOND_NS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(period),
		cmocka_unit_test(due),
	};

	return unit_run(tests);
}
