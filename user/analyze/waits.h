/* SPDX-License-Identifier: GPL-2.0-only */
/* Waits beyond a bound, each with its story in a line. */
#ifndef FXT_ANALYZE_WAITS_H
#define FXT_ANALYZE_WAITS_H

#include "analyze/blame.h"

struct fxt_wait {
	struct fxt_task *task;
	__u32 cpu;		/* whose queue it was in at last */
	enum fxt_phase phase;
	__u64 from, to;
	const char *story;
	struct fxt_wait *next;
};

struct fxt_waits {
	struct fxt_machine *m;
	__u64 over;		/* ns */
	__u64 count;
	struct fxt_wait *first, **last;	/* in the order in which they ended */
};

/* Takes the waits of blame that are longer. */
void fxt_waits_init(struct fxt_waits *waits, struct fxt_blame *blame, __u64 over);

#endif
