/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Collects figures of the threads of each name, and of durations of each name, by time
 * blocks: an observer of the state machine, for comparisons.
 */
#ifndef FXT_ANALYZE_FIGURES_H
#define FXT_ANALYZE_FIGURES_H

#include "analyze/machine/machine.h"
#include "analyze/selection.h"
#include "analyze/statistics/shift.h"

/* Kinds of durations.  A burst is all running time from a wakeup to the next sleep. */
enum fxt_duration {
	FXT_DURATION_BURST,
	FXT_DURATION_WAKEUP,	/* from wakeup to run */
	FXT_DURATION_PREEMPTED,	/* from preemption to run */
	FXT_DURATION_SLEEP,
	FXT_DURATION_BLOCKED,
	FXT_DURATION_MARK,	/* duration with a name */
	FXT_DURATIONS,
};

enum fxt_amount {
	FXT_AMOUNT_RUN,		/* ns on a CPU */
	FXT_AMOUNT_SWITCHES,	/* number of times that the threads left a CPU */
	FXT_AMOUNT_OFF,		/* ns asleep or stopped, by class: FXT_AMOUNT_OFF + enum fxt_wait_class */
	FXT_AMOUNTS = FXT_AMOUNT_OFF + FXT_WAITS,
};

/* The threads, or the durations, of one name. */
struct fxt_named {
	char name[FXT_TASK_NAME_BYTES];
	bool mark;		/* name of durations */
	__u64 run;		/* ns of all threads or durations */
	__u64 known;		/* ns of the threads in known phases */
	struct fxt_durations durations[FXT_DURATIONS];
	struct fxt_amounts amounts[FXT_AMOUNTS];
	struct fxt_named *next;	/* next name in the order of appearance */
};

struct fxt_figures {
	struct fxt_machine *m;
	const struct fxt_selection *selection;
	unsigned int slot;		/* index in data[] */
	struct fxt_spill *spill;	/* memory of the members below, which outlives the machine */
	struct fxt_arena memory;
	struct fxt_map names;		/* names by hash */
	struct fxt_map open;		/* open durations by thread id */
	struct fxt_named *first, **last;
	__u64 ns;			/* ns of the window */
	bool reasons;			/* recording has reasons of sleeps */
	bool chosen_threads;		/* only chosen threads were recorded: a missing name means nothing */
};

/* Initializes; the spill is not the machine's. */
void fxt_figures_init(struct fxt_figures *figures, struct fxt_machine *m, struct fxt_spill *spill,
		      const struct fxt_selection *selection);

/* Completes the figures after the machine's end.  Returns 0 or -ENOMEM. */
int fxt_figures_settle(struct fxt_figures *figures);
void fxt_figures_uninit(struct fxt_figures *figures);

/* Returns the figures of the other recording's name, or NULL. */
struct fxt_named *fxt_figures_get(const struct fxt_figures *figures, const struct fxt_named *named);

/* Returns whether the recording left the threads of a name out, or may have done so. */
static inline bool fxt_figures_left_out(const struct fxt_figures *figures, const struct fxt_named *named)
{
	return figures->chosen_threads && !named->known;
}

/* Finds or adds a name; NULL: -ENOMEM. */
struct fxt_named *fxt_figures_named(struct fxt_figures *figures, const char *name, bool mark);

/* Adds a duration of a name that ended in the window.  Returns 0 or -ENOMEM. */
int fxt_figures_add(struct fxt_figures *figures, struct fxt_named *named, enum fxt_duration duration,
		    __u64 at, __u64 ns);

/* Adds the start or end of a named duration from an event other than scheduling.  Returns 0 or -ENOMEM. */
int fxt_figures_event(struct fxt_figures *figures, const struct fxt_record *r);

#endif
