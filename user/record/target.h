/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a recording goes whose file is to be of another format: a spool of FXT first. */
#ifndef FXT_TARGET_H
#define FXT_TARGET_H

#include <sys/types.h>

#include "error.h"

struct fxt_target {
	const char *path;	/* what the user asked for */
	char *spool;		/* what is recorded to; NULL: path itself */
};

/* By path's suffix; 0 or -errno. */
int fxt_target_open(struct fxt_target *target, const char *path);

/* What to record to. */
const char *fxt_target_path(const struct fxt_target *target);

/*
 * Converts the spool and removes it, where there is one and the recording is
 * whole; a spool that can't be converted is kept, and the error says where.
 */
int fxt_target_finish(struct fxt_target *target, struct fxt_error *error);

/* Processes that finish targets. */
struct fxt_finishers {
	pid_t *pids;
	size_t count;
};

/* The same in a process of its own, which says itself what fails.  0 or -errno. */
int fxt_target_finish_aside(struct fxt_target *target, struct fxt_finishers *finishers);

/* Waits for all of these; whether any failed. */
int fxt_finishers_wait(struct fxt_finishers *finishers);

#endif
