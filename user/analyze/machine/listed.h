/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * States of threads that the recorder listed.  A thread without an event so far is in that state since the listing
 * began; one that stays without is no task, unless it runs or waits for a CPU.
 */
#ifndef FXT_ANALYZE_MACHINE_LISTED_H
#define FXT_ANALYZE_MACHINE_LISTED_H

#include "analyze/machine/tasks.h"

struct fxt_machine;

struct fxt_listed {
	__u64 since;		/* ns */
	__u32 cpu;		/* where the thread ran last */
	enum fxt_linux_state state;
	bool over;		/* an event has come, or nothing is recorded of the thread any more */
};

/* Takes an event "listed": no event is missing since then.  The states that follow are of such a listing. */
void fxt_listed_begin(struct fxt_machine *m, __u64 ns);

/* Takes an event "thread_state".  0 or -errno. */
int fxt_listed_event(struct fxt_machine *m, const struct fxt_record *r);

/* Makes the first task of an id, which has an event, and begins it with the listed state; NULL: -ENOMEM. */
struct fxt_task *fxt_listed_first(struct fxt_machine *m, __u64 tid);

/* Forgets the state of a thread. */
void fxt_listed_forget(struct fxt_machine *m, __u64 tid);

/* Returns the phase of a thread that has had no event up to the trace's end; UNKNOWN if it isn't known for all of the trace. */
enum fxt_phase fxt_listed_throughout(const struct fxt_machine *m, __u64 tid);

#endif
