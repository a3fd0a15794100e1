/* SPDX-License-Identifier: GPL-2.0-only */
/* The COMMAND that a recording is made of. */
#ifndef FXT_RECORD_WORKLOAD_H
#define FXT_RECORD_WORKLOAD_H

#include <stdbool.h>
#include <sys/types.h>

#include "util/error.h"

/* The environment variable of sd_notify(3), which COMMAND does not inherit. */
#define FXT_NOTIFY_SOCKET	"NOTIFY_SOCKET"

struct fxt_workload {
	pid_t pid;
	int go;			/* a pipe: it waits for a byte before it runs the command; -1: it runs */
	int failure;		/* a pipe: the errno of a command that can't be run; -1: it runs */
};

/* Whether there is such a program.  0 or -errno with the error set, as below. */
int fxt_workload_check(char **command, struct fxt_error *error);

/* Forks it, held back.  to_stderr: what it prints goes there, as the trace goes to standard output. */
int fxt_workload_prepare(struct fxt_workload *workload, char **command, bool to_stderr, struct fxt_error *error);

/* Has it run the command. */
int fxt_workload_begin(struct fxt_workload *workload, char **command, struct fxt_error *error);

/* Why the command could not be run, once that is known: its program may be on a disk that is slow.  Never waits. */
int fxt_workload_poll(struct fxt_workload *workload, char **command, struct fxt_error *error);

/* 1 once it has ended, with its status as a shell has it; 0 while it runs. */
int fxt_workload_ended(struct fxt_workload *workload, int *status);

/* Sends it SIGTERM, if it still runs, and does not wait. */
void fxt_workload_kill(struct fxt_workload *workload);

#endif
