/* SPDX-License-Identifier: GPL-2.0-only */
/* A walk backwards through a window, step by step. */
#ifndef FXT_ANALYZE_PATH_WALK_H
#define FXT_ANALYZE_PATH_WALK_H

#include "analyze/path/steps.h"

/* Place to continue the walk, once it is at the start of a sleep with a followed waker. */
struct fxt_path_level {
	struct fxt_task *task;
	__u64 step;		/* offset of the step */
	__u64 from;		/* ns, start of the sleep */
	struct fxt_path_via via;	/* sleep that the parts of the level have in common */
};

/* The first part of a wait, which no segment of the thread joins; run is its last run. */
struct fxt_path_rest {
	const struct fxt_task *task;
	__u64 from, to;		/* ns */
	__u64 run;
	__u32 cpu;
};

/* A walk.  p, put, state, on_rest and on_piece are set before the first window; levels are freed after the last. */
struct fxt_path_walker {
	struct fxt_path *p;
	fxt_path_put *put;
	void *state;
	/* Receives each part of a segment, after the segment before it was put; returns 0 or -errno.  NULL: no call. */
	fxt_path_piece *on_piece;
	/* Receives the rest of a long wait, in place of its pieces; returns 0 or -errno.  NULL: no call. */
	int (*on_rest)(void *state, const struct fxt_path_rest *rest);
	__u64 from;		/* ns, start of the window */
	__u64 ns;		/* present time of the walk */
	__u64 step;		/* next step of the followed thread; 0: none */
	struct fxt_task *task;
	struct fxt_path_level *levels;
	unsigned int depth;
	size_t room;		/* capacity of levels */
	enum fxt_culprit_kind behind;	/* kind of the next segment's culprit, if the segment is a wait */
	unsigned int wait;	/* class of the next segment, if the segment is a sleep */
	struct fxt_segment last;	/* segment that has not been put yet */
};

/* rests.c: rests of waits, which are cut by the runs of their CPUs once all rests are known. */
struct fxt_path_rests {
	struct fxt_path *p;
	struct fxt_path_rest *of;
	size_t count;
};

int fxt_path_rests_put(struct fxt_path_rests *rests, const struct fxt_path_rest *rest);
int fxt_path_rests_end(struct fxt_path_rests *rests, fxt_path_put_sum *put_sum, void *state);
void fxt_path_rests_uninit(struct fxt_path_rests *rests);

/* Starts at the window's end, and walks to the start of the thread's phase there. */
int fxt_path_walker_begin(struct fxt_path_walker *w, const struct fxt_path_window *window);

/* Sets the culprit of a wait's segment, its kind, and the reason. */
void fxt_path_wait_segment(unsigned int kind, const void *what, struct fxt_segment *s);

/* Puts the last segment, once the walk is done. */
int fxt_path_walker_end(struct fxt_path_walker *w);

static inline bool fxt_path_walker_done(const struct fxt_path_walker *w)
{
	return w->ns <= w->from && !w->depth;
}

/* Walks one step back in the followed thread, or returns to the thread that it woke. */
int fxt_path_walker_on(struct fxt_path_walker *w);

static inline bool fxt_path_same(const struct fxt_segment *a, const struct fxt_segment *b)
{
	return a->task == b->task && a->culprit == b->culprit && a->reason == b->reason && a->kind == b->kind;
}

/* Puts a part that ends where the last part starts: extends that segment, or starts a new one. */
static inline int fxt_path_walker_piece(struct fxt_path_walker *w, const struct fxt_segment *piece)
{
	int err = 0;

	if (w->last.task && fxt_path_same(&w->last, piece)) {
		w->last.from = piece->from;
		return 0;
	}
	if (w->last.task)
		err = w->put(w->state, &w->last, 1);
	w->last = *piece;
	return err;
}

#endif
