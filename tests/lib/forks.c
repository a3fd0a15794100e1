// SPDX-License-Identifier: GPL-2.0-only
/* Forks and runs short-lived processes: forks COUNT; each renames a thread of its own, too. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void *thread(void *arg)
{
	prctl(PR_SET_NAME, arg);
	return NULL;
}

static void child(const char *self, int number)
{
	char name[32];
	pthread_t id;

	if (number % 3) {
		execl(self, self, (char *)NULL);
		_exit(1);
	}
	snprintf(name, sizeof(name), "short-%d", number);
	if (!pthread_create(&id, NULL, thread, name))
		pthread_join(id, NULL);
	_exit(0);
}

int main(int argc, char **argv)
{
	int i, status, failed = 0;

	if (argc < 2)
		return 0;	/* what the children run */
	for (i = 0; i < atoi(argv[1]); i++) {
		pid_t pid = fork();

		if (!pid)
			child("/proc/self/exe", i);
		failed |= pid < 0 || waitpid(pid, &status, 0) != pid || status;
	}
	return failed;
}
