// SPDX-License-Identifier: GPL-2.0-only
/* Shows long output of a command on a terminal page by page, by a program as git and perf use it. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "show/pager.h"
#include "util/program.h"

static pid_t pager;

/* Returns the command line of the pager, or NULL where output goes to the terminal itself. */
static const char *command(void)
{
	const char *chosen = getenv("FXTREC_PAGER");

	if (!chosen)
		chosen = getenv("PAGER");
	if (!chosen)
		return fxt_program_found("less", getenv("PATH")) ? "less" : NULL;
	return *chosen && strcmp(chosen, "cat") ? chosen : NULL;
}

/* Runs the pager on the read end of a pipe.  A pager of root for another user starts no other programs. */
static void run(const char *line, int input)
{
	/* Has the pager end at once if all fits, show colours, and leave the text on the terminal. */
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	if (getenv("SUDO_UID"))
		setenv("LESSSECURE", "1", 0);
	dup2(input, STDIN_FILENO);
	execl("/bin/sh", "sh", "-c", line, (char *)NULL);
	_exit(127);
}

bool fxt_pager_start(void)
{
	const char *line = command();
	int ends[2];

	if (pager || !line || pipe2(ends, O_CLOEXEC))
		return pager;
	fflush(stdout);
	pager = fork();
	if (!pager)
		run(line, ends[0]);
	if (pager > 0) {
		dup2(ends[1], STDOUT_FILENO);
		if (isatty(STDERR_FILENO))
			dup2(ends[1], STDERR_FILENO);
		/* Ctrl-C is for the pager, which runs until its user leaves it. */
		signal(SIGINT, SIG_IGN);
		signal(SIGPIPE, SIG_IGN);
	} else {
		pager = 0;
	}
	close(ends[0]);
	close(ends[1]);
	return pager;
}

void fxt_pager_finish(void)
{
	if (!pager)
		return;
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	while (waitpid(pager, NULL, 0) < 0)
		;
	pager = 0;
}
