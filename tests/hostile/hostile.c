// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hostile user of the device: hostile SECONDS CALLS SEED.  Threads and forks make random calls of the device, write
 * to the consumer pages, and read the mappings, for that time and until there were as many calls, but at most six times
 * as long.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hostile.h"

#define THREADS	4

struct hostile_shared *hostile;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

__u64 hostile_random(struct hostile_random *r)
{
	r->state ^= r->state << 13;
	r->state ^= r->state >> 7;
	r->state ^= r->state << 17;
	return r->state * 0x2545f4914f6cdd1dULL;
}

static int done(void)
{
	double t = now();

	return __atomic_load_n(&hostile->stop, __ATOMIC_RELAXED) || t > hostile->latest ||
	       (t > hostile->until &&
		__atomic_load_n(&hostile->calls, __ATOMIC_RELAXED) >= hostile->wanted);
}

static void *attack(void *arg)
{
	struct hostile_random *r = arg;
	__u64 calls = 0;

	while (!done()) {
		hostile_call(r);
		if (++calls % 64 == 0)
			__atomic_add_fetch(&hostile->calls, 64, __ATOMIC_RELAXED);
	}
	return NULL;
}

/* Runs a process of its own; a fault in it is a finding. */
static void process(__u64 seed)
{
	struct hostile_random random[THREADS];
	pthread_t threads[THREADS];
	cpu_set_t one;
	int i;

	/* Mostly on one CPU: where all CPUs are busy, each call from one to another takes QEMU 0.1 s. */
	CPU_ZERO(&one);
	CPU_SET(1, &one);
	if (seed % 8)
		sched_setaffinity(0, sizeof(one), &one);
	for (i = 0; i < THREADS; i++) {
		random[i].state = seed * THREADS + i + 1;
		if (pthread_create(&threads[i], NULL, attack, &random[i]))
			exit(3);
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	exit(0);
}

/* Restarts processes with other seeds, and kills them now and then at any point. */
static int rounds(__u64 seed)
{
	struct hostile_random r = { .state = seed + 1 };
	int status;

	while (!done()) {
		pid_t pid = fork();
		double end = now() + 0.5 + hostile_random(&r) % 2000 / 1000.0;

		if (!pid)
			process(hostile_random(&r));
		while (!waitpid(pid, &status, WNOHANG)) {
			if (now() > end)
				kill(pid, SIGKILL);
			usleep(10000);
		}
		hostile->rounds++;
		if (WIFEXITED(status) && WEXITSTATUS(status))
			return 1;
		if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL) {
			fprintf(stderr, "hostile: ended by signal %d\n", WTERMSIG(status));
			return 1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	int failed;

	if (argc != 4)
		return 2;
	hostile = mmap(NULL, sizeof(*hostile), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (hostile == MAP_FAILED)
		return 1;
	hostile->until = now() + atof(argv[1]);
	hostile->latest = hostile->until + 5 * atof(argv[1]);
	hostile->wanted = strtoull(argv[2], NULL, 0);
	failed = rounds(strtoull(argv[3], NULL, 0));
	printf("%llu calls, %llu refused, %u rounds, %llu armed, %llu started, %llu mapped, "
	       "%llu pages seen, %llu foreign words\n", hostile->calls, hostile->refused,
	       hostile->rounds, hostile->armed, hostile->started, hostile->mapped, hostile->pages,
	       hostile->foreign);
	return failed || hostile->foreign;
}
