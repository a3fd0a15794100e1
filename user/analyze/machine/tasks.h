/* SPDX-License-Identifier: GPL-2.0-only */
/* The threads and processes of one machine, each life of an id by itself. */
#ifndef FXT_ANALYZE_MACHINE_TASKS_H
#define FXT_ANALYZE_MACHINE_TASKS_H

#include "codec/objects.h"
#include "fxt/linux.h"
#include "model/sched_view.h"

/* What a thread does.  Each moment of its life is one of these. */
enum fxt_phase {
	FXT_PHASE_UNKNOWN,
	FXT_PHASE_RUN,
	FXT_PHASE_WAIT_WAKEUP,
	FXT_PHASE_WAIT_PREEMPTED,
	FXT_PHASE_SLEEP,
	FXT_PHASE_BLOCKED,
	FXT_PHASE_STOPPED,
	FXT_PHASE_DEAD,
	FXT_PHASES,
};

static inline bool fxt_phase_waits(enum fxt_phase phase)
{
	return phase == FXT_PHASE_WAIT_WAKEUP || phase == FXT_PHASE_WAIT_PREEMPTED;
}

#define FXT_TASK_NAME_BYTES	64u
#define FXT_OBSERVERS		8u	/* of one machine; each has that data[] of all objects */

/* A control group, by its path. */
struct fxt_group {
	const char *path;
	const char *container;	/* NULL: none */
	void *data[FXT_OBSERVERS];
};

struct fxt_process {
	__u64 key;		/* that of its first thread that was seen */
	__u64 pid;
	struct fxt_group *group;	/* NULL: not known */
	__u64 threads;		/* tasks that are of it */
	bool replaced;		/* another one has its id now */
	char name[FXT_TASK_NAME_BYTES];
	void *data[FXT_OBSERVERS];
};

/* One thread, from its birth to its death.  An id that is used again is another one. */
struct fxt_task {
	__u64 key;		/* unique in one output, from 1; 0: the idle thread of a CPU */
	__u64 tid;
	__u64 begin, end;	/* ns; end once it is dead, or the trace ends */
	__u64 since;		/* ns of its phase */
	enum fxt_phase phase;
	__u32 cpu;		/* where it runs, or in the queue of which it is */
	__u32 machine;		/* its number in the output, from 0 */
	bool queued;		/* it counts for its CPU's queue */
	bool watches;		/* and for those that its CPU's switches are recorded for */
	bool woken;		/* on its CPU: it may be runnable from its switch-out on */
	bool supposed;		/* no record told that */
	bool mended;		/* it runs, but no event told since when */
	bool strayed;		/* it comes to a CPU, and nothing said that it was moved there */
	bool preempted;		/* so it left its CPU the last time, in whatever state */
	bool shown;		/* it ran at the last event of it, and nothing says up to when */
	bool earlier;		/* its phase began before the recorder listed it: it isn't known when */
	bool iowait;		/* it is blocked for I/O */
	bool iowait_known;
	bool function_next;	/* that and the stack are of the sleep that it is about to begin */
	enum fxt_linux_state state;	/* at its last switch-out */
	__s32 prio;
	/* Bandwidth throttling: throttle.h. */
	struct fxt_bandwidth *bandwidth;	/* of its control group; NULL: not known */
	struct fxt_task *member_before, *member_next;	/* of that group */
	__u64 throttled_since;	/* ns */
	__u64 throttled_ns;	/* of this wait, in the window, up to that */
	bool throttled;		/* it waits, and may not run */
	bool stopping;		/* it is so from its next switch-out on, while its group is throttled on that CPU */
	/* The end of its sleep, or its wakeup on its CPU: waker is an idle thread for a timer; NULL: not known. */
	struct fxt_task *waker;
	enum fxt_waker_context context;
	__u64 woken_ns;
	/* What it sleeps in, where the recording has stacks; an index of fxt_tasks_text(). */
	const char *function, *stack;
	struct fxt_process *process;	/* NULL: not known */
	struct fxt_task *before, *after;	/* of the ids beyond the table, in the order of their keys */
	char name[FXT_TASK_NAME_BYTES];
	void *data[FXT_OBSERVERS];
};

