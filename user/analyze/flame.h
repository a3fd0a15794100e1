/* SPDX-License-Identifier: GPL-2.0-only */
/* Time that threads slept and were blocked, by thread and stack: an observer of the state machine. */
#ifndef FXT_ANALYZE_FLAME_H
#define FXT_ANALYZE_FLAME_H

#include "analyze/machine/machine.h"
#include "analyze/selection.h"

/* A stack that a thread slept in. */
struct fxt_flame_place {
	struct fxt_task *task;
	const char *stack;	/* innermost first: "schedule < futex_wait"; or the function alone */
	bool blocked;		/* uninterruptibly */
	__u64 ns;
	struct fxt_flame_place *next;
};

struct fxt_flame {
	struct fxt_machine *m;
	const struct fxt_selection *selection;
	unsigned int slot;
	struct fxt_map places;		/* by hashes of what they are */
	struct fxt_flame_place *first;
	__u64 unknown;			/* ns asleep without a stack */
};

void fxt_flame_init(struct fxt_flame *flame, struct fxt_machine *m, const struct fxt_selection *selection);
void fxt_flame_uninit(struct fxt_flame *flame);

/* Whether it is where a pool's thread waits for work: nine tenths or more of its life, interruptibly. */
bool fxt_flame_idle(const struct fxt_flame *flame, const struct fxt_flame_place *place);

#endif
