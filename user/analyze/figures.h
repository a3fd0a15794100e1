/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What threads of each name did, and how long durations of each name took, by time blocks: an
 * observer of the state machine, for comparisons.
 */
#ifndef FXT_ANALYZE_FIGURES_H
#define FXT_ANALYZE_FIGURES_H

#include "analyze/machine/machine.h"
#include "analyze/selection.h"
#include "analyze/statistics/shift.h"

/* A burst: all that a thread runs from a wakeup to its next sleep. */
enum fxt_duration {
	FXT_DURATION_BURST,
	FXT_DURATION_WAKEUP,	/* from wakeup to run */
	FXT_DURATION_PREEMPTED,	/* from preemption to run */
	FXT_DURATION_SLEEP,
	FXT_DURATION_BLOCKED,
	FXT_DURATION_MARK,	/* of a name of durations */
	FXT_DURATIONS,
};

enum fxt_amount {
	FXT_AMOUNT_RUN,		/* ns on a CPU */
	FXT_AMOUNT_SWITCHES,	/* times that they left a CPU */
	FXT_AMOUNTS,
};

/* The threads of one name, or the durations. */
struct fxt_named {
	char name[FXT_TASK_NAME_BYTES];
	bool mark;		/* durations */
	__u64 run;		/* ns of them all */
	__u64 known;		/* ns in which it is known what they did */
	struct fxt_durations durations[FXT_DURATIONS];
	struct fxt_amounts amounts[FXT_AMOUNTS];
	struct fxt_named *next;	/* in the order of appearance */
};

struct fxt_figures {
	struct fxt_machine *m;
	const struct fxt_selection *selection;
	unsigned int slot;		/* of data[] */
	struct fxt_spill *spill;	/* of what follows, which outlives the machine */
	struct fxt_arena memory;
	struct fxt_map names;		/* by their hash */
	struct fxt_map open;		/* by thread id: durations that haven't ended */
	struct fxt_named *first, **last;
	__u64 ns;			/* of the window */
	bool chosen_threads;		/* others' names tell nothing of them */
};

/* spill: not the machine's. */
void fxt_figures_init(struct fxt_figures *figures, struct fxt_machine *m, struct fxt_spill *spill,
		      const struct fxt_selection *selection);

/* After the machine's end; 0 or -ENOMEM. */
int fxt_figures_settle(struct fxt_figures *figures);
void fxt_figures_uninit(struct fxt_figures *figures);

/* What the other recording has of the same name, or NULL. */
struct fxt_named *fxt_figures_get(const struct fxt_figures *figures, const struct fxt_named *named);

/* Whether the recording left the threads of a name out, or has none of that name, which then tells nothing. */
static inline bool fxt_figures_left_out(const struct fxt_figures *figures, const struct fxt_named *named)
{
	return figures->chosen_threads && !named->known;
}

/* The name, a new one if need be; NULL: -ENOMEM. */
struct fxt_named *fxt_figures_named(struct fxt_figures *figures, const char *name, bool mark);

/* Adds a duration of a name that ended at a time in the window.  0 or -ENOMEM. */
int fxt_figures_add(struct fxt_figures *figures, struct fxt_named *named, enum fxt_duration duration,
		    __u64 at, __u64 ns);

/* An event of another kind than scheduling: durations of names begin and end.  0 or -ENOMEM. */
int fxt_figures_event(struct fxt_figures *figures, const struct fxt_record *r);

#endif
