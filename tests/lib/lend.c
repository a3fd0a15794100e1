// SPDX-License-Identifier: GPL-2.0-only
/* Holds a mutex that lends its owner the priority of a thread that waits for it: lend COUNT */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex;

static void *wait_for_it(void *unused)
{
	const struct sched_param first = { .sched_priority = 1 };

	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &first))
		exit(1);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1;
	pthread_mutexattr_t attr;
	pthread_t waiter;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&mutex, &attr);
	while (count--) {
		pthread_mutex_lock(&mutex);
		if (pthread_create(&waiter, NULL, wait_for_it, NULL))
			return 1;
		usleep(5000);
		pthread_mutex_unlock(&mutex);
		pthread_join(waiter, NULL);
	}
	return 0;
}
