/* SPDX-License-Identifier: GPL-2.0-only */
/* What a path keeps of the past: what threads did, and what CPUs ran. */
#ifndef FXT_ANALYZE_PATH_STEPS_H
#define FXT_ANALYZE_PATH_STEPS_H

#include "analyze/machine/open_slices.h"
#include "analyze/path/path.h"

/* Beside enum fxt_interrupt, in a step of a wait: the thread was throttled, in no CPU's queue. */
#define FXT_PATH_THROTTLED	FXT_INTERRUPTS

/*
 * What a thread did: a trace has some three an event.  Steps and runs are known by their places in
 * the past; 0: none.
 */
struct fxt_path_step {
	__u64 from, to;
	__u64 before;			/* the same task's step before */
	enum fxt_phase phase;		/* DEAD: it wasn't born yet */
	enum fxt_waker_context context;	/* SLEEP and so on, UNKNOWN: of the waker */
	unsigned int kind;		/* WAIT: enum fxt_interrupt, what the CPU ran at the end; FXT_PATH_THROTTLED */
	union {
		struct {		/* WAIT: in a CPU's queue */
			__u64 run;	/* the last run of the CPU that had ended */
			const void *what;	/* what it ran then: a task, or the name of a handler; unless the run ends then */
			__u32 cpu;		/* its number */
		};
		struct {		/* SLEEP, UNKNOWN and so on, ended by a waker; DEAD: by the thread that made it, or that it was */
			const char *function;	/* that it slept in, where it is known */
			struct fxt_task *waker;	/* NULL: not known */
			__u64 waker_step;	/* its last one then */
			__u64 waker_since;	/* ns from which on it, or the interrupt, ran */
			const char *handler;	/* of the interrupt */
		};
	};
};

struct fxt_path_run {
	__u64 from, to;
	__u64 before;			/* the same CPU's run before */
	enum fxt_interrupt kind;
	const void *what;		/* a task, or the name of a handler; NULL: not known */
};

/* Of a CPU. */
struct fxt_path_cpu {
	__u64 run;			/* its last run that has ended; 0: none */
	__u64 known;			/* ns since when it is known what it runs */
};

/* Of a task. */
struct fxt_path_trail {
	const struct fxt_task *task;
	__u64 last;			/* its last step; 0: none */
	__u64 unheard;			/* ns of its first event, with nothing lost before */
	/* A part of a wait, in a queue that it has left. */
	__u64 since, left;		/* ns; since ~0: there is none */
	struct fxt_path_step part;
	__u64 throttled_to;		/* ns up to which it was throttled, in this wait; 0: it wasn't */
	struct fxt_open_slices open;	/* of its own */
	struct fxt_path_trail *next;	/* of all */
};

/* past.c: appends one, or copies the one at a place.  0 or -errno. */
int fxt_path_step_put(struct fxt_pack *past, const struct fxt_path_step *step);
int fxt_path_step_get(struct fxt_pack *past, __u64 place, struct fxt_path_step *step);
int fxt_path_run_put(struct fxt_pack *past, const struct fxt_path_run *run);
int fxt_path_run_get(struct fxt_pack *past, __u64 place, struct fxt_path_run *run);

/*
 * windows.c: behind all others; or in a heap, of which the one that ends first is taken first.  0 or -ENOMEM.
 */
int fxt_path_windows_put(struct fxt_path_windows *windows, const struct fxt_path_window *window);
int fxt_path_windows_put_ordered(struct fxt_path_windows *windows, const struct fxt_path_window *window);
struct fxt_path_window fxt_path_windows_take_first(struct fxt_path_windows *windows);

/* The begin of one that is of another name. */
#define FXT_PATH_NOT_NAMED	(~0ULL)

/* Whether one that begins then, and has no end, is counted: not behind the window, which may have all up to the end. */
static inline bool fxt_path_open_counts(const struct fxt_path *path, __u64 ns)
{
	return ns < path->m->events_to || path->m->events_to > path->m->end;
}

/* open.c: one begins, 0 or -errno; one ends: its begin, or FXT_PATH_NOT_NAMED.  holder: what has them. */
int fxt_path_open_put(struct fxt_path *path, struct fxt_open_slices *open, const struct fxt_record *r, bool named);
__u64 fxt_path_open_take(struct fxt_path *path, struct fxt_open_slices *open, const struct fxt_record *r);

/* The same of an asynchronous event's id. */
int fxt_path_async_begin(struct fxt_path *path, const struct fxt_record *r, bool named);
__u64 fxt_path_async_end(struct fxt_path *path, const struct fxt_record *r);

/* Those of all threads and ids. */
void fxt_path_opens_free(struct fxt_path *path);

#endif
