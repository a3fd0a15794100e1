// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sleeps that nothing interrupts: sleeps TIMES MILLISECONDS, as the parent of a vfork()ed child that takes that long.
 */
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* Sleeps once.  A function of its own, as vfork() may change a caller's variables. */
static int sleep_once(int milliseconds)
{
	pid_t pid = vfork();

	if (!pid) {
		usleep(1000 * milliseconds);
		_exit(0);
	}
	return pid < 0 || waitpid(pid, NULL, 0) != pid;
}

int main(int argc, char **argv)
{
	int i, failed = argc < 3;

	for (i = 0; !failed && i < atoi(argv[1]); i++) {
		failed = sleep_once(atoi(argv[2]));
		usleep(10000);
	}
	return failed;
}
