/* SPDX-License-Identifier: GPL-2.0-only */
/* The COMMAND that a recording is made of. */
#ifndef FXT_RECORD_WORKLOAD_H
#define FXT_RECORD_WORKLOAD_H

#include <sys/types.h>

#include "util/error.h"

struct fxt_workload {
	pid_t pid;
	int go;			/* a pipe: it waits for a byte before it runs the command; -1: it has begun */
	int failure;		/* a pipe: the errno of a command that can't be run */
};

/* Forks it, held back.  0 or -errno with the error set, as below. */
int fxt_workload_prepare(struct fxt_workload *workload, char **command, struct fxt_error *error);

/* Has it run the command, or says why that can't be run. */
int fxt_workload_begin(struct fxt_workload *workload, char **command, struct fxt_error *error);

/* 1 once it has ended, with its status as a shell gives it; 0 while it runs. */
int fxt_workload_ended(struct fxt_workload *workload, int *status);

/* Asks it to end, if it still runs, and leaves it alone. */
void fxt_workload_kill(struct fxt_workload *workload);

#endif
