/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * States of threads that the recorder listed.  A thread without an event so far has the listed state since
 * the listing started; a thread that never gets an event becomes no task, unless it runs or waits for a CPU.
 */
#ifndef FXT_ANALYZE_MACHINE_LISTED_H
#define FXT_ANALYZE_MACHINE_LISTED_H

#include "analyze/machine/tasks.h"

struct fxt_machine;

struct fxt_listed {
	__u64 since;		/* ns, not before the machine's start */
	__u64 at;		/* ns of the listing */
	__u32 cpu;		/* last CPU of the thread */
	enum fxt_linux_state state;
	bool over;		/* an event has come, or the thread is no longer recorded */
};

/*
 * Starts a listing by an event "listed": no event is missing since then.  The following states belong to this listing.
 */
void fxt_listed_begin(struct fxt_machine *m, __u64 ns);

/* Reads an event "thread_state".  Returns 0 or -errno. */
int fxt_listed_event(struct fxt_machine *m, const struct fxt_record *r);

/*
 * Adds the first task of an id, at its first event, with the listed state as its phase.  Returns NULL without memory.
 */
struct fxt_task *fxt_listed_first(struct fxt_machine *m, __u64 tid);

/* Drops the state of a thread. */
void fxt_listed_forget(struct fxt_machine *m, __u64 tid);

/*
 * Returns the phase of a thread without any event up to the trace's end; UNKNOWN unless it
 * is known for the whole trace.
 */
enum fxt_phase fxt_listed_throughout(const struct fxt_machine *m, __u64 tid);

#endif
