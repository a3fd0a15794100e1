/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Critical paths: what a thread's result waited for.  While it ran or waited for a CPU that is
 * itself; while it slept, the path is that of the thread that woke it.  An observer of the
 * machine keeps each thread's past in a file; a path is walked backwards.
 */
#ifndef FXT_ANALYZE_PATH_H
#define FXT_ANALYZE_PATH_H

#include "analyze/machine/machine.h"
#include "analyze/selection.h"
#include "analyze/suspects.h"
#include "store/pack.h"

#define FXT_SEGMENTS(ROW)		\
	ROW(RUN, "run")			\
	ROW(WAIT, "wait")		\
	ROW(BLOCKED, "blocked")		\
	ROW(SLEEP, "sleep")		\
	ROW(INTERRUPT, "interrupt")	\
	ROW(UNKNOWN, "unknown")

#define FXT_SEGMENT_ENUM(id, name)	FXT_SEGMENT_##id,
enum fxt_segment_kind {
	FXT_SEGMENTS(FXT_SEGMENT_ENUM)
	FXT_SEGMENT_KINDS,
};

extern const char *const fxt_segment_names[];

struct fxt_segment {
	__u64 from, to;			/* ns */
	const struct fxt_task *task;
	const struct fxt_task *culprit;	/* that ran while it waited, or woke it; NULL: none, or not known */
	const char *reason;		/* NULL: none */
	enum fxt_segment_kind kind;
	enum fxt_culprit_kind behind;	/* WAIT: what the culprit is, or what the reason names */
};

/* A time of a thread that a path is asked for. */
struct fxt_path_window {
	struct fxt_task *task;
	__u64 key;		/* of that */
	__u64 from, to;
	__u64 step;		/* its last step at the end; 0: none */
	__u64 since;		/* ns of the phase that it was in then */
	enum fxt_phase phase;
};

struct fxt_path {
	struct fxt_machine *m;
	unsigned int slot;		/* of data[] */
	const struct fxt_selection *selection;
	const char *mark;		/* NULL: windows are the lives of selected threads */
	struct fxt_path_trail *trails;	/* of all tasks */
	struct fxt_map asyncs;		/* by id, those that are open of asynchronous work that has the name */
	bool nobody;			/* one has ended, and of no thread */
	__u64 open_count;		/* durations of the name without an end, but for those behind the window */
	struct fxt_pack past;		/* what each thread did, and what each CPU ran */
	struct fxt_path_windows {
		struct fxt_path_window *window;
		size_t count;
	} windows,		/* after the machine's end, by time */
	  pending;		/* that end in the future: a heap, the next one on top */
};

void fxt_path_init(struct fxt_path *path, struct fxt_machine *m, const struct fxt_selection *selection,
		   const char *mark);
void fxt_path_uninit(struct fxt_path *path);

/* A segment of so many windows.  0 or -errno. */
typedef int fxt_path_put(void *state, const struct fxt_segment *segment, __u64 windows);

/* Walks a window backwards and puts its segments, which cover it, the last one first.  0 or -errno. */
int fxt_path_walk(struct fxt_path *path, const struct fxt_path_window *window, fxt_path_put *put, void *state);

/*
 * Puts the segments of all windows, in no order, and sorts the windows.  Those of a thread that overlap share one
 * walk: its cost is that of their time, however many they are.  Long waits of many threads in one queue share
 * sums: put_sum gets ns and a number of segments of a thread that waited; and, behind, of a culprit, whichever waited.
 * from is that of the first one.  0 or -errno.
 */
typedef int fxt_path_put_sum(void *state, const struct fxt_segment *segment, __u64 ns, __u64 count, bool behind);
int fxt_path_walk_all(struct fxt_path *path, fxt_path_put *put, fxt_path_put_sum *put_sum, void *state);

#endif
