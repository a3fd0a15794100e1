// SPDX-License-Identifier: GPL-2.0-only
/* Makes system calls of 32 bits from a program of 64: compat COUNT; exits with 3 where the kernel has none. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define GETPPID_32	64	/* the number of semget in 64 bits */

static void none(int signal)
{
	(void)signal;
	_exit(3);
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1;

	signal(SIGSEGV, none);
	signal(SIGILL, none);
	while (count--) {
		long result;

		__asm__ volatile("int $0x80" : "=a"(result) : "a"(GETPPID_32)
				 : "memory", "r8", "r9", "r10", "r11");
		if (result != getppid())
			return result == -38 ? 3 : 1;
	}
	return 0;
}
