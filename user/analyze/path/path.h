/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Critical paths: the chain of causes of a thread's time.  While the thread ran or waited for a
 * CPU, the path is the thread itself; while it slept, the path is that of the thread that woke
 * it.  An observer of the machine keeps each thread's past in a file; a path is walked backwards.
 */
#ifndef FXT_ANALYZE_PATH_H
#define FXT_ANALYZE_PATH_H

#include "analyze/machine/machine.h"
#include "analyze/selection.h"
#include "analyze/blame/suspects.h"
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
	const struct fxt_task *culprit;	/* thread that ran during the wait, or woke the thread; NULL: none, or not
					 * known */
	const char *reason;		/* text; NULL: none */
	enum fxt_segment_kind kind;
	enum fxt_culprit_kind behind;	/* WAIT: kind of the culprit, or of the reason */
};

/* A time of a thread that needs a path. */
struct fxt_path_window {
	struct fxt_task *task;
	__u64 key;		/* key of the thread */
	__u64 from, to;
	__u64 step;		/* offset of its last step at the end; 0: none */
	__u64 since;		/* ns, start of the thread's phase at the end */
	enum fxt_phase phase;
};

struct fxt_path {
	struct fxt_machine *m;
	unsigned int slot;		/* index in data[] */
	const struct fxt_selection *selection;
	const char *mark;		/* name of durations; NULL: windows are the lives of selected threads */
	struct fxt_path_trail *trails;	/* trails of all tasks */
	struct fxt_map asyncs;		/* open asynchronous work with the name, by id */
	bool nobody;			/* work with the name has ended, and without a thread */
	__u64 open_count;		/* open durations of the name that started before the window's end */
	struct fxt_pack past;		/* steps of threads and runs of CPUs */
	struct fxt_path_windows {
		struct fxt_path_window *window;
		size_t count;
	} windows,		/* windows after the machine's end, by time */
	  pending;		/* windows that end in the future: a heap with the next end on top */
};

void fxt_path_init(struct fxt_path *path, struct fxt_machine *m, const struct fxt_selection *selection,
		   const char *mark);
void fxt_path_uninit(struct fxt_path *path);

/* Puts a segment of that many windows.  Returns 0 or -errno. */
typedef int fxt_path_put(void *state, const struct fxt_segment *segment, __u64 windows);

/* Walks a window backwards and puts its segments, which cover it, the last segment first.  Returns 0 or -errno. */
int fxt_path_walk(struct fxt_path *path, const struct fxt_path_window *window, fxt_path_put *put, void *state);

/*
 * Puts the segments of all windows, in no particular order, and sorts the windows.  Overlapping windows of a
 * thread share one walk: its cost is that of their time, whatever their number.  Long waits of many threads
 * in one queue share sums: put_sum gets ns and a number of segments of a waiting thread, or (with behind) of
 * a culprit, for any waiting threads.  from is the start of the first segment.  Returns 0 or -errno.
 */
typedef int fxt_path_put_sum(void *state, const struct fxt_segment *segment, __u64 ns, __u64 count, bool behind);
int fxt_path_walk_all(struct fxt_path *path, fxt_path_put *put, fxt_path_put_sum *put_sum, void *state);

#endif
