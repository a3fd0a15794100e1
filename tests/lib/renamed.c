// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread called "chosen" starts a sleep that nothing interrupts, as a parent of a vfork()ed child; is called "other"
 * when that sleep ends; and is "chosen" again when a longer, ordinary sleep ends.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_US		2000
#define LONG_US		2000000

/* Pipes that end the child, and with it the first sleep; and the second sleep. */
static int first[2], second[2];
static volatile long sleeper_id;

static void *sleeper(void *arg)
{
	pid_t pid;
	char c;

	(void)arg;
	prctl(PR_SET_NAME, "chosen");
	sleeper_id = syscall(SYS_gettid);
	pid = vfork();
	if (!pid) {
		/* Renamed so that no switch between the two is kept. */
		prctl(PR_SET_NAME, "child");
		_exit(read(first[0], &c, 1) != 1);
	}
	return (void *)(long)(pid < 0 || read(second[0], &c, 1) != 1 || waitpid(pid, NULL, 0) != pid);
}

/* Waits until the thread sleeps in a state: a letter as in /proc/PID/stat. */
static void await(char state)
{
	char path[64], line[512], *after = NULL;
	FILE *f;

	do {
		usleep(LOOK_US);
		line[0] = '\0';
		snprintf(path, sizeof(path), "/proc/self/task/%ld/stat", sleeper_id);
		f = fopen(path, "r");
		if (!f)
			continue;
		if (!fgets(line, sizeof(line), f))
			line[0] = '\0';
		fclose(f);
		after = strrchr(line, ')');
	} while (!f || !after || after[2] != state);
}

int main(void)
{
	pthread_t thread;
	void *failed;

	if (pipe(first) || pipe(second) || pthread_create(&thread, NULL, sleeper, NULL))
		return 1;
	await('D');
	pthread_setname_np(thread, "other");
	if (write(first[1], "", 1) != 1)
		return 1;
	await('S');
	usleep(LONG_US);
	pthread_setname_np(thread, "chosen");
	if (write(second[1], "", 1) != 1)
		return 1;
	pthread_join(thread, &failed);
	return failed != NULL;
}
