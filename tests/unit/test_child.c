// SPDX-License-Identifier: GPL-2.0-only
/* A child that runs a library: what it sends arrives, and no loop of its goes on for ever. */
#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "unit.h"
#include "util/child.h"

/* Of processor time, without sending anything. */
#define CPU_MS		100u
#define ROUNDS		8u

static __u8 full[64 << 10];	/* as many bytes as are sent at once */

static void compute(unsigned int ms)
{
	struct timespec at;

	do {
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
	} while (at.tv_sec * 1000 + at.tv_nsec / 1000000 < ms);
}

/* Receives that many buffers, and what run() returned. */
static int received(int (*run)(struct fxt_child_out *out, void *arg), unsigned int *buffers)
{
	static __u8 got[sizeof(full)];
	struct fxt_child child;

	*buffers = 0;
	assert_int_equal(fxt_child_start(&child, 0, run, NULL), 0);
	while (fxt_child_get(&child, got, sizeof(got)) == 1)
		(*buffers)++;
	return fxt_child_end(&child);
}

static int loop(struct fxt_child_out *out, void *arg)
{
	(void)arg;
	out->cpu_ms = CPU_MS;
	fxt_child_put(out, full, sizeof(full));
	while (out->cpu_ms)
		compute(0);
	return 0;
}

/* More than it may compute without sending, but it sends. */
static int work(struct fxt_child_out *out, void *arg)
{
	unsigned int i;

	(void)arg;
	out->cpu_ms = CPU_MS;
	for (i = 1; i <= ROUNDS; i++) {
		fxt_child_put(out, full, sizeof(full));
		compute(i * CPU_MS / 4);
	}
	return 3;
}

/* Waits for longer than it may compute. */
static int wait_long(struct fxt_child_out *out, void *arg)
{
	const struct timespec time = { 0, 3 * CPU_MS * 1000000 };

	(void)arg;
	out->cpu_ms = CPU_MS;
	fxt_child_put(out, full, sizeof(full));
	nanosleep(&time, NULL);
	fxt_child_put(out, full, sizeof(full));
	return 0;
}

static void loops(void **state)
{
	unsigned int buffers;
	sigset_t blocked;

	(void)state;
	assert_int_equal(received(loop, &buffers), -EBADMSG);
	assert_int_equal(buffers, 1);
	/* Whatever the parent does with signals. */
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGPROF);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	signal(SIGPROF, SIG_IGN);
	assert_int_equal(received(loop, &buffers), -EBADMSG);
	sigprocmask(SIG_UNBLOCK, &blocked, NULL);
	signal(SIGPROF, SIG_DFL);
}

static void works(void **state)
{
	unsigned int buffers;

	(void)state;
	assert_int_equal(received(work, &buffers), 3);
	assert_int_equal(buffers, ROUNDS);
	assert_int_equal(received(wait_long, &buffers), 0);
	assert_int_equal(buffers, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loops),
		cmocka_unit_test(works),
	};

	return unit_run(tests);
}
