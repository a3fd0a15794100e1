/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Details of threads' times that only some recordings have, or only some threads: moves back and forth, time that the
 * scheduler didn't count, timers that expired late, and functions of workqueues.  An observer of the machine.
 */
#ifndef FXT_ANALYZE_EXPLAIN_DETAILS_H
#define FXT_ANALYZE_EXPLAIN_DETAILS_H

#include "analyze/machine/machine.h"

enum fxt_detail_kind {
	FXT_DETAIL_MOVES,	/* the thread went back and forth between CPUs, without a sleep but for the moves */
	FXT_DETAIL_UNCOUNTED,	/* sched_stat_runtime has less time than the thread ran */
	FXT_DETAIL_TIMER,	/* timer was due, and the thread wasn't woken yet: by hrtimer_start */
	FXT_DETAIL_RETRY,	/* timers ended sleeps for a reason, up to the next sleep for it, which a thread ended */
	FXT_DETAIL_WORK,	/* kworker ran a function: workqueue_execute_start with the function's name */
	FXT_DETAILS,
};

/* A time of a thread. */
struct fxt_detail {
	__u64 from, to;
	union {
		__u64 ns;		/* part of the time, evenly spread */
		const char *text;	/* WORK: function */
		const struct fxt_task *task;	/* RETRY: thread that ended the last sleep */
	};
};

/* ns: an unknown time that is shorter has no wait that counts. */
#define FXT_UNKNOWN_NS	100000u

/*
 * Returns whether a phase is unknown for so short a time that the thread counts as going on.  The sleep before it is empty,
 * as no event ended it.
 */
static inline bool fxt_interval_moment(const struct fxt_interval *i)
{
	return !i->lost && (i->phase == FXT_PHASE_UNKNOWN ? i->end - i->begin <= FXT_UNKNOWN_NS :
			    fxt_phase_sleeps(i->phase) && !i->ended && i->end == i->begin);
}

struct fxt_details {
	struct fxt_machine *m;
	unsigned int slot;		/* index in data[] */
};

void fxt_details_init(struct fxt_details *details, struct fxt_machine *m);

/* Returns ns when the timer was due that ended a thread's sleep, within it; 0: not known, or another end. */
__u64 fxt_details_due(const struct fxt_details *details, const struct fxt_interval *sleep);

/* Return the details of a thread in [from, to): their ns, the text with the longest time, and a thread. */
__u64 fxt_details_ns(const struct fxt_details *d, const struct fxt_task *task, enum fxt_detail_kind kind, __u64 from, __u64 to);
const char *fxt_details_work(const struct fxt_details *d, const struct fxt_task *task, __u64 from, __u64 to);
const struct fxt_task *fxt_details_retry(const struct fxt_details *d, const struct fxt_task *task, __u64 from, __u64 to);

#endif
