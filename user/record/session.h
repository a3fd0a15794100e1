/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One session: from the options to the end that a signal, the time or COMMAND brings.
 * What records go to, files (recording.h) or memory (flight/flight.h), is a set of operations.
 */
#ifndef FXT_RECORD_SESSION_H
#define FXT_RECORD_SESSION_H

#include <stdbool.h>

#include "describe/counters.h"
#include "describe/describer.h"
#include "describe/names.h"
#include "describe/stacks.h"
#include "marks/marks.h"
#include "record/options.h"
#include "record/workload.h"
#include "source/source.h"
#include "util/error.h"
#include "util/patience.h"
#include "util/sink.h"

/* Each returns 0 or -errno; those with an error parameter set it. */
struct fxt_session_ops {
	__u64 ring_tail;	/* the rings of events open with it: 0, or FXTREC_OVERWRITE */
	/* Before the source starts: opens what records go to, lists the threads. */
	int (*begin)(void *arg, struct fxt_error *error);
	/* The rings of events are open; may be NULL. */
	int (*started)(void *arg, struct fxt_error *error);
	/* Drains what is due of the rings. */
	int (*drain)(void *arg);
	/* Drains the INFO rings. */
	int (*drain_names)(void *arg);
	/* Puts records of a CPU's section. */
	int (*put_cpu)(void *arg, __u32 cpu, const void *records, size_t bytes);
	/* Puts records of a program's marks. */
	int (*put_marks)(void *arg, const struct fxt_mark_chunk *chunk);
	/* After each drain: limits, files, triggers. */
	int (*poll)(void *arg, struct fxt_error *error);
	/* The session is over: stops the source by fxt_session_stop(), and drains what is left. */
	int (*end)(void *arg, struct fxt_error *error);
};

/* Renames of a thread again and again, on a CPU (fxt/rename.h). */
struct fxt_surplus {
	__u64 left_out;		/* by the tool; the producer counts its own */
	__u64 before;		/* of the producer's, before the recording began */
	__u64 reported;
};

struct fxt_session {
	const struct fxt_record_options *options;
	struct fxt_source source;
	struct fxt_error fallback;	/* why it is not the module; "": it is, or was not asked for */
	struct fxt_stacks *stacks;	/* NULL: there are no records of stacks */
	struct fxt_names names;
	struct fxt_describer *describer;
	struct fxt_counters counters;
	struct fxt_marks *marks;
	struct fxt_workload workload;
	int signals;		/* a descriptor */
	int status;		/* COMMAND's */
	int command_err;	/* it could not be run: why */
	struct fxt_error command_error;

	/* Set by the caller of fxt_session_run(), and changed by the operations at will. */
	const struct fxt_session_ops *ops;
	void *arg;		/* of the operations */
	struct fxt_sink tool;	/* records of the tool's own */
	const struct fxt_sink *descriptions;	/* of processes; NULL: they are kept alone */
	struct fxt_idle idle;	/* drains; from the start on */
	struct fxt_patience patience;	/* with disks: it reads signals meanwhile */
	const char *object;	/* what records go to, for messages */
	__u64 period_ns;	/* until the next turn, at most */
	int wakeup;		/* a descriptor that ends the period when it can be read; -1 */
	bool busy;		/* the session's end has to wait */

	bool end;		/* was asked for */
	bool hurry;		/* the same, and then by another signal */
	bool hurry_reported;	/* that such a signal is waited for */
	__u64 followed_seen;	/* CLOCK_MONOTONIC: threads that were given by id were last looked for */
	__u32 followed_witness;	/* one that lived */
	unsigned int followed_gone;	/* so many times in a row, none of them lived */
	__u64 signalled;	/* CLOCK_MONOTONIC: the last one came */
	__u64 end_seen;		/* likewise: the disk was waited for at the end; 0: it was not */
	bool sigusr1;		/* came; the operation that acts on it resets it */
	bool command_failed;	/* likewise */
	__u64 opened;		/* ticks: the rings of events are open */
	__u64 described;	/* CLOCK_MONOTONIC: processes with a new name were last asked for */
	__u64 started, ended;	/* CLOCK_MONOTONIC; 0: it has not */
	int stop_err;		/* how the source stopped */
	struct fxt_error stop_error;
	__u64 missed;		/* events that no CPU's rings could count */
	struct fxt_surplus *surplus;	/* by index of the source's CPUs */
	__u64 surplus_read;	/* ticks, when it was read */
};

/* Blocks the signals that end a session, and opens the source.  0 or -errno with the error set. */
int fxt_session_open(struct fxt_session *session, const struct fxt_record_options *options,
		     struct fxt_error *error);

/* Until the end; -ECANCELED where that comes before the beginning.  COMMAND doesn't outlive it. */
int fxt_session_run(struct fxt_session *session, struct fxt_error *error);

/* For the operations: drains rings, counters and marks. */
int fxt_session_drain(struct fxt_session *session, struct fxt_error *error);

/*
 * For the operations: has all processes described that have a new name, and waits for so long
 * at most.  -errno.
 */
int fxt_session_describe(struct fxt_session *session, __u64 longest_ns);

/*
 * For the operations: reports renames that were left out, and puts the names that these threads
 * have now.  Done once a second anyway.  -errno.
 */
int fxt_session_surplus_report(struct fxt_session *session);

/* Renames that were left out on a CPU, an index of the source's. */
__u64 fxt_session_surplus(const struct fxt_session *session, unsigned int cpu);

/* For the operations: stops the source, once. */
int fxt_session_stop(struct fxt_session *session, struct fxt_error *error);

void fxt_session_close(struct fxt_session *session);

#endif
