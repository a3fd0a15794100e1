/* SPDX-License-Identifier: GPL-2.0-only */
/* Servers with requests that are late for a known cause: each request uses WORK_NS, and one of EACH meets the cause. */
#ifndef LATE_H
#define LATE_H

#include <time.h>

#define PERIOD_NS	8000000L
#define WORK_NS		1000000L
#define CAUSE_NS	20000000L
#define EACH		8

static long now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void work(long ns)
{
	long end = now(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (now(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

static void nap(long ns)
{
	struct timespec t = { ns / 1000000000L, ns % 1000000000L };

	nanosleep(&t, NULL);
}

#endif
