/* SPDX-License-Identifier: GPL-2.0-only */
/* Waits beyond a bound, each with its story in a line. */
#ifndef FXT_ANALYZE_WAITS_H
#define FXT_ANALYZE_WAITS_H

#include "analyze/blame/blame.h"

#define FXT_WAITS_WORST		10u	/* so many of the longest are shown */

struct fxt_wait {
	struct fxt_task *task;
	__u32 cpu;		/* in the queue of which it was at last */
	enum fxt_phase phase;
	bool earlier;		/* it is longer: it isn't known since when, and after what */
	__u64 from, to;
	const char *story;
	struct fxt_blame_part *parts;	/* up to fxt_waits_settle(); the story has no culprits before */
	struct fxt_culprits culprits;	/* of the wait, beside its parts */
	struct fxt_wait *next;
};

/* Returns the event that began a wait, in a word; NULL: it isn't known. */
static inline const char *fxt_wait_after(const struct fxt_wait *wait)
{
	return wait->earlier ? NULL : wait->phase == FXT_PHASE_WAIT_WAKEUP ? "wakeup" : "preemption";
}

struct fxt_waits {
	struct fxt_machine *m;
	const struct fxt_suspects *suspects;
	struct fxt_blame *blame;
	__u64 over;		/* ns */
	__u64 count;
	struct fxt_wait *first, **last;	/* in the order in which they ended */
	struct fxt_wait *worst;	/* an array of those, the longest first; NULL: all are in the list */
	unsigned int worst_max;
	bool unsettled;		/* a wait has parts */
};

/* Takes the waits of blame of selected threads that are longer than over. */
void fxt_waits_init(struct fxt_waits *waits, struct fxt_blame *blame, const struct fxt_selection *selection,
		    __u64 over);

/* Takes the longest ones, into an array of so many. */
void fxt_waits_worst(struct fxt_waits *waits, struct fxt_blame *blame, const struct fxt_selection *selection,
		     struct fxt_wait *worst, unsigned int max);

/* After the machine's end, before waits are read: their stories.  0 or -ENOMEM. */
int fxt_waits_settle(struct fxt_waits *waits);

#endif
