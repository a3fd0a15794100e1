// SPDX-License-Identifier: GPL-2.0-only
/*
 * Forks and runs short-lived processes, called like itself: forks COUNT [NAME]; every third one has a thread instead
 * that renames itself to "NAME-number", or "short-number".
 */
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

static void child(const char *self, const char *prefix, int number)
{
	char name[32];
	pthread_t id;

	if (number % 3) {
		execl(self, self, (char *)NULL);
		_exit(1);
	}
	snprintf(name, sizeof(name), "%s-%d", prefix, number);
	if (!pthread_create(&id, NULL, thread, name))
		pthread_join(id, NULL);
	_exit(0);
}

int main(int argc, char **argv)
{
	int i, status, failed = 0;

	if (argc < 2)
		return 0;	/* run by the children */
	if (argc > 2)
		prctl(PR_SET_NAME, argv[2]);
	for (i = 0; i < atoi(argv[1]); i++) {
		pid_t pid = fork();

		if (!pid)
			child("/proc/self/exe", argc > 2 ? argv[2] : "short", i);
		failed |= pid < 0 || waitpid(pid, &status, 0) != pid || status;
	}
	return failed;
}
