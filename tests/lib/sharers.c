// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes with one memory map, which is stuck: sharers FILE COUNT.  COUNT of them rename themselves ten times a
 * second; the first one maps FILE, of a file system that doesn't answer (tests/lib/fuse.py), and ends with that file
 * system.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#define STACK	(16u << 10)
#define PAGE	4096u

/* Renames the process for ever.  Uses only memory that is present: a page fault would wait for the map. */
static int rename_forever(void *name)
{
	char *digit = (char *)name + 8;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		*digit = *digit == '9' ? '0' : *digit + 1;
		prctl(PR_SET_NAME, name);
		usleep(100000);
	}
	return 0;
}

int main(int argc, char **argv)
{
	static char name[] = "renamed-0";
	long count = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	int cached = open(argv[1], O_RDWR), direct = open(argv[1], O_RDWR);
	char *dirty;

	while (count-- > 0) {
		char *stack = malloc(STACK);

		if (!stack || clone(rename_forever, stack + STACK, CLONE_VM | SIGCHLD, name) < 0) {
			perror("sharers");
			return 1;
		}
	}
	/* All processes have run by then. */
	usleep(300000);
	dirty = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, cached, 0);
	if (dirty != MAP_FAILED)
		*dirty = 1;
	mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, direct, 0);
	return 1;
}
