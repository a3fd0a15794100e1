// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program of 32 bits for a guest of arm64, without libraries: 100 times each getpid and getppid, which have the
 * numbers of other calls there, and one call beyond all tables.
 */
#define EXIT		1
#define GETPID		20
#define GETPPID		64
#define UNKNOWN		511
#define COUNT		100

static long call(long number)
{
	register long r7 __asm__("r7") = number;
	register long r0 __asm__("r0") = 0;

	__asm__ volatile("svc 0" : "+r"(r0) : "r"(r7) : "memory");
	return r0;
}

void _start(void)
{
	for (int i = 0; i < COUNT; i++) {
		call(GETPID);
		call(GETPPID);
	}
	call(UNKNOWN);
	call(EXIT);
	__builtin_unreachable();
}
