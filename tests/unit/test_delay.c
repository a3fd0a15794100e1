// SPDX-License-Identifier: GPL-2.0-only
/* Delays: the start of a thread's wait, by its earlier events. */
#include "fxt/linux.h"
#include "unit.h"

#define THREADS	4u
#define BOUND	10u

struct task_struct {
	__u32 pid, tgid;
};

static __u64 starts[2][THREADS], now;

/* The last report, and the number of reports. */
static struct {
	int kind;
	__u32 tid;
	__u64 ticks;
	unsigned int count;
} reported;

static __u64 fxt_clock_read(enum fxt_linux_clock clock)
{
	(void)clock;
	return now;
}

static void report(int kind, const struct task_struct *task, __u64 ticks)
{
	reported.kind = kind;
	reported.tid = task->pid;
	reported.ticks = ticks;
	reported.count++;
}

#define FXT_READ(x)			(x)
#define FXT_WRITE(x, v)			((x) = (v))
#define FXT_DELAY_BOUNDED(kind)		1
#define FXT_DELAY_BOUND(kind)		BOUND
#define FXT_DELAY_START(kind, tid)	((tid) < THREADS ? &starts[kind][tid] : NULL)
#define FXT_DELAY_REPORT(kind, task, ticks)	report(kind, task, ticks)

#include "fxt/delay.h"

static const struct task_struct idle = { 0, 0 }, a = { 1, 1 }, b = { 2, 2 }, far = { THREADS, THREADS };

enum { RUNS = 0, SLEEPS = FXT_TASK_INTERRUPTIBLE, BLOCKS = FXT_TASK_UNINTERRUPTIBLE };

static int begin(void **state)
{
	(void)state;
	memset(starts, 0, sizeof(starts));
	memset(&reported, 0, sizeof(reported));
	return 0;
}

static void wake(__u64 at, const struct task_struct *task)
{
	now = at;
	fxt_delay_waking(FXT_CLOCK_MONO, task);
}

static void change(__u64 at, const struct task_struct *prev, __u32 state, const struct task_struct *next)
{
	now = at;
	fxt_delay_switch(FXT_CLOCK_MONO, 0, prev, next, state);
}

static void assert_reported(unsigned int count, int kind, const struct task_struct *task, __u64 ticks)
{
	assert_int_equal(reported.count, count);
	assert_int_equal(reported.kind, kind);
	assert_int_equal(reported.tid, task->pid);
	assert_int_equal(reported.ticks, ticks);
}

static void woken(void **state)
{
	(void)state;
	change(100, &a, SLEEPS, &idle);
	wake(200, &a);
	change(200 + BOUND, &idle, RUNS, &a);
	assert_int_equal(reported.count, 0);
	change(300, &a, SLEEPS, &idle);
	wake(400, &a);
	change(401 + BOUND, &idle, RUNS, &a);
	assert_reported(1, FXTREC_DELAY_LATENCY, &a, BOUND + 1);
}

/* A thread without a wakeup before. */
static void preempted(void **state)
{
	(void)state;
	wake(100, &a);
	change(101, &idle, RUNS, &a);
	change(200, &a, RUNS, &b);
	change(300, &b, SLEEPS, &a);
	assert_int_equal(reported.count, 0);
}

static void woken_on_cpu(void **state)
{
	static const __u32 states[] = { RUNS, SLEEPS };
	unsigned int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		change(100, &idle, RUNS, &a);
		wake(200, &a);
		change(300, &a, states[i], &b);
		change(301 + BOUND, &b, SLEEPS, &a);
		assert_reported(i + 1, FXTREC_DELAY_LATENCY, &a, BOUND + 1);
		/* The thread waits once. */
		change(400, &a, RUNS, &b);
		change(500, &b, SLEEPS, &a);
		assert_int_equal(reported.count, i + 1);
	}
	/* A wakeup just after the thread left its CPU. */
	change(600, &a, SLEEPS, &b);
	wake(601, &a);
	change(602 + BOUND, &b, SLEEPS, &a);
	assert_reported(3, FXTREC_DELAY_LATENCY, &a, BOUND + 1);
}

/* The thread continued to run; the sleep that follows doesn't belong to that wakeup. */
static void woken_and_sleeps_later(void **state)
{
	(void)state;
	change(100, &idle, RUNS, &a);
	wake(200, &a);
	change(300, &a, SLEEPS, &b);
	wake(400, &a);
	change(400 + BOUND, &b, SLEEPS, &a);
	assert_int_equal(reported.count, 0);
}

static void blocked(void **state)
{
	(void)state;
	change(100, &a, BLOCKS, &idle);
	wake(101 + BOUND, &a);
	assert_reported(1, FXTREC_DELAY_DSLEEP, &a, BOUND + 1);
	change(101 + BOUND, &idle, RUNS, &a);
	/* A wakeup before the thread had left its CPU. */
	wake(200, &a);
	change(201, &a, BLOCKS, &idle);
	change(202, &idle, RUNS, &a);
	change(300, &a, SLEEPS, &idle);
	wake(400, &a);
	assert_int_equal(reported.count, 1);
}

/* A thread id beyond the table is not measured. */
static void beyond(void **state)
{
	(void)state;
	wake(100, &far);
	change(200, &idle, RUNS, &far);
	change(300, &far, BLOCKS, &idle);
	wake(400, &far);
	assert_int_equal(reported.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(woken, begin),
		cmocka_unit_test_setup(preempted, begin),
		cmocka_unit_test_setup(woken_on_cpu, begin),
		cmocka_unit_test_setup(woken_and_sleeps_later, begin),
		cmocka_unit_test_setup(blocked, begin),
		cmocka_unit_test_setup(beyond, begin),
	};

	return unit_run(tests);
}
