// SPDX-License-Identifier: GPL-2.0-only
/* Never sleeps: spins */
int main(void)
{
	/*
	 * Emulated CPUs take turns of 100 ms in one thread, or until the next interrupt, and one that has no tick
	 * gets none.  With a pause, it is the next one's turn at once.
	 */
	for (;;)
#ifdef __x86_64__
		__builtin_ia32_pause();
#else
		__asm__ volatile("yield");
#endif
}
