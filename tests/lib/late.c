// SPDX-License-Identifier: GPL-2.0-only
/*
 * A server with requests that are late for one cause: late CAUSE REQUESTS.  Each request uses a millisecond of CPU time; every
 * eighth one also meets the cause.  Prints a line for each request: its ns, and the ns that the cause took.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "late.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int to_helper[2], from_helper[2], file = -1;
static pid_t hog = -1;

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void name(const char *text)
{
	prctl(PR_SET_NAME, text);
}

/* Starts a thread that works for each byte that it reads. */
static void helper_start(void *(*body)(void *), bool socket)
{
	pthread_t thread;

	if (socket) {
		socketpair(AF_UNIX, SOCK_STREAM, 0, to_helper);
		from_helper[0] = to_helper[0];
		from_helper[1] = to_helper[1];
		to_helper[0] = from_helper[1];
		to_helper[1] = from_helper[0];
	} else if (pipe(to_helper) || pipe(from_helper)) {
		exit(1);
	}
	pthread_create(&thread, NULL, body, NULL);
}

static char helper_next(void)
{
	char c;

	return read(to_helper[0], &c, 1) == 1 ? c : 0;
}

static void helper_answer(void)
{
	if (write(from_helper[1], "", 1) != 1)
		exit(1);
}

static void ask(void)
{
	char c;

	if (write(to_helper[1], "x", 1) != 1 || read(from_helper[0], &c, 1) != 1)
		exit(1);
}

/* Holds a mutex for each byte, and does something before it gives the mutex back. */
static void hold(const char *title, pthread_mutex_t *mutex, void (*held)(long ns))
{
	name(title);
	while (helper_next()) {
		pthread_mutex_lock(mutex);
		helper_answer();
		held(CAUSE_NS);
		pthread_mutex_unlock(mutex);
	}
}

static void *run_in_lock(void *arg)
{
	hold("holder", &lock, work);
	return arg;
}

static void *sleep_in_lock(void *arg)
{
	hold("holder", &lock, nap);
	return arg;
}

/* Holds the mutex that the holder of the other one waits for. */
static void *second_holder(void *arg)
{
	hold("second", &second, work);
	return arg;
}

static void *chain_first(void *arg)
{
	name("first");
	pthread_mutex_lock(&lock);
	pthread_mutex_lock(&second);
	pthread_mutex_unlock(&second);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *stage(void *arg)
{
	name("stage");
	while (helper_next()) {
		work(CAUSE_NS);
		helper_answer();
	}
	return arg;
}

/* Starts a real-time process that works for each byte that it reads, on the CPU of this one. */
static pid_t hog_start(void)
{
	struct sched_param p = { .sched_priority = 10 };
	pid_t pid;

	pin(0);
	if (pipe(to_helper) || pipe(from_helper))
		exit(1);
	pid = fork();
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	name("hog");
	if (sched_setscheduler(0, SCHED_FIFO, &p))
		_exit(1);
	while (helper_next()) {
		helper_answer();
		work(CAUSE_NS);
	}
	_exit(0);
}

static void reap(void)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

static void stop_me(void)
{
	pid_t parent = getpid();

	if (!fork()) {
		name("stopper");
		kill(parent, SIGSTOP);
		nap(CAUSE_NS);
		kill(parent, SIGCONT);
		_exit(0);
	}
}

static void start(const char *cause)
{
	if (!strcmp(cause, "lock"))
		helper_start(run_in_lock, false);
	else if (!strcmp(cause, "sleeping-holder"))
		helper_start(sleep_in_lock, false);
	else if (!strcmp(cause, "chain"))
		helper_start(second_holder, false);
	else if (!strcmp(cause, "stage"))
		helper_start(stage, false);
	else if (!strcmp(cause, "socket"))
		helper_start(stage, true);
	else if (!strcmp(cause, "disk"))
		file = open("late.dat", O_RDWR | O_CREAT | O_TRUNC, 0600);
	else if (!strcmp(cause, "real-time"))
		hog = hog_start();
}

/* Meets the cause.  Returns ns that it took, as far as this thread can know. */
static long meet(const char *cause)
{
	long since = now(CLOCK_MONOTONIC);
	pthread_t thread;
	char data[4096] = { 1 };
	int i;

	if (!strcmp(cause, "lock") || !strcmp(cause, "sleeping-holder")) {
		ask();
		since = now(CLOCK_MONOTONIC);
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	} else if (!strcmp(cause, "chain")) {
		ask();
		pthread_create(&thread, NULL, chain_first, NULL);
		nap(1000000);
		since = now(CLOCK_MONOTONIC);
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
		pthread_join(thread, NULL);
	} else if (!strcmp(cause, "stage") || !strcmp(cause, "socket")) {
		ask();
	} else if (!strcmp(cause, "disk")) {
		for (i = 0; i < 24; i++)
			if (pwrite(file, data, sizeof(data), i * 65536) < 0 || fsync(file))
				exit(1);
	} else if (hog > 0) {
		ask();
		work(WORK_NS);
	} else if (!strcmp(cause, "stopped")) {
		stop_me();
		work(2 * WORK_NS);
	} else if (!strcmp(cause, "own-work")) {
		work(CAUSE_NS);
	}
	return now(CLOCK_MONOTONIC) - since;
}

static long sleeps(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

/* Sleeps until ns, or later: a time that has passed already would give no sleep between two requests.  Returns the time. */
static long sleep_until(long ns)
{
	long before = sleeps();
	struct timespec t;

	for (;;) {
		t = (struct timespec){ ns / 1000000000L, ns % 1000000000L };
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
		if (sleeps() != before)
			return ns;
		ns = now(CLOCK_MONOTONIC) + PERIOD_NS;
	}
}

int main(int argc, char **argv)
{
	long requests = argc > 2 ? atol(argv[2]) : 0, i, took, next;

	if (requests < 1)
		return 2;
	name("server");
	start(argv[1]);
	next = now(CLOCK_MONOTONIC);
	for (i = 0; i < requests; i++) {
		next = sleep_until(next + PERIOD_NS);
		work(WORK_NS);
		took = i % EACH == EACH - 1 ? meet(argv[1]) : 0;
		/* The request started when the timer expired. */
		printf("%ld %ld\n", now(CLOCK_MONOTONIC) - next, took);
		reap();
		/* A request that is late doesn't make the next one late. */
		if (next < now(CLOCK_MONOTONIC))
			next = now(CLOCK_MONOTONIC);
	}
	return 0;
}
