// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes reading /proc/$SPIN_PID/cmdline take one and a half seconds of CPU time, for the program that loads this before
 * libc.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SPIN_NS	1500000000LL

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

FILE *fopen(const char *path, const char *mode)
{
	FILE *(*next)(const char *, const char *) = (FILE *(*)(const char *, const char *))dlsym(RTLD_NEXT, "fopen");
	long long until = now() + SPIN_NS;
	char slow[64];

	snprintf(slow, sizeof(slow), "/proc/%s/cmdline", getenv("SPIN_PID") ? getenv("SPIN_PID") : "");
	while (!strcmp(path, slow) && now() < until)
		;
	return next(path, mode);
}
