/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs the COMMAND of a recording. */
#ifndef FXT_RECORD_WORKLOAD_H
#define FXT_RECORD_WORKLOAD_H

#include <stdbool.h>
#include <sys/types.h>

#include "util/error.h"

/* The environment variable of sd_notify(3), which COMMAND does not inherit. */
#define FXT_NOTIFY_SOCKET	"NOTIFY_SOCKET"

struct fxt_workload {
	pid_t pid;
	int go;			/* a pipe: the child waits for a byte from it before it runs the command; -1: it runs */
	int failure;		/* a pipe: the errno of a command that can't be run; -1: it runs */
};

/* Checks whether the program of COMMAND exists.  0 or -errno with the error set, as below. */
int fxt_workload_check(char **command, struct fxt_error *error);

/*
 * Forks the child, which waits.  to_stderr: the child's standard output is standard error, as the trace goes to
 * standard output.
 */
int fxt_workload_prepare(struct fxt_workload *workload, char **command, bool to_stderr, struct fxt_error *error);

/* Has the child run the command. */
int fxt_workload_begin(struct fxt_workload *workload, char **command, struct fxt_error *error);

/*
 * Returns -errno with the error set once it is known that the command could not be run: its program may be on a slow
 * disk.  Never waits.
 */
int fxt_workload_poll(struct fxt_workload *workload, char **command, struct fxt_error *error);

/* Returns 1 once the child has ended, with its status as a shell has it; 0 while it runs. */
int fxt_workload_ended(struct fxt_workload *workload, int *status);

/* Sends SIGTERM to the child, if it still runs, and does not wait. */
void fxt_workload_kill(struct fxt_workload *workload);

#endif
