/* SPDX-License-Identifier: GPL-2.0-only */
/* The COMMAND that a recording is made of. */
#ifndef FXT_RECORD_WORKLOAD_H
#define FXT_RECORD_WORKLOAD_H

#include <sys/types.h>

#include "util/error.h"

struct fxt_workload {
	pid_t pid;
	int go;			/* what it waits for before it runs the command */
	int failure;		/* what it says of a command that can't be run */
};

/* Forks it, held back; -errno. */
int fxt_workload_prepare(struct fxt_workload *workload, char **command);

/* Lets it go; -errno of a command that can't be run. */
int fxt_workload_start(struct fxt_workload *workload);

/* The same; the error, set, names it. */
int fxt_workload_begin(struct fxt_workload *workload, char **command, struct fxt_error *error);

/* 1 once it has ended, with its status as a shell gives it; 0 while it runs. */
int fxt_workload_ended(struct fxt_workload *workload, int *status);

/* Asks it to end, if it still runs, and leaves it alone. */
void fxt_workload_kill(struct fxt_workload *workload);

#endif
