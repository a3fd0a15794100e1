// SPDX-License-Identifier: GPL-2.0-only
/* The queues of chosen threads: which switches a filter keeps while one waits. */
#include <string.h>

#include "fxt/layout.h"
#include "unit.h"

#define CPUS		4u

static struct fxt_filter_set sets[FXT_FILTER_SETS];
static struct fxt_filter_queues queues;
static struct fxt_filter_cpu cpus[CPUS];
static int cpu_out;

#define FXT_READ(x)		(x)
#define FXT_WRITE(x, v)		((x) = (v))
#define FXT_BARRIER()		((void)0)
#define FXT_FILTER_THREADS	1
#define FXT_FILTER_CPU_OUT	cpu_out
#define FXT_FILTER_QUEUE_OUT(cpu)	((void)(cpu), cpu_out)
#define FXT_FILTER_SET(which)	(&sets[which])
#define FXT_QUEUE_WORD(tid)	(&queues.of[tid])
#define FXT_QUEUE_CPU(cpu)	((cpu) < CPUS ? &cpus[cpu] : NULL)
#define FXT_QUEUE_ADD(p, v)	(*(p) += (v))

#include "fxt/queue.h"

/* Chosen threads have even ids. */
static int setup(void **state)
{
	__u32 tid;

	(void)state;
	memset(&queues, 0, sizeof(queues));
	memset(cpus, 0, sizeof(cpus));
	cpu_out = 0;
	for (tid = 2; tid < 64; tid += 2)
		sets[FXT_FILTER_CHOSEN].word[0] |= 1ULL << tid;
	return 0;
}

static int switched(__u32 cpu, __u32 outgoing, __u32 incoming, int runnable)
{
	int kept = fxt_queue_switch(cpu, outgoing, incoming, fxt_filter_switch(outgoing, incoming), runnable, 0);

	fxt_queue_run(cpu, incoming);
	return kept;
}

static void waits(void **state)
{
	(void)state;
	assert_false(switched(1, 3, 5, 1));
	fxt_queue_woken(2, 1);
	fxt_queue_woken(2, 1);
	assert_true(switched(1, 5, 7, 1));
	assert_false(switched(0, 9, 11, 1));
	assert_true(switched(1, 7, 2, 0));
	assert_int_equal(cpus[1].waiting, 0);
	/* A preempted thread waits; a sleeping thread doesn't. */
	assert_true(switched(1, 2, 3, 1));
	assert_true(switched(1, 3, 5, 0));
	assert_true(switched(1, 5, 2, 0));
	assert_true(switched(1, 2, 3, 0));
	assert_false(switched(1, 3, 5, 0));
}

/* A wakeup of a thread that is leaving its CPU may come before its switch or after. */
static void woken_leaving(void **state)
{
	(void)state;
	switched(1, 3, 2, 0);
	fxt_queue_woken(2, 1);
	assert_true(switched(1, 2, 3, 0));
	assert_true(switched(1, 3, 5, 0));
	assert_true(switched(1, 5, 2, 0));
	assert_int_equal(cpus[1].waiting, 0);
	/* A thread that dies waits for nothing. */
	fxt_queue_woken(2, 1);
	fxt_queue_switch(1, 2, 3, FXT_UNCHOSEN_INCOMING, 0, 1);
	assert_int_equal(cpus[1].waiting, 0);
}

static void moved(void **state)
{
	__u32 was;

	(void)state;
	assert_false(fxt_queue_has(2, 1));
	switched(1, 3, 5, 0);
	fxt_queue_woken(2, 1);
	assert_true(fxt_queue_has(2, 1));
	assert_int_equal(fxt_queue_running(1), 5 + 1);
	assert_int_equal(fxt_queue_running(2), 0);
	/* Both CPUs keep their switches until the migration is recorded. */
	was = fxt_queue_enter(2, 3);
	assert_true(switched(1, 5, 7, 0));
	assert_true(switched(3, 9, 11, 0));
	fxt_queue_leave(was);
	assert_false(switched(1, 7, 5, 0));
	assert_true(switched(3, 11, 9, 0));
	/* A thread that isn't chosen any more leaves its queue, too. */
	sets[FXT_FILTER_CHOSEN].word[0] &= ~(1ULL << 2);
	assert_true(switched(3, 9, 2, 0));
	assert_false(switched(3, 2, 9, 1));
}

static void handlers(void **state)
{
	(void)state;
	assert_true(fxt_queue_handler_begin(1, 2, FXT_TRACK_IRQ, 10));
	assert_int_equal(fxt_queue_handler_end(1, FXT_TRACK_IRQ), 0);
	assert_false(fxt_queue_handler_begin(1, 3, FXT_TRACK_IRQ, 20));
	assert_int_equal(fxt_queue_handler_end(1, FXT_TRACK_IRQ), 0);
	/* The thread wakes a chosen thread. */
	assert_false(fxt_queue_handler_begin(1, 3, FXT_TRACK_SOFTIRQ, 30));
	fxt_queue_woken(2, 1);
	assert_true(fxt_queue_handler_begin(1, 3, FXT_TRACK_IRQ, 40));
	assert_int_equal(fxt_queue_handler_end(1, FXT_TRACK_IRQ), 0);
	assert_int_equal(fxt_queue_handler_end(1, FXT_TRACK_SOFTIRQ), 30);
	assert_int_equal(fxt_queue_handler_end(1, FXT_TRACK_SOFTIRQ), 0);
	cpu_out = 1;
	assert_false(fxt_queue_handler_begin(1, 2, FXT_TRACK_IRQ, 50));
	fxt_queue_woken(4, 1);
	assert_int_equal(fxt_queue_handler_end(1, FXT_TRACK_IRQ), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(waits, setup),
		cmocka_unit_test_setup(woken_leaving, setup),
		cmocka_unit_test_setup(moved, setup),
		cmocka_unit_test_setup(handlers, setup),
	};

	return unit_run(tests);
}
