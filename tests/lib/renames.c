// SPDX-License-Identifier: GPL-2.0-only
/*
 * Renames itself as often as possible until its standard input ends, but at least 100,000 times, even if the input ends
 * before the program gets a CPU: renames; then prints "N renames".
 */
#include <poll.h>
#include <stdio.h>
#include <sys/prctl.h>

#define BATCH	1000u
#define LEAST	100000u

int main(void)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };
	unsigned long count = 0;
	unsigned int i;
	char name[16];

	while (count < LEAST || !poll(&input, 1, 0)) {
		for (i = 0; i < BATCH; i++) {
			snprintf(name, sizeof(name), "noise-%lu", count++ % 1000000);
			prctl(PR_SET_NAME, name);
		}
	}
	prctl(PR_SET_NAME, "noise-end");
	printf("%lu renames\n", count);
	fflush(stdout);
	/* The program lives on, so that its last name is listed. */
	poll(NULL, 0, 1500);
	return 0;
}
