/* SPDX-License-Identifier: GPL-2.0-only */
/* The threads and processes of one machine; each life of an id is separate. */
#ifndef FXT_ANALYZE_MACHINE_TASKS_H
#define FXT_ANALYZE_MACHINE_TASKS_H

#include "codec/objects.h"
#include "fxt/linux.h"
#include "model/sched_view.h"
#include "model/wait.h"

/* A thread's phase; a thread is in one of these at each moment of its life. */
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

static inline bool fxt_phase_sleeps(enum fxt_phase phase)
{
	return phase == FXT_PHASE_SLEEP || phase == FXT_PHASE_BLOCKED || phase == FXT_PHASE_STOPPED;
}

#define FXT_TASK_NAME_BYTES	64u
#define FXT_OBSERVERS		8u	/* observers of one machine; each has its data[] of all objects */

/* A control group by its path. */
struct fxt_group {
	const char *path;
	const char *container;	/* NULL: none */
	void *data[FXT_OBSERVERS];
};

struct fxt_process {
	__u64 key;		/* key of its first seen thread */
	__u64 pid;
	struct fxt_group *group;	/* NULL: not known */
	__u64 threads;		/* number of its tasks */
	bool replaced;		/* another process has its id now */
	char name[FXT_TASK_NAME_BYTES];
	void *data[FXT_OBSERVERS];
};

/* A thread from its creation to its death.  A reused id means another thread. */
struct fxt_task {
	__u64 key;		/* unique in an output, from 1; 0: the idle thread of a CPU */
	__u64 tid;
	__u64 begin, end;	/* ns; end is set once the thread is dead, or the trace ends */
	__u64 since;		/* ns, start of the phase */
	enum fxt_phase phase;
	__u32 cpu;		/* CPU that the thread runs on, or waits for */
	__u32 machine;		/* number of the machine in the output, from 0 */
	bool queued;		/* thread counts as waiting in its CPU's queue */
	bool watches;		/* thread makes the recorder keep all of its CPU's switches */
	bool woken;		/* thread was woken on its CPU: it may be runnable after its switch-out */
	bool supposed;		/* no record showed that wakeup */
	bool mended;		/* thread runs, but no event showed since when */
	bool strayed;		/* thread came to a CPU without a migration */
	bool preempted;		/* thread was preempted at its last switch-out, in whatever state */
	bool shown;		/* thread ran at its last event, up to an unknown time */
	bool earlier;		/* phase started at an unknown time before the recorder listed the thread */
	bool iowait;		/* thread is blocked for I/O */
	bool iowait_known;
	bool function_next;	/* function, stack and iowait belong to the sleep that is about to start */
	enum fxt_linux_state state;	/* state at the last switch-out */
	struct fxt_sleep_reason reason;	/* reason of the last sleep; its holder is a live thread, by the kernel's id */
	enum fxt_wait_class wait;	/* class of the last sleep */
	__s32 prio;
	/* Bandwidth throttling: throttle.h. */
	struct fxt_bandwidth *bandwidth;	/* control group; NULL: not known */
	struct fxt_task *member_before, *member_next;	/* list of the group's members */
	__u64 throttled_since;	/* ns, start of the throttling */
	__u64 throttled_ns;	/* ns of throttling in this wait, in the window, up to throttled_since */
	bool throttled;		/* thread waits, and may not run */
	bool stopping;		/* thread is throttled from its next switch-out on, while its group is throttled on
				 * that CPU */
	/* Waker at the end of the sleep, or at a wakeup on the CPU: an idle thread for a timer; NULL: not known. */
	struct fxt_task *waker;
	enum fxt_waker_context context;
	__u64 woken_ns;
	/* Function and stack of the sleep, if the recording has stacks; texts of fxt_tasks_text(). */
	const char *function, *stack;
	struct fxt_process *process;	/* NULL: not known */
	struct fxt_task *before, *after;	/* list of ids beyond the table, in the order of their keys */
	char name[FXT_TASK_NAME_BYTES];
	void *data[FXT_OBSERVERS];
};

