// SPDX-License-Identifier: GPL-2.0-only
/* Records of a running recording: in the order of time, each once, or counted as late. */
#include "live/queue.h"
#include "model/build.h"
#include "unit.h"

/* Times of the records that were passed on. */
static __u64 passed[8];
static unsigned int count;

static int pass(void *arg, const struct fxt_record *r)
{
	(void)arg;
	assert_true(count < 8);
	passed[count++] = r->ticks;
	return 0;
}

static void pass_until(struct fxt_live_queue *q, __u64 ns, const __u64 *expected, unsigned int expected_count)
{
	count = 0;
	assert_int_equal(fxt_live_pass(q, ns, pass, NULL), 0);
	assert_int_equal(count, expected_count);
	assert_memory_equal(passed, expected, expected_count * sizeof(*expected));
}

static void switch_put(struct fxt_live_queue *q, __u32 cpu, __u64 ns)
{
	const union fxt_sched_view view = { .change = { .cpu = cpu } };

	assert_int_equal(fxt_live_put_view(q, cpu, FXT_KIND_CONTEXT_SWITCH, &view, ns), 0);
}

static void event_put(struct fxt_live_queue *q, enum fxt_event_type type, __u64 ns, __u64 end)
{
	struct fxt_record r;

	fxt_build_event(&r, type, ns, 0, 1, fxt_build_string("fxtrec"), fxt_build_string("lost"));
	r.event.end = end;
	assert_int_equal(fxt_live_put(q, &r, ns), 0);
}

static void orders(void **state)
{
	struct fxt_live_queue q;

	(void)state;
	assert_int_equal(fxt_live_queue_init(&q), 0);
	switch_put(&q, 0, 10);
	switch_put(&q, 0, 40);
	switch_put(&q, 1, 20);
	event_put(&q, FXT_EVENT_INSTANT, 30, 0);
	switch_put(&q, 1, 50);
	pass_until(&q, 41, (const __u64[]){ 10, 20, 30, 40 }, 4);
	pass_until(&q, 51, (const __u64[]){ 50 }, 1);
	assert_int_equal(q.late, 0);
	fxt_live_queue_uninit(&q);
}

static void counts_late(void **state)
{
	struct fxt_live_queue q;

	(void)state;
	assert_int_equal(fxt_live_queue_init(&q), 0);
	switch_put(&q, 0, 100);
	pass_until(&q, 101, (const __u64[]){ 100 }, 1);
	switch_put(&q, 1, 90);
	assert_int_equal(q.late, 1);
	event_put(&q, FXT_EVENT_INSTANT, 95, 0);
	assert_int_equal(q.late, 2);
	/* A record that is neither a switch nor a wakeup holds from then on. */
	pass_until(&q, 200, (const __u64[]){ 101 }, 1);
	fxt_live_queue_uninit(&q);
}

/* A CPU that was idle for long reports earlier losses with its next record. */
static void takes_losses_by_their_end(void **state)
{
	struct fxt_live_queue q;

	(void)state;
	assert_int_equal(fxt_live_queue_init(&q), 0);
	switch_put(&q, 0, 100);
	pass_until(&q, 101, (const __u64[]){ 100 }, 1);
	event_put(&q, FXT_EVENT_DURATION_COMPLETE, 20, 150);
	switch_put(&q, 1, 150);
	assert_int_equal(q.late, 0);
	pass_until(&q, 200, (const __u64[]){ 101, 150 }, 2);
	event_put(&q, FXT_EVENT_DURATION_COMPLETE, 20, 150);
	assert_int_equal(q.late, 1);
	fxt_live_queue_uninit(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders),
		cmocka_unit_test(counts_late),
		cmocka_unit_test(takes_losses_by_their_end),
	};

	return unit_run(tests);
}
