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

/*
 * A class of sleeps in addition to enum fxt_wait_class: a futex without a known holder, which may be a lock, or a wait
 * for work.
 */
#define FXT_PATH_PARKED		FXT_WAITS

/* A sleep on the way of the path, which has the part of its waker instead. */
struct fxt_path_via {
	const struct fxt_task *task;
	const struct fxt_task *waker;	/* of a lock: its holder in this part, where it changed hands during the sleep */
	const char *reason;		/* text; NULL: none */
	const char *then;		/* reason of the waker's own sleep, where its waker was followed; NULL: none */
	bool followed;			/* the waker slept, and its own waker was followed */
	unsigned int wait;		/* enum fxt_wait_class, or FXT_PATH_PARKED */
	unsigned int handed;		/* number of later holders of the lock, during the sleep */
	__u64 from;			/* ns, start of the sleep */
};

struct fxt_segment {
	__u64 from, to;			/* ns */
	const struct fxt_task *task;
	const struct fxt_task *culprit;	/* thread that ran during the wait, or woke the thread; NULL: none, or not
					 * known */
	const char *reason;		/* text; WAIT for an idle CPU: name of its idle state; NULL: none */
	enum fxt_segment_kind kind;
	enum fxt_culprit_kind behind;	/* WAIT: kind of the culprit, or of the reason */
	unsigned int wait;		/* SLEEP, BLOCKED, INTERRUPT: class of the sleep, or FXT_PATH_PARKED */
	/*
	 * Only for fxt_path_walk_pieces(): the first wait for a lock, disk or memory on the way from the window's thread to
	 * this one, else the sleep of the window's thread; NULL: this is the window's thread.
	 */
	const struct fxt_path_via *via;
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

/* Does the same without joining the parts of segments: each has the sleep that led to it. */
typedef int fxt_path_piece(void *state, const struct fxt_segment *piece);
int fxt_path_walk_pieces(struct fxt_path *path, const struct fxt_path_window *window, fxt_path_piece *piece, void *state);

/* Returns the last step of a thread so far, for a window that ends now; 0: none. */
__u64 fxt_path_last(const struct fxt_path *path, const struct fxt_task *task);

/*
 * Returns the text of the reason of a thread's sleep that has just ended; NULL: not known, or an idle sleep.  The same
 * address for the same text.
 */
const char *fxt_path_reason(const struct fxt_path *path, const struct fxt_task *task);

/* Returns whether a wait of that class explains the path's parts after it: a lock, disk, memory, or a stop. */
bool fxt_path_decides(unsigned int wait);

/* Returns the class of a thread's last sleep, or FXT_PATH_PARKED. */
static inline unsigned int fxt_path_wait(const struct fxt_task *task)
{
	return task->wait == FXT_WAIT_LOCK && task->reason.kind == FXT_ON_FUTEX && !task->reason.holder ?
	       FXT_PATH_PARKED : task->wait;
}

/*
 * Puts the segments of all windows, in no particular order, and sorts the windows.  Overlapping windows of a
 * thread share one walk: its cost is that of their time, whatever their number.  Long waits of many threads
 * in one queue share sums: put_sum gets ns and a number of segments of a waiting thread, or (with behind) of
 * a culprit, for any waiting threads.  from is the start of the first segment.  Returns 0 or -errno.
 */
typedef int fxt_path_put_sum(void *state, const struct fxt_segment *segment, __u64 ns, __u64 count, bool behind);
int fxt_path_walk_all(struct fxt_path *path, fxt_path_put *put, fxt_path_put_sum *put_sum, void *state);

#endif
