/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums the time of sleeps and blocked times, by thread and stack: an observer of the state machine. */
#ifndef FXT_ANALYZE_FLAME_H
#define FXT_ANALYZE_FLAME_H

#include "analyze/machine/machine.h"
#include "analyze/selection.h"

/* A stack that a thread slept in. */
struct fxt_flame_place {
	struct fxt_task *task;
	const char *stack;	/* innermost first, such as "schedule < futex_wait"; or only the function */
	bool blocked;		/* the sleep is uninterruptible */
	__u64 ns;
	struct fxt_flame_place *next;
};

struct fxt_flame {
	struct fxt_machine *m;
	const struct fxt_selection *selection;
	unsigned int slot;
	struct fxt_map places;		/* places by hash of task, stack and blocked */
	struct fxt_flame_place *first;
	__u64 unknown;			/* ns of sleeps without a stack */
};

void fxt_flame_init(struct fxt_flame *flame, struct fxt_machine *m, const struct fxt_selection *selection);
void fxt_flame_uninit(struct fxt_flame *flame);

/*
 * Returns whether a stack is where a pool's thread waits for work: interruptibly for at least nine tenths of its life.
 */
bool fxt_flame_idle(const struct fxt_flame *flame, const struct fxt_flame_place *place);

#endif
