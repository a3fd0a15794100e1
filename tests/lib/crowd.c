// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs many threads that sleep: crowd COUNT [MAKERS]; prints "ready", and ends with its standard input.  Each maker
 * starts a thousand short threads a second.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *rest(void *arg)
{
	pause();
	return arg;
}

static void *end(void *arg)
{
	return arg;
}

static void *make(void *arg)
{
	pthread_t thread;

	for (;;) {
		if (!pthread_create(&thread, NULL, end, NULL))
			pthread_join(thread, NULL);
		usleep(1000);
	}
	return arg;
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
	long makers = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	pthread_attr_t attributes;
	pthread_t thread;
	char c;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 32 << 10);
	while (count-- > -makers) {
		if (pthread_create(&thread, &attributes, count < 0 ? make : rest, NULL)) {
			perror("crowd");
			return 1;
		}
	}
	puts("ready");
	fflush(stdout);
	return read(STDIN_FILENO, &c, 1) < 0;
}
