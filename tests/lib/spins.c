// SPDX-License-Identifier: GPL-2.0-only
/* Never sleeps: spins */
int main(void)
{
	/*
	 * Emulated CPUs take turns of 100 ms in one thread, or until the next interrupt; a CPU without a tick gets
	 * none.  With a pause, the next CPU's turn comes at once.
	 */
	for (;;)
#ifdef __x86_64__
		__builtin_ia32_pause();
#else
		__asm__ volatile("yield");
#endif
}
