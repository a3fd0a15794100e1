/* SPDX-License-Identifier: GPL-2.0-only */
/* Recordings that ended and are converted while others go on: one at a time, by a process of its own. */
#ifndef FXT_OUTPUT_FINISHERS_H
#define FXT_OUTPUT_FINISHERS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "output/target.h"
#include "util/series.h"

struct fxt_finishers {
	int nice;		/* of the process */
	struct fxt_target *targets;	/* the first is converted, the others wait */
	size_t count;
	pid_t pid;		/* 0: none runs */
	bool failed;		/* of any; the process has said why */
};

/* Takes a target over that has a temporary.  0 or -errno. */
int fxt_finishers_add(struct fxt_finishers *finishers, struct fxt_target *target);

/*
 * Sees whether one is done, and begins with the next; to be called now and then.
 * Of the series only those stay, and are converted, that it keeps.
 */
void fxt_finishers_look(struct fxt_finishers *finishers, struct fxt_series *series);

/* Until all are done. */
void fxt_finishers_wait(struct fxt_finishers *finishers, struct fxt_series *series);

#endif
