// SPDX-License-Identifier: GPL-2.0-only
/*
 * dying MS: makes threads that have left the kernel's list of threads, but not their CPU yet.  The kernel takes long to
 * drop a thread's entries of /proc, which were opened for MS milliseconds, and other threads have the CPU at the same
 * time.  Prints the threads' ids once half of them are off the list; ends when standard input does, and lets them end
 * before.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS		8
#define DESCRIPTORS_A_MS	4	/* at most */
#define OTHERS		3
#define LOOK_US		2000

static cpu_set_t crowded;	/* one CPU */
static int ms, descriptors;	/* the limits of time and number of the descriptors that each thread opens */

static void crowded_choose(void)
{
	int cpu = 0;

	sched_getaffinity(0, sizeof(crowded), &crowded);
	while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, &crowded))
		cpu++;
	CPU_ZERO(&crowded);
	CPU_SET(cpu, &crowded);
}

static void crowd(void)
{
	if (sched_setaffinity(0, sizeof(crowded), &crowded))
		exit(1);
}

static int thread_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void *dying(void *arg)
{
	static const struct sched_param none;
	char path[64];
	struct stat st;
	int fd;

	(void)arg;
	prctl(PR_SET_NAME, "dying");
	printf("%ld ", syscall(SYS_gettid));
	for (fd = 0; fd < descriptors && thread_ms() < ms; fd++) {
		snprintf(path, sizeof(path), "/proc/thread-self/fd/%d", fd);
		stat(path, &st);
	}
	crowd();
	sched_setscheduler(0, SCHED_IDLE, &none);
	/* The C library's exit does more. */
	syscall(SYS_exit, 0);
	return NULL;
}

static int threads_listed(void)
{
	DIR *tasks = opendir("/proc/self/task");
	int count = -2; /* . and .. */

	if (!tasks)
		exit(1);
	while (readdir(tasks))
		count++;
	closedir(tasks);
	return count;
}

int main(int argc, char **argv)
{
	struct rlimit limit;
	pid_t pid = getpid(), others[OTHERS];
	pthread_t thread;
	int i;

	if (argc != 2)
		return 2;
	ms = atoi(argv[1]);
	descriptors = ms * DESCRIPTORS_A_MS;
	limit.rlim_cur = limit.rlim_max = descriptors + 100;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		return 1;
	for (i = 3; i < descriptors; i++)
		dup2(0, i);
	crowded_choose();
	for (i = 0; i < OTHERS; i++) {
		others[i] = fork();
		if (!others[i]) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (getppid() != pid)
				_exit(1);
			crowd();
			for (;;)
				;
		}
	}
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&thread, NULL, dying, NULL))
			return 1;
	while (threads_listed() > THREADS / 2)
		usleep(LOOK_US);
	puts("");
	fflush(stdout);
	while (getchar() != EOF)
		;
	for (i = 0; i < OTHERS; i++) {
		kill(others[i], SIGKILL);
		waitpid(others[i], NULL, 0);
	}
	while (threads_listed() > 1)
		usleep(LOOK_US);
	return 0;
}