#define FXT_TASK_TABLE_BITS	11u
#define FXT_TASK_TABLE		(1u << FXT_TASK_TABLE_BITS)

struct fxt_tasks {
	struct fxt_spill *spill;
	struct fxt_arena memory;	/* of tasks, processes, groups, texts */
	struct fxt_task **table[FXT_TASK_TABLE];	/* by Linux' thread ids, in two steps */
	struct fxt_task *free_tasks;	/* recycled ones, by their waker */
	struct fxt_process *free_processes;	/* likewise, by data[0] */
	struct fxt_map others;		/* by ids beyond these */
	struct fxt_task *first_other, *last_other;	/* the same, in the order of their keys: a map has none */
	struct fxt_map processes;	/* the last of each id */
	struct fxt_map groups;		/* by the hash of their path */
	struct fxt_map texts;		/* likewise */
	struct fxt_objects objects;	/* names, also of threads that have no events */
	__u64 *keys;			/* of tasks, so far */
	__u64 own_keys;			/* where no other machine has keys */
	__u32 machine;			/* its number in the output, from 0 */
};

/* All memory is of the spill, and lives until uninit. */
void fxt_tasks_init(struct fxt_tasks *tasks, struct fxt_spill *spill);
void fxt_tasks_uninit(struct fxt_tasks *tasks);

/* The last task of an id, dead or alive; NULL: none yet. */
static inline struct fxt_task *fxt_tasks_get(const struct fxt_tasks *tasks, __u64 tid)
{
	struct fxt_task *const *row, *task;

	if (tid >> 2 * FXT_TASK_TABLE_BITS)
		return fxt_map_get(&tasks->others, tid);
	row = tasks->table[tid >> FXT_TASK_TABLE_BITS];
	if (!row)
		return NULL;
	row += tid % FXT_TASK_TABLE;
	task = *row;
	return task;
}

/* A new task of an id, from a time on; the one before it stays valid.  NULL: -ENOMEM. */
struct fxt_task *fxt_tasks_add(struct fxt_tasks *tasks, __u64 tid, __u64 begin);

/* Forgets a dead task, to which nothing refers any more: its memory is another one's later. */
void fxt_tasks_recycle(struct fxt_tasks *tasks, struct fxt_task *task);

/*
 * The last task of each id, dead or alive, in an order that the trace decides; at: 0 at first.  The one
 * that it returned may be recycled before the next.  NULL: there is no other.
 */
struct fxt_task *fxt_tasks_next(const struct fxt_tasks *tasks, __u64 *at);

/* It was created by a thread, and is in its control group; leader: of a new process. */
int fxt_tasks_born(struct fxt_tasks *tasks, struct fxt_task *task, const struct fxt_task *parent);

/* An observer's own object of a task, by its index of data[]; NULL: it has none yet. */
static inline void *fxt_task_data(const struct fxt_task *task, unsigned int slot)
{
	return task->data[slot];
}

/* Writes the class of a thread that precedes all normal ones: " (RT 10)", " (deadline)"; or "".  Returns text. */
#define FXT_TASK_CLASS_BYTES	24u
const char *fxt_task_class(char text[FXT_TASK_CLASS_BYTES], const struct fxt_task *task);

/* A new one, all zeros; NULL: -ENOMEM. */
void *fxt_task_data_add(struct fxt_tasks *tasks, struct fxt_task *task, unsigned int slot, size_t size);

/* A kernel object record; others are ignored.  0, -ENOMEM, -E2BIG. */
int fxt_tasks_name(struct fxt_tasks *tasks, const struct fxt_record *r);

/* A thread of which there is a name, and no event. */
struct fxt_silent {
	const struct fxt_object *object;	/* NULL before the first */
	struct fxt_task task;		/* as it would be */
	struct fxt_process process;	/* its own, where nothing was said of that */
};

/* The next one, in the order of the file; false: there is no other. */
bool fxt_tasks_silent_next(const struct fxt_tasks *tasks, struct fxt_silent *silent);

/* Returns a terminated copy of a text that stays valid, the same for the same text, with its bytes; NULL: -ENOMEM. */
const char *fxt_tasks_text(struct fxt_tasks *tasks, const struct fxt_text *text);

#endif
