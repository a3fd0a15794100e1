/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Units of work of threads: each from the end of a wait for work, or the time when its timer was due, to the start of the
 * next wait.  An observer of the machine, after a path's, that keeps each thread's times between two sleeps.
 */
#ifndef FXT_ANALYZE_EXPLAIN_UNITS_H
#define FXT_ANALYZE_EXPLAIN_UNITS_H

#include "analyze/explain/details.h"
#include "analyze/explain/works.h"

/* The time of a thread between two sleeps. */
struct fxt_cycle {
	__u64 from, to;
	struct fxt_cycle *before;	/* preceding cycle; NULL: none */
	__u64 step;			/* last step of the thread's path in it */
	struct fxt_works_sleep sleep;	/* sleep that ended it */
	bool apart;			/* the preceding cycle is not the one before it: it is the first, or after a loss */
};

struct fxt_units_thread {
	struct fxt_task *task;
	__u64 since;			/* ns, start of the present cycle; ~0: none */
	__u64 slept;			/* ns, start of the present sleep */
	__u64 step;			/* last step before that */
	__u64 wait;			/* ns in the window that it waited for anything but idle sleeps */
	struct fxt_cycle *last;		/* NULL: none */
	bool joins;			/* the present cycle follows one that was put */
	const struct fxt_task *asker;	/* thread of another program that started the request, unanswered; NULL: none */
	struct fxt_works works;
	struct fxt_units_thread *next;	/* list of all threads */
};

struct fxt_units {
	struct fxt_machine *m;
	const struct fxt_path *path;
	const struct fxt_details *details;
	unsigned int slot;		/* index in data[] */
	struct fxt_arena memory;	/* memory of the cycles */
	struct fxt_units_thread *first;
};

/* Initializes; the path and the details observe the machine already. */
void fxt_units_init(struct fxt_units *units, struct fxt_machine *m, const struct fxt_path *path,
		    const struct fxt_details *details);
void fxt_units_uninit(struct fxt_units *units);

/* A unit, as a window of a path.  opener: thread that started it by a wakeup; NULL: none, or not known. */
typedef int fxt_unit_put(void *state, const struct fxt_path_window *window, const struct fxt_task *opener);

/*
 * Puts the complete units of a thread after the machine's end, the last one first; none where the thread has no waits
 * for work.  Returns 0 or -errno.
 */
int fxt_units_each(const struct fxt_units_thread *thread, fxt_unit_put *put, void *state);

/* Returns ns in the window that a thread waited for anything but work. */
__u64 fxt_units_wait(const struct fxt_units_thread *thread);

/* Returns a thread's name without its number, "worker-*", which stays valid: threads that do the same.  NULL: -ENOMEM. */
const char *fxt_units_family(struct fxt_tasks *tasks, const struct fxt_task *task);

/* Returns whether a thread is the kernel's: by the reasons of its sleeps, or by its name. */
bool fxt_units_kernel(const struct fxt_task *task);

/* Returns whether a thread is one of fxtrec's. */
bool fxt_units_tracer(const struct fxt_task *task);

#endif
