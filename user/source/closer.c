// SPDX-License-Identifier: GPL-2.0-only
/* Closes descriptors in another process, as the kernel takes long for each. */
#include <errno.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "source/clock.h"
#include "source/closer.h"
#include "util/time.h"

#define AWAIT_NS	(SECOND_NS / 2)
#define PERIOD_NS	1000000

static void between_close(unsigned int first, unsigned int last)
{
	if (first <= last)
		syscall(SYS_close_range, first, last, 0);
}

/*
 * Closes the descriptors.  Runs in a copy of a process with threads: only system calls.  A pipe of the recorder that
 * stayed open would keep its reader waiting.
 */
static void close_all(const int *descriptors, unsigned int count)
{
	unsigned int i, next = 0;

	for (i = 0; i < count; i++) {
		between_close(next, descriptors[i] - 1U);
		next = descriptors[i] + 1;
	}
	between_close(next, ~0U);
	for (i = 0; i < count; i++)
		close(descriptors[i]);
	_exit(0);
}

pid_t fxt_closer_start(const int *descriptors, unsigned int count)
{
	pid_t pid = fork();

	if (!pid)
		close_all(descriptors, count);
	return pid < 0 ? -errno : pid;
}

void fxt_closer_await(pid_t closer)
{
	const struct timespec period = { .tv_nsec = PERIOD_NS };
	__u64 until = fxt_clock_mono() + AWAIT_NS;

	while (closer > 0 && !waitpid(closer, NULL, WNOHANG) && fxt_clock_mono() < until)
		nanosleep(&period, NULL);
}
