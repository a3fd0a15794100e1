/* SPDX-License-Identifier: GPL-2.0-only */
/* Waits above a bound, each with its story in a line. */
#ifndef FXT_ANALYZE_WAITS_H
#define FXT_ANALYZE_WAITS_H

#include "analyze/blame/blame.h"

#define FXT_WAITS_WORST		10u	/* number of longest waits that are shown */

struct fxt_wait {
	struct fxt_task *task;
	__u32 cpu;		/* CPU that the thread last waited for */
	enum fxt_phase phase;
	bool earlier;		/* wait is longer: its start and its cause aren't known */
	__u64 from, to;
	const char *story;
	struct fxt_blame_part *parts;	/* parts, up to fxt_waits_settle(); until then, the story has no culprits */
	struct fxt_culprits culprits;	/* culprits of the wait, without those of the parts */
	struct fxt_wait *next;
};

/* Returns the event before a wait in a word; NULL: not known. */
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
	struct fxt_wait *first, **last;	/* list in the order of the waits' ends */
	struct fxt_wait *worst;	/* array of the longest waits, in descending order; NULL: all waits are in the list */
	unsigned int worst_max;
	bool unsettled;		/* a wait has parts */
};

/* Collects the waits of selected threads from blame that are longer than over. */
void fxt_waits_init(struct fxt_waits *waits, struct fxt_blame *blame, const struct fxt_selection *selection,
		    __u64 over);

/* Collects the longest waits into an array of max waits. */
void fxt_waits_worst(struct fxt_waits *waits, struct fxt_blame *blame, const struct fxt_selection *selection,
		     struct fxt_wait *worst, unsigned int max);

/* Completes the stories of waits, after the machine's end, before the waits are read.  Returns 0 or -ENOMEM. */
int fxt_waits_settle(struct fxt_waits *waits);

#endif
