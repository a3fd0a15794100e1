// SPDX-License-Identifier: GPL-2.0-only
/*
 * A server of a client, with requests that are late for one cause: served CAUSE REQUESTS.  The client asks through a socket, and
 * the server waits for it in epoll_wait.  Each request uses a millisecond of CPU time; every eighth one also meets the cause.
 * The client prints a line for each request: its ns, and the ns that the cause took.
 */
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "late.h"

#define HOLDERS		4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int asked, done, requests_epoll, latch_epoll;

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		exit(1);
}

static void number_put(int fd, unsigned long number)
{
	if (write(fd, &number, sizeof(number)) != sizeof(number))
		exit(1);
}

static unsigned long number_get(int fd)
{
	unsigned long number;

	if (read(fd, &number, sizeof(number)) != sizeof(number))
		exit(0);
	return number;
}

static void watch(int epoll, int fd)
{
	struct epoll_event e = { .events = EPOLLIN, .data.fd = fd };

	if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e))
		exit(1);
}

static void wait_for(int epoll)
{
	struct epoll_event e;

	if (epoll_wait(epoll, &e, 1, -1) != 1)
		exit(1);
}

/* Works for each number that it is asked, in a thread of another process of this program. */
static void *sibling(void *arg)
{
	prctl(PR_SET_NAME, "sibling");
	for (;;) {
		number_get(asked);
		work(CAUSE_NS);
		number_put(done, 1);
	}
	return arg;
}

static void sibling_start(void)
{
	pthread_t thread;

	if (fork())
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pthread_create(&thread, NULL, sibling, NULL);
	pthread_join(thread, NULL);
}

static void *holder(void *arg)
{
	prctl(PR_SET_NAME, "holder");
	pthread_mutex_lock(&lock);
	work(CAUSE_NS / HOLDERS);
	pthread_mutex_unlock(&lock);
	return arg;
}

/* Queues for a lock, after threads that hold it in turn. */
static long convoy(void)
{
	pthread_t threads[HOLDERS];
	long since;
	int i;

	for (i = 0; i < HOLDERS; i++) {
		pthread_create(&threads[i], NULL, holder, NULL);
		nap(200000);
	}
	since = now(CLOCK_MONOTONIC);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	since = now(CLOCK_MONOTONIC) - since;
	for (i = 0; i < HOLDERS; i++)
		pthread_join(threads[i], NULL);
	return since;
}

/* Works on one CPU and the other in turn. */
static void move(void)
{
	cpu_set_t all;
	long i;

	sched_getaffinity(0, sizeof(all), &all);
	for (i = 0; i < CAUSE_NS / 200000; i++) {
		pin(i % 2);
		work(200000);
	}
	sched_setaffinity(0, sizeof(all), &all);
}

static void child(void)
{
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_NAME, "child");
		work(CAUSE_NS);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

/* Meets the cause.  Returns ns that it took, as far as this thread can know. */
static long meet(const char *cause)
{
	long since = now(CLOCK_MONOTONIC);

	if (!strcmp(cause, "latch") || !strcmp(cause, "same-latch")) {
		number_put(asked, 1);
		wait_for(strcmp(cause, "latch") ? requests_epoll : latch_epoll);
		number_get(done);
	} else if (!strcmp(cause, "convoy")) {
		return convoy();
	} else if (!strcmp(cause, "moves")) {
		move();
	} else if (!strcmp(cause, "child")) {
		child();
	} else if (!strcmp(cause, "slack")) {
		prctl(PR_SET_TIMERSLACK, CAUSE_NS);
		nap(100000);
		prctl(PR_SET_TIMERSLACK, 50000);
	}
	return now(CLOCK_MONOTONIC) - since;
}

/* Asks in each period, and waits for the answer. */
static void client(int server, long count)
{
	struct pollfd wait = { .fd = server, .events = POLLIN };
	long next = now(CLOCK_MONOTONIC), i, took;
	struct timespec t;

	prctl(PR_SET_NAME, "client");
	for (i = 0; i < count; i++) {
		next += PERIOD_NS;
		t = (struct timespec){ next / 1000000000L, next % 1000000000L };
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
		next = now(CLOCK_MONOTONIC);
		number_put(server, i);
		/* The server's read wakes a thread that reads, to write more, but not one that polls. */
		if (poll(&wait, 1, -1) != 1)
			exit(1);
		took = number_get(server);
		printf("%ld %ld\n", now(CLOCK_MONOTONIC) - next, took);
		if (next + PERIOD_NS < now(CLOCK_MONOTONIC))
			next = now(CLOCK_MONOTONIC);
	}
	exit(0);
}

int main(int argc, char **argv)
{
	int ends[2];
	pid_t pid;

	if (argc < 3 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return 2;
	pid = fork();
	if (!pid) {
		close(ends[0]);
		client(ends[1], atol(argv[2]));
	}
	close(ends[1]);
	prctl(PR_SET_NAME, "server");
	asked = eventfd(0, 0);
	done = eventfd(0, 0);
	sibling_start();
	requests_epoll = epoll_create1(0);
	latch_epoll = epoll_create1(0);
	watch(requests_epoll, ends[0]);
	watch(strcmp(argv[1], "latch") ? requests_epoll : latch_epoll, done);
	for (;;) {
		unsigned long number;

		wait_for(requests_epoll);
		if (read(ends[0], &number, sizeof(number)) != sizeof(number))
			break;
		work(WORK_NS);
		number_put(ends[0], number % EACH == EACH - 1 ? meet(argv[1]) : 0);
	}
	waitpid(pid, NULL, 0);
	return 0;
}
