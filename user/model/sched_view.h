/* SPDX-License-Identifier: GPL-2.0-only */
/* Views of scheduling records in Linux' terms: read from records of any origin, and built as fxtrec's records. */
#ifndef FXT_MODEL_SCHED_VIEW_H
#define FXT_MODEL_SCHED_VIEW_H

#include "codec/provider.h"
#include "codec/record.h"
#include "fxt/linux.h"
#include "fxt/reason.h"
#include "model/prev_state.h"

/* CPU numbers have 16 bits in all records. */
#define FXT_VIEW_CPU_MAX	0xffffu

/* Priority that the kernel gives the idle thread. */
#define FXT_IDLE_PRIORITY	120

/* The reason of a sleep, as fxt/reason.h writes it. */
struct fxt_sleep_reason {
	__u32 bits;		/* FXT_REASON_*; 0: not recorded */
	__u32 device;		/* device of a file or directory; of a futex, that of inode, or 0: inode isn't known */
	__u64 object;
	__u32 kind;		/* enum fxt_object_kind of the object */
	/*
	 * Thread that holds the lock, or that the call waits for the end of; 0: unknown.  A kernel lock has the
	 * kernel's id, a futex that of the process's PID namespace.
	 */
	__u32 holder;
	__u64 inode, offset;	/* file and position of a futex's word, in memory that processes share */
};

/* A sched_switch. */
struct fxt_switch_view {
	__u32 cpu;
	__u64 prev;
	__s32 prev_prio;
	bool preempted;			/* state is then R ("R+") */
	enum fxt_linux_state state;
	__u64 next;
	__s32 next_prio;
	enum fxt_unchosen unchosen;	/* threads with other switches that may not be recorded */
	struct fxt_sleep_reason reason;	/* reason of prev's sleep */
};

/* A sched_waking, or a sched_wakeup_new. */
struct fxt_wakeup_view {
	__u32 cpu;		/* CPU of the waker */
	bool new;		/* sched_wakeup_new */
	__u64 thread;
	__s32 prio;
	__u32 target;		/* CPU where the thread ran last; it may get another one */
	__u64 waker;
	bool waker_known;
	bool on_cpu;		/* the thread had not left its CPU */
	enum fxt_waker_context context;
};

/* A sched_migrate_task: another CPU will run the thread from now on. */
struct fxt_migrate_view {
	__u32 cpu;		/* CPU that moves the thread */
	__u64 thread;
	__s32 prio;
	__u32 from, to;		/* CPUs */
};

/* A view by the record's kind; the view of an event is a migration. */
union fxt_sched_view {
	struct fxt_switch_view change;
	struct fxt_wakeup_view wakeup;
	struct fxt_migrate_view migrate;
};

/* Returns whether a record has a view in place of its arguments; a migration has both. */
static inline bool fxt_record_is_brief(const struct fxt_record *r)
{
	return r->view && r->kind != FXT_KIND_EVENT;
}

/* Returns whether a kind of object is a lock of the kernel. */
static inline bool fxt_object_is_lock(enum fxt_object_kind kind)
{
	return kind >= FXT_ON_MUTEX;
}

/* Returns whether a reason has the file of its futex's memory, which processes share. */
static inline bool fxt_reason_is_mapped(const struct fxt_sleep_reason *reason)
{
	return reason->kind == FXT_ON_FUTEX && reason->device;
}

/* Returns the name of a kind of object: "file", "futex". */
const char *fxt_object_kind_name(enum fxt_object_kind kind);

/* Returns "outgoing", "incoming", "both", or "" for none. */
const char *fxt_switch_view_unchosen(const struct fxt_switch_view *view);

/* Parses such a name; returns NONE for any other text. */
enum fxt_unchosen fxt_unchosen_parse(const char *text, size_t count);

/* Returns "task", "softirq", "hardirq", "nmi", "softirq timer" or "hardirq timer". */
const char *fxt_context_name(enum fxt_waker_context context);

/* Parses such a name, which may be followed by a space and more text; returns TASK for any other text. */
enum fxt_waker_context fxt_context_parse(const char *text, size_t count);

/* Returns the letters of a state as ftrace prints them, such as "S" or "R+". */
const char *fxt_switch_view_letters(const struct fxt_switch_view *view);

/* Sets state and preempted from letters ("D|K" counts as D).  Returns 0; -EINVAL for unknown letters. */
int fxt_switch_view_parse(struct fxt_switch_view *view, const char *letters, size_t count);

/* Returns the kernel's prev_state of sched_switch. */
static inline __u16 fxt_switch_view_prev_state(const struct fxt_switch_view *view,
					       const struct fxt_prev_numbers *numbers)
{
	return view->preempted ? numbers->preempted : numbers->state[view->state];
}

/* Sets state and preempted from a prev_state; prev must be set. */
static inline void fxt_switch_view_prev_state_set(struct fxt_switch_view *view, __s64 number,
						  const struct fxt_prev_states *states)
{
	view->state = fxt_prev_state(states, number, &view->preempted);
	view->preempted = view->preempted && view->prev;
}

/*
 * Read the view of a context switch (a legacy one, too) or of a wakeup; fields that the
 * record doesn't have get their default.
 */
void fxt_switch_view_get(struct fxt_switch_view *view, const struct fxt_record *r);
void fxt_wakeup_view_get(struct fxt_wakeup_view *view, const struct fxt_record *r);

/* Build the records that fxt-on-linux.rst describes; a wakeup needs the provider "fxtrec cpu N" of view->cpu. */
void fxt_switch_view_put(const struct fxt_switch_view *view, struct fxt_record *r, __u64 ns);
void fxt_wakeup_view_put(const struct fxt_wakeup_view *view, struct fxt_record *r, __u64 ns);

/* Returns whether a record is an event of a migration, by its category and name. */
bool fxt_is_migration(const struct fxt_record *r);

/*
 * Reads the instant event that fxt-on-linux.rst describes.  Returns 0; -ENOENT if the record
 * is another one, or has a value that no kernel writes.
 */
int fxt_migrate_view_get(struct fxt_migrate_view *view, const struct fxt_record *r);

/*
 * Builds that event on the track of view->cpu, in a process with the track's koid; the
 * caller may set another process.  It needs the provider "fxtrec cpu N" of that CPU.
 */
void fxt_migrate_view_put(const struct fxt_migrate_view *view, struct fxt_record *r, __u64 ns);

#endif
