// SPDX-License-Identifier: GPL-2.0-only
/* Runs the COMMAND of a recording. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/workload.h"
#include "util/program.h"

/* Runs in the child: waits for a byte, which never comes if the recording can't start. */
static void run(int go, int failure, char **command, bool to_stderr)
{
	sigset_t none;
	char c;
	int err;

	if (read(go, &c, 1) != 1)
		_exit(1);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	unsetenv(FXT_NOTIFY_SOCKET);
	if (to_stderr)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	execvp(command[0], command);
	err = errno;
	if (write(failure, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

static int command_error(char **command, int err, struct fxt_error *error)
{
	return fxt_error_set(error, err, "%s: %s", command[0], strerror(err));
}

int fxt_workload_check(char **command, struct fxt_error *error)
{
	const char *name = command[0], *folders = getenv("PATH");

	/* Without PATH, execvp(3) uses its own search path. */
	if (!folders)
		return 0;
	if (strchr(name, '/'))
		return fxt_program_is(name) ? 0 : command_error(command, access(name, F_OK) ? ENOENT : EACCES, error);
	if (fxt_program_found(name, folders))
		return 0;
	/* The word may be meant as an option's value, which needs a "=", or as the file of -o. */
	return fxt_error_set(error, ENOENT, "%s: %s: it was taken for the COMMAND to run", name, strerror(ENOENT));
}

int fxt_workload_prepare(struct fxt_workload *w, char **command, bool to_stderr, struct fxt_error *error)
{
	int go[2], failure[2], err;

	w->pid = 0;
	w->failure = -1;
	if (pipe2(go, O_CLOEXEC))
		return command_error(command, errno, error);
	if (pipe2(failure, O_CLOEXEC | O_NONBLOCK)) {
		err = errno;
		goto close_go;
	}
	w->pid = fork();
	if (w->pid < 0) {
		err = errno;
		w->pid = 0;
		goto close_failure;
	}
	if (!w->pid) {
		close(go[1]);
		run(go[0], failure[1], command, to_stderr);
	}
	close(go[0]);
	close(failure[1]);
	w->go = go[1];
	w->failure = failure[0];
	return 0;

close_failure:
	close(failure[0]);
	close(failure[1]);
close_go:
	close(go[0]);
	close(go[1]);
	return command_error(command, err, error);
}

int fxt_workload_begin(struct fxt_workload *w, char **command, struct fxt_error *error)
{
	int err = 0;

	if (write(w->go, "", 1) != 1)
		err = errno;
	close(w->go);
	w->go = -1;
	return err ? command_error(command, err, error) : 0;
}

int fxt_workload_poll(struct fxt_workload *w, char **command, struct fxt_error *error)
{
	ssize_t bytes;
	int err;

	if (w->failure < 0)
		return 0;
	bytes = read(w->failure, &err, sizeof(err));
	if (bytes < 0 && errno == EAGAIN)
		return 0;
	/* The pipe's end closes with exec. */
	close(w->failure);
	w->failure = -1;
	return bytes == sizeof(err) ? command_error(command, err, error) : 0;
}

/*
 * Leaves the child unreaped until the recorder ends.  To reap a child, the kernel drops its entries of /proc, and spins
 * while one of the child's threads drops the same entries.  Such a thread that the real-time recorder has preempted
 * would never continue.
 */
int fxt_workload_ended(struct fxt_workload *w, int *status)
{
	siginfo_t info = {};

	if (!w->pid || waitid(P_PID, w->pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid != w->pid)
		return 0;
	w->pid = 0;
	*status = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
	return 1;
}

void fxt_workload_kill(struct fxt_workload *w)
{
	if (!w->pid)
		return;
	if (w->go >= 0)
		close(w->go);
	kill(w->pid, SIGTERM);
	/* A stopped child would not end without SIGCONT. */
	kill(w->pid, SIGCONT);
	w->pid = 0;
}
