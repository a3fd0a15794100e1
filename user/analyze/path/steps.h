/* SPDX-License-Identifier: GPL-2.0-only */
/* The past for paths: the steps of threads, and the runs of CPUs. */
#ifndef FXT_ANALYZE_PATH_STEPS_H
#define FXT_ANALYZE_PATH_STEPS_H

#include "analyze/machine/open_slices.h"
#include "analyze/path/path.h"

/* Kind of a wait's step, in addition to enum fxt_interrupt: the thread was throttled, and in no CPU's queue. */
#define FXT_PATH_THROTTLED	FXT_INTERRUPTS

/*
 * A step of a thread: a trace has about three per event.  Steps and runs are named by their
 * offset in the past; 0: none.
 */
struct fxt_path_step {
	__u64 from, to;
	__u64 before;			/* preceding step of the task */
	enum fxt_phase phase;		/* DEAD: the thread didn't exist yet */
	enum fxt_waker_context context;	/* SLEEP and similar, UNKNOWN: context of the waker */
	unsigned int kind;		/* WAIT: enum fxt_interrupt of the CPU at the end, or FXT_PATH_THROTTLED */
	union {
		struct {		/* WAIT: in a CPU's queue */
			__u64 run;	/* last ended run of the CPU */
			const void *what;	/* task or name of the handler at the end, unless the run ends then */
			__u32 cpu;		/* number of the CPU */
		};
		struct {		/* SLEEP, UNKNOWN and similar: ended by a waker; DEAD: by the thread's
					 * creator, or the thread that called exec */
			const char *function;	/* kernel function that the thread slept in, or the reason, if known */
			struct fxt_task *waker;	/* NULL: not known */
			__u64 waker_step;	/* last step of the waker then */
			__u64 waker_since;	/* ns, start of the waker's or the interrupt's run */
			const char *handler;	/* name of the interrupt's handler */
			unsigned int wait;	/* class of the sleep, or FXT_PATH_PARKED; UNKNOWN: no reason is known */
		};
	};
};

struct fxt_path_run {
	__u64 from, to;
	__u64 before;			/* preceding run of the CPU */
	enum fxt_interrupt kind;
	const void *what;		/* task, or name of a handler; NULL: not known */
};

/* The state of a CPU. */
struct fxt_path_cpu {
	__u64 run;			/* last ended run; 0: none */
	__u64 known;			/* ns since the CPU's task is known */
};

/* The state of a task. */
struct fxt_path_trail {
	const struct fxt_task *task;
	__u64 last;			/* last step; 0: none */
	__u64 unheard;			/* ns of the first event, with no loss before */
	/* Part of a wait, in a queue that the thread has left. */
	__u64 since, left;		/* ns; since ~0: no such part */
	struct fxt_path_step part;
	__u64 throttled_to;		/* ns, end of the throttling in this wait; 0: none */
	struct fxt_sleep_reason reason;	/* reason of the last sleep that had one, in words */
	const char *why;
	struct fxt_open_slices open;	/* open durations of the thread */
	struct fxt_path_trail *next;	/* list of all trails */
};

/* Append a step or a run, or copy it from an offset (past.c).  Return 0 or -errno. */
int fxt_path_step_put(struct fxt_pack *past, const struct fxt_path_step *step);
int fxt_path_step_get(struct fxt_pack *past, __u64 place, struct fxt_path_step *step);
int fxt_path_run_put(struct fxt_pack *past, const struct fxt_path_run *run);
int fxt_path_run_get(struct fxt_pack *past, __u64 place, struct fxt_path_run *run);

/* Append a window, or put it into a heap and take the heap's earliest end (windows.c).  Return 0 or -ENOMEM. */
int fxt_path_windows_put(struct fxt_path_windows *windows, const struct fxt_path_window *window);
int fxt_path_windows_put_ordered(struct fxt_path_windows *windows, const struct fxt_path_window *window);
struct fxt_path_window fxt_path_windows_take_first(struct fxt_path_windows *windows);

/* Start of a duration with another name. */
#define FXT_PATH_NOT_NAMED	(~0ULL)

/*
 * Returns whether an open duration that starts at ns counts: not after the window, which may extend to the trace's end.
 */
static inline bool fxt_path_open_counts(const struct fxt_path *path, __u64 ns)
{
	return ns < path->m->events_to || path->m->events_to > path->m->end;
}

/*
 * Opens a duration (open.c).  Returns 0 or -errno.  fxt_path_open_take() closes it, and
 * returns its start, or FXT_PATH_NOT_NAMED.
 */
int fxt_path_open_put(struct fxt_path *path, struct fxt_open_slices *open, const struct fxt_record *r, bool named);
__u64 fxt_path_open_take(struct fxt_path *path, struct fxt_open_slices *open, const struct fxt_record *r);

/* Opens or closes asynchronous work, by the event's id. */
int fxt_path_async_begin(struct fxt_path *path, const struct fxt_record *r, bool named);
__u64 fxt_path_async_end(struct fxt_path *path, const struct fxt_record *r);

/* Frees the open durations of all threads and ids. */
void fxt_path_opens_free(struct fxt_path *path);

#endif
