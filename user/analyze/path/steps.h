/* SPDX-License-Identifier: GPL-2.0-only */
/* What a path keeps of the past: what threads did, and what CPUs ran. */
#ifndef FXT_ANALYZE_PATH_STEPS_H
#define FXT_ANALYZE_PATH_STEPS_H

#include "analyze/machine/open_slices.h"
#include "analyze/path/path.h"

/* Numbers of records are one more than theirs; 0: none. */
#define FXT_PATH_NUMBER_BITS	52

/* What a thread did: a trace has some three an event, so that they are packed. */
struct fxt_path_step {
	__u64 from, to;
	__u64 before : FXT_PATH_NUMBER_BITS;	/* the same task's step before */
	__u64 phase : 4;		/* enum fxt_phase; DEAD: it wasn't born yet */
	__u64 context : 4;		/* SLEEP and so on: of the waker; enum fxt_waker_context */
	__u64 kind : 4;			/* WAIT: what the CPU ran at the end; enum fxt_interrupt */
	union {
		struct {		/* WAIT: in a CPU's queue */
			__u64 run;	/* the last run of the CPU that had ended */
			const void *what;	/* what it ran then: a task, or the name of a handler */
		};
		struct {		/* SLEEP and so on, ended by a waker; DEAD: by the thread that made it */
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
	__u64 before : FXT_PATH_NUMBER_BITS;	/* the same CPU's run before */
	__u64 kind : 4;			/* enum fxt_interrupt */
	const void *what;		/* a task, or the name of a handler; NULL: not known */
};

/* Of a task. */
struct fxt_path_trail {
	const struct fxt_task *task;
	__u64 last;			/* its last step */
	/* A part of a wait, in a queue that it has left. */
	__u64 since, left;		/* ns; since ~0: there is none */
	struct fxt_path_step part;
	struct fxt_open_slices open;	/* of its own */
	struct fxt_path_trail *next;	/* of all */
};

/* The begin of one that is of another name. */
#define FXT_PATH_NOT_NAMED	(~0ULL)

/* Whether one that begins then, and has no end, is counted: not behind the window, which may have all up to the end. */
static inline bool fxt_path_open_counts(const struct fxt_path *path, __u64 ns)
{
	return ns < path->m->events_to || path->m->events_to > path->m->end;
}

/* open.c: one begins, 0 or -errno; one ends: its begin, or FXT_PATH_NOT_NAMED.  holder: what has them. */
int fxt_path_open_put(struct fxt_path *path, struct fxt_open_slices *open, void *holder, const struct fxt_record *r,
		      bool named);
__u64 fxt_path_open_take(struct fxt_path *path, struct fxt_open_slices *open, const struct fxt_record *r);

/* The same of an asynchronous event's id. */
int fxt_path_async_begin(struct fxt_path *path, const struct fxt_record *r, bool named);
__u64 fxt_path_async_end(struct fxt_path *path, const struct fxt_record *r);

/* Those of all threads and ids. */
void fxt_path_opens_free(struct fxt_path *path);

#endif
