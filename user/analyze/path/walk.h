/* SPDX-License-Identifier: GPL-2.0-only */
/* A walk backwards through a window, step by step. */
#ifndef FXT_ANALYZE_PATH_WALK_H
#define FXT_ANALYZE_PATH_WALK_H

#include "analyze/path/steps.h"

/* Where the walk goes on once it is at the begin of a sleep of which it followed the waker. */
struct fxt_path_level {
	struct fxt_task *task;
	__u64 step;		/* its place */
	__u64 from;		/* ns of the sleep's begin */
};

/* The first part of a wait, which no segment of the thread joins: from a run on, which ran up to its end, backwards. */
struct fxt_path_rest {
	const struct fxt_task *task;
	__u64 from, to;		/* ns */
	__u64 run;
	__u32 cpu;
};

/* p, put, state, on_rest and on_piece are set before the first window; levels are freed after the last. */
struct fxt_path_walker {
	struct fxt_path *p;
	fxt_path_put *put;
	void *state;
	/* NULL, or called with each part of a segment, after the segment before was put; 0 or -errno. */
	int (*on_piece)(void *state, const struct fxt_segment *piece);
	/* NULL, or called with the rest of a wait that is long, in place of its pieces; 0 or -errno. */
	int (*on_rest)(void *state, const struct fxt_path_rest *rest);
	__u64 from;		/* ns: the window's begin */
	__u64 ns;		/* it has come to there */
	__u64 step;		/* of the thread that it follows now; 0: none */
	struct fxt_task *task;
	struct fxt_path_level *levels;
	unsigned int depth;
	size_t room;		/* of levels */
	enum fxt_culprit_kind behind;	/* of the next segment, where that is a wait */
	struct fxt_segment last;	/* that has not been put yet */
};

/* rests.c: rests of waits, which are cut by what their CPUs ran once all are known. */
struct fxt_path_rests {
	struct fxt_path *p;
	struct fxt_path_rest *of;
	size_t count;
};

int fxt_path_rests_put(struct fxt_path_rests *rests, const struct fxt_path_rest *rest);
int fxt_path_rests_end(struct fxt_path_rests *rests, fxt_path_put_sum *put_sum, void *state);
void fxt_path_rests_uninit(struct fxt_path_rests *rests);

/* Goes to the window's end, and back to the begin of what the thread did there. */
int fxt_path_walker_begin(struct fxt_path_walker *w, const struct fxt_path_window *window);

/* Sets the culprit of a wait's segment, its reason, and what that is: of what the CPU ran. */
void fxt_path_wait_segment(unsigned int kind, const void *what, struct fxt_segment *s);

/* Once it is done: the last segment. */
int fxt_path_walker_end(struct fxt_path_walker *w);

static inline bool fxt_path_walker_done(const struct fxt_path_walker *w)
{
	return w->ns <= w->from && !w->depth;
}

/* One step back in the thread that is followed, or back to the one that it woke. */
int fxt_path_walker_on(struct fxt_path_walker *w);

static inline bool fxt_path_same(const struct fxt_segment *a, const struct fxt_segment *b)
{
	return a->task == b->task && a->culprit == b->culprit && a->reason == b->reason && a->kind == b->kind;
}

/* A part of a segment, up to the begin of the one before: of the same segment, or of a new one. */
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
