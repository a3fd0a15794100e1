// SPDX-License-Identifier: GPL-2.0-only
/*
 * pingpong TIMES CPUS [GO]: on each of the first CPUs, two processes pass a byte to and fro; prints
 * the nanoseconds from the start of all to the end of the last.  Waits until the file GO exists.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct party {
	int in, out;
	int first;
};

static int play(const struct party *p, int start, int times)
{
	char byte = 0;

	/* Ends when the parent closes the other side. */
	if (read(start, &byte, 1))
		return 1;
	for (; times; times--) {
		if (p->first && write(p->out, &byte, 1) != 1)
			return 1;
		if (read(p->in, &byte, 1) != 1)
			return 1;
		if (!p->first && write(p->out, &byte, 1) != 1)
			return 1;
	}
	return 0;
}

static int pair(int cpu, const int start[2], int times)
{
	int there[2], back[2], i;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (pipe(there) || pipe(back))
		return 1;
	for (i = 0; i < 2; i++) {
		const struct party p = { i ? back[0] : there[0], i ? there[1] : back[1], i };
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (pid)
			continue;
		close(start[1]);
		_exit(sched_setaffinity(0, sizeof(set), &set) || play(&p, start[0], times));
	}
	return 0;
}

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char **argv)
{
	int start[2], times, cpus, cpu, status, failed = 0;
	long long began;

	if (argc < 3 || pipe(start))
		return 2;
	times = atoi(argv[1]);
	cpus = atoi(argv[2]);
	for (cpu = 0; cpu < cpus; cpu++)
		if (pair(cpu, start, times))
			return 1;
	usleep(200000);
	while (argc > 3 && access(argv[3], F_OK))
		usleep(500000);
	began = now();
	close(start[1]);
	for (cpu = 0; cpu < 2 * cpus; cpu++)
		failed |= wait(&status) < 0 || status;
	printf("%lld\n", now() - began);
	return failed;
}
