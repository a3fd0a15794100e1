// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that marks, by commands on standard input, one per line:
 *	state			"ON OWNER", of its memory
 *	threads N K		N threads, each K rounds of every kind; answers their ids
 *	fork			a child that marks once; answers its id
 *	hot N K			N threads, K instants each as fast as they go
 *	mark NAME		one instant
 *	open NAME, close NAME	a duration's edges
 *	exec			itself again; no answer
 *	stall			leaves a reservation, as a writer would that is killed there
 */
#define FXTREC_CATEGORY "test"
#include <fxtrec/mark.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

/* Defined in the shared object that is linked with the program. */
void object_mark(void);

/* Shows objdump the code of a call while nobody records. */
void disabled(void);
void disabled(void)
{
	fxtrec_instant("disabled");
}

static int rounds;
static pid_t tids[64];

static void *every_kind(void *arg)
{
	long n = (long)arg;
	char name[32];
	int i;

	tids[n] = (pid_t)syscall(SYS_gettid);
	for (i = 0; i < rounds; i++) {
		uint64_t since = fxtrec_now();

		snprintf(name, sizeof(name), "round %d", i);
		fxtrec_begin(name);
		fxtrec_instant(name);
		fxtrec_counter("number", -(int64_t)i * 1000000007);
		{
			FXTREC_SCOPE("scope");
		}
		fxtrec_end(name);
		fxtrec_duration("all of it", since);
		if (i % 50 == 49)
			usleep(20000);
	}
	return NULL;
}

static void *hot(void *arg)
{
	long i;

	for (i = 0; i < rounds; i++)
		fxtrec_instant("hot");
	return arg;
}

static void threads(int count, void *(*body)(void *))
{
	pthread_t of[64];
	long i;

	for (i = 0; i < count; i++)
		pthread_create(&of[i], NULL, body, (void *)i);
	for (i = 0; i < count; i++)
		pthread_join(of[i], NULL);
}

/* Checks that the child keeps errno, and leaves a descriptor alone that replaced the memory's. */
static int forked(void)
{
	int number = fxtrec_mark_state_2.fd, status;
	pid_t child;

	dup2(STDOUT_FILENO, number);
	errno = EXDEV;
	child = fork();
	if (!child) {
		if (errno != EXDEV || fcntl(number, F_GETFD) < 0)
			_exit(1);
		fxtrec_instant("child");
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status ? -1 : child;
}

static void command(const char *line)
{
	int n = 0;

	if (sscanf(line, "threads %d %d", &n, &rounds) == 2) {
		threads(n, every_kind);
		while (n--)
			printf("%d ", tids[n]);
	} else if (sscanf(line, "hot %d %d", &n, &rounds) == 2) {
		threads(n, hot);
	} else if (!strncmp(line, "mark ", 5)) {
		fxtrec_instant(line + 5);
	} else if (!strncmp(line, "open ", 5)) {
		fxtrec_begin(line + 5);
	} else if (!strncmp(line, "close ", 6)) {
		fxtrec_end(line + 6);
	} else if (!strcmp(line, "object")) {
		object_mark();
	} else if (!strcmp(line, "stall")) {
		fxtrec_mark_reserve(8);
	} else if (!strcmp(line, "exec")) {
		execl("/proc/self/exe", "marker", NULL);
	} else if (!strcmp(line, "fork")) {
		printf("%d", forked());
	} else {
		printf("%u %u", fxtrec_mark_area_2.on, fxtrec_mark_area_2.owner);
	}
}

int main(void)
{
	char line[4096];

	if (errno)
		return 1;
	fxtrec_instant("first");
	/* Input after exec is for the next program. */
	setvbuf(stdin, NULL, _IONBF, 0);
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		command(line);
		printf("\n");
		fflush(stdout);
	}
	return 0;
}
