// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread called "chosen" begins a short sleep that nothing interrupts, as a parent of a
 * vfork()ed child; is called "other" when that ends; and is "chosen" again when a longer
 * one ends that is an ordinary one.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHORT_US	200000
#define LONG_US		2000000

static void *sleeper(void *arg)
{
	pid_t pid;

	(void)arg;
	prctl(PR_SET_NAME, "chosen");
	pid = vfork();
	if (!pid) {
		/* So that no switch between the two is kept. */
		prctl(PR_SET_NAME, "child");
		usleep(SHORT_US);
		_exit(0);
	}
	usleep(LONG_US);
	return (void *)(long)(pid < 0 || waitpid(pid, NULL, 0) != pid);
}

int main(void)
{
	pthread_t thread;
	void *failed;

	if (pthread_create(&thread, NULL, sleeper, NULL))
		return 1;
	usleep(SHORT_US / 2);
	pthread_setname_np(thread, "other");
	usleep(SHORT_US / 2 + LONG_US / 2);
	pthread_setname_np(thread, "chosen");
	pthread_join(thread, &failed);
	return failed != NULL;
}