#define FXT_TASK_TABLE_BITS	11u
#define FXT_TASK_TABLE		(1u << FXT_TASK_TABLE_BITS)

struct fxt_tasks {
	struct fxt_spill *spill;
	struct fxt_arena memory;	/* memory of tasks, processes, groups, texts */
	struct fxt_task **table[FXT_TASK_TABLE];	/* tasks by Linux' thread ids, in two steps */
	struct fxt_task *free_tasks;	/* recycled tasks, linked by waker */
	struct fxt_process *free_processes;	/* free processes, linked by data[0] */
	struct fxt_map others;		/* tasks with ids beyond the table */
	struct fxt_task *first_other, *last_other;	/* tasks in others, in the order of their keys, as a map has
							 * no order */
	struct fxt_map processes;	/* last process of each id */
	struct fxt_map groups;		/* groups by the address of their path */
	struct fxt_map texts;		/* texts by hash */
	struct fxt_objects objects;	/* names, including those of threads without events */
	__u64 *keys;			/* number of keys of tasks so far */
	__u64 own_keys;			/* number of keys, unless other machines share it */
	__u32 machine;			/* number of the machine in the output, from 0 */
};

/* Initializes.  All memory is the spill's, and lives until uninit. */
void fxt_tasks_init(struct fxt_tasks *tasks, struct fxt_spill *spill);
void fxt_tasks_uninit(struct fxt_tasks *tasks);

/* Returns the last task of an id, dead or alive; NULL: none yet. */
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

/* Adds a task of an id, from a time on; the former task stays valid.  Returns NULL without memory. */
struct fxt_task *fxt_tasks_add(struct fxt_tasks *tasks, __u64 tid, __u64 begin);

/* Removes a dead task without references: its memory may become another task's. */
void fxt_tasks_recycle(struct fxt_tasks *tasks, struct fxt_task *task);

/*
 * Returns the last task of each id, dead or alive, one per call, in an order that depends on the trace; *at is 0
 * for the first call.  A returned task may be recycled before the next call.  Returns NULL after the last task.
 */
struct fxt_task *fxt_tasks_next(const struct fxt_tasks *tasks, __u64 *at);

/* Notes that a thread created the task, which starts in the creator's control group; a leader starts a new process. */
int fxt_tasks_born(struct fxt_tasks *tasks, struct fxt_task *task, const struct fxt_task *parent);

/* Returns an observer's own object of a task, by the observer's index in data[]; NULL: none yet. */
static inline void *fxt_task_data(const struct fxt_task *task, unsigned int slot)
{
	return task->data[slot];
}

/* Writes the class of a thread that precedes all normal threads: " (RT 10)", " (deadline)"; or "".  Returns text. */
#define FXT_TASK_CLASS_BYTES	24u
const char *fxt_task_class(char text[FXT_TASK_CLASS_BYTES], const struct fxt_task *task);

/* Adds a zeroed object; NULL: -ENOMEM. */
void *fxt_task_data_add(struct fxt_tasks *tasks, struct fxt_task *task, unsigned int slot, size_t size);

/* Applies a kernel object record; ignores any other record.  Returns 0, -ENOMEM or -E2BIG. */
int fxt_tasks_name(struct fxt_tasks *tasks, const struct fxt_record *r);

/* A thread with a name, but without an event. */
struct fxt_silent {
	const struct fxt_object *object;	/* NULL before the first */
	struct fxt_task task;		/* task, as the thread's events would show it */
	struct fxt_process process;	/* process, if the process is known only by its id */
};

/* Finds the next silent thread in the order of the file.  Returns false after the last. */
bool fxt_tasks_silent_next(const struct fxt_tasks *tasks, struct fxt_silent *silent);

/* Returns a terminated copy of a text, which stays valid; the same address for the same text.  NULL: -ENOMEM. */
const char *fxt_tasks_text(struct fxt_tasks *tasks, const struct fxt_text *text);

/* Returns such a copy of a terminated string. */
const char *fxt_tasks_string(struct fxt_tasks *tasks, const char *string);

#endif
