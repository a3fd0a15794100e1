// SPDX-License-Identifier: GPL-2.0-only
/* Many threads that sleep: crowd COUNT; it says "ready", and ends with its standard input. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *rest(void *arg)
{
	pause();
	return arg;
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
	pthread_attr_t attributes;
	pthread_t thread;
	char c;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 32 << 10);
	while (count-- > 0) {
		if (pthread_create(&thread, &attributes, rest, NULL)) {
			perror("crowd");
			return 1;
		}
	}
	puts("ready");
	fflush(stdout);
	return read(STDIN_FILENO, &c, 1) < 0;
}
