/* SPDX-License-Identifier: GPL-2.0-only */
/* Scheduling records in Linux' terms: read from records of any origin, and built as fxtrec's. */
#ifndef FXT_MODEL_SCHED_VIEW_H
#define FXT_MODEL_SCHED_VIEW_H

#include "codec/provider.h"
#include "codec/record.h"
#include "fxt/linux.h"
#include "model/prev_state.h"

/* Numbers of CPUs have 16 bits in all records. */
#define FXT_VIEW_CPU_MAX	0xffffu

/* The priority that the kernel gives the idle thread. */
#define FXT_IDLE_PRIORITY	120

/* sched_switch */
struct fxt_switch_view {
	__u32 cpu;
	__u64 prev;
	__s32 prev_prio;
	bool preempted;			/* then state is R: "R+" */
	enum fxt_linux_state state;
	__u64 next;
	__s32 next_prio;
	enum fxt_unchosen unchosen;	/* other switches of these may not be recorded */
};

/* sched_waking, or sched_wakeup_new */
struct fxt_wakeup_view {
	__u32 cpu;		/* the waker's */
	bool new;		/* sched_wakeup_new */
	__u64 thread;
	__s32 prio;
	__u32 target;		/* where it ran last: it may go elsewhere */
	__u64 waker;
	bool waker_known;
	bool on_cpu;		/* the thread had not left its CPU */
	enum fxt_waker_context context;
};

/* sched_migrate_task, of a thread that another CPU is to run from now on */
struct fxt_migrate_view {
	__u32 cpu;		/* the one that moves it */
	__u64 thread;
	__s32 prio;
	__u32 from, to;		/* CPUs */
};

/* By the record's kind; an event is a migration. */
union fxt_sched_view {
	struct fxt_switch_view change;
	struct fxt_wakeup_view wakeup;
	struct fxt_migrate_view migrate;
};

/* Whether a record's view is in place of its arguments: a migration has both. */
static inline bool fxt_record_is_brief(const struct fxt_record *r)
{
	return r->view && r->kind != FXT_KIND_EVENT;
}

/* "outgoing", "incoming", "both", or "" for none. */
const char *fxt_switch_view_unchosen(const struct fxt_switch_view *view);

/* The thread of such a name; NONE for any other text. */
enum fxt_unchosen fxt_unchosen_parse(const char *text, size_t count);

/* "task", "softirq", "hardirq", "nmi", "softirq timer" or "hardirq timer". */
const char *fxt_context_name(enum fxt_waker_context context);

/* The context of such a name; of one that goes on after a space, the part before it; TASK for any other text. */
enum fxt_waker_context fxt_context_parse(const char *text, size_t count);

/* Letters of a state as ftrace prints them: "S", "R+". */
const char *fxt_switch_view_letters(const struct fxt_switch_view *view);

/* Sets state and preempted by such letters ("D|K" counts as D); -EINVAL for none known. */
int fxt_switch_view_parse(struct fxt_switch_view *view, const char *letters, size_t count);

/* The kernel's own prev_state of sched_switch. */
static inline __u16 fxt_switch_view_prev_state(const struct fxt_switch_view *view,
					       const struct fxt_prev_numbers *numbers)
{
	return view->preempted ? numbers->preempted : numbers->state[view->state];
}

/* Sets state and preempted, prev being set, by a number of that meaning. */
static inline void fxt_switch_view_prev_state_set(struct fxt_switch_view *view, __s64 number,
						  const struct fxt_prev_states *states)
{
	view->state = fxt_prev_state(states, number, &view->preempted);
	view->preempted = view->preempted && view->prev;
}

/* Of a context switch record, the legacy one too; what it doesn't have gets the default. */
void fxt_switch_view_get(struct fxt_switch_view *view, const struct fxt_record *r);
void fxt_wakeup_view_get(struct fxt_wakeup_view *view, const struct fxt_record *r);

/* The records that fxt-on-linux describes; a wakeup's provider is "fxtrec cpu N" of view->cpu. */
void fxt_switch_view_put(const struct fxt_switch_view *view, struct fxt_record *r, __u64 ns);
void fxt_wakeup_view_put(const struct fxt_wakeup_view *view, struct fxt_record *r, __u64 ns);

/* Whether a record is an event of that name, whatever it has. */
bool fxt_is_migration(const struct fxt_record *r);

/*
 * Of the instant event, in all of its parts, that fxt-on-linux describes: 0; -ENOENT where
 * the record is another, or has what no kernel writes.
 */
int fxt_migrate_view_get(struct fxt_migrate_view *view, const struct fxt_record *r);

/*
 * That event, on the track of view->cpu, in a process of the same koid where the caller sets
 * no other; its provider is "fxtrec cpu N" of that CPU.
 */
void fxt_migrate_view_put(const struct fxt_migrate_view *view, struct fxt_record *r, __u64 ns);

#endif
