/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session of recording: from the options to the end that a signal, the time or COMMAND brings.  Its operations decide
 * where records go: to files (recording.h) or to memory (flight/flight.h).
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
#include "patience/patience.h"
#include "util/sink.h"

/* Each operation returns 0 or -errno; an operation with an error parameter sets it. */
struct fxt_session_ops {
	__u64 ring_tail;	/* mode of the rings of events: 0, or FXTREC_OVERWRITE */
	/* Called before the source starts: opens the destination of records, and lists the threads. */
	int (*begin)(void *arg, struct fxt_error *error);
	/* Called once the rings of events are open; may be NULL. */
	int (*started)(void *arg, struct fxt_error *error);
	/* Drains the rings as far as that is due. */
	int (*drain)(void *arg);
	/* Drains the INFO rings. */
	int (*drain_names)(void *arg);
	/* Puts records into a CPU's section. */
	int (*put_cpu)(void *arg, __u32 cpu, const void *records, size_t bytes);
	/* Puts records of a program's marks. */
	int (*put_marks)(void *arg, const struct fxt_mark_chunk *chunk);
	/* Called after each drain, for limits, files and triggers. */
	int (*poll)(void *arg, struct fxt_error *error);
	/* Called when the session is over: stops the source by fxt_session_stop(), and drains the rest. */
	int (*end)(void *arg, struct fxt_error *error);
};

/* Counters of a CPU's renames that were left out as a thread repeated them (fxt/rename.h). */
struct fxt_surplus {
	__u64 left_out;		/* left out by the tool; the producer has its own counter */
	__u64 before;		/* value of the producer's counter at the recording's start */
	__u64 reported;
};

struct fxt_session {
	const struct fxt_record_options *options;
	struct fxt_source source;
	struct fxt_error fallback;	/* reason why the module isn't used; "": it is used, or was not asked for */
	struct fxt_stacks *stacks;	/* NULL: there are no records of stacks */
	struct fxt_names names;
	struct fxt_describer *describer;
	struct fxt_counters counters;
	struct fxt_marks *marks;
	struct fxt_workload workload;
	int signals;		/* a signalfd */
	int status;		/* exit status of COMMAND */
	int command_err;	/* -errno where COMMAND could not be run */
	struct fxt_error command_error;

	/* Set by the caller of fxt_session_run(), and changed by the operations at will. */
	const struct fxt_session_ops *ops;
	void *arg;		/* argument of the operations */
	struct fxt_sink tool;	/* destination of the tool's own records */
	const struct fxt_sink *descriptions;	/* destination of descriptions of processes; NULL: they are only kept */
	struct fxt_idle idle;	/* drains in long operations, from the start on */
	struct fxt_patience patience;	/* limit of the wait for disks; reads signals during the wait */
	const char *object;	/* destination of records, for messages */
	__u64 period_ns;	/* the longest time until the next iteration */
	int wakeup;		/* a descriptor that ends the period when it is readable; -1: none */
	bool busy;		/* the session's end has to wait */

	bool end;		/* the end was requested */
	bool hurry;		/* the end was requested again by another signal */
	bool hurry_reported;	/* the wait for a second signal was reported */
	__u64 followed_seen;	/* CLOCK_MONOTONIC of the last check of threads that were given by id */
	__u32 followed_witness;	/* id of a followed thread that lived */
	unsigned int followed_gone;	/* number of checks in a row that found no followed thread */
	__u64 signalled;	/* CLOCK_MONOTONIC of the last signal */
	__u64 end_seen;		/* CLOCK_MONOTONIC of the start of the wait for the disk at the end; 0: no wait */
	bool sigusr1;		/* SIGUSR1 came; the operation that acts on it resets it */
	bool command_failed;	/* COMMAND failed; the operation that acts on it resets it */
	__u64 opened;		/* ticks when the rings of events were opened */
	__u64 described;	/* CLOCK_MONOTONIC of the last description of newly named processes */
	__u64 started, ended;	/* CLOCK_MONOTONIC; 0: not yet */
	int stop_err;		/* result of stopping the source */
	struct fxt_error stop_error;
	__u64 missed;		/* events that no CPU's rings could count */
	struct fxt_surplus *surplus;	/* by index of the source's CPUs */
	__u64 surplus_read;	/* ticks when surplus was read */
};

/* Blocks the signals that end a session, and opens the source.  0 or -errno with the error set. */
int fxt_session_open(struct fxt_session *session, const struct fxt_record_options *options,
		     struct fxt_error *error);

/*
 * Runs the session until its end; -ECANCELED where the end comes before the start.  COMMAND doesn't outlive the
 * session.
 */
int fxt_session_run(struct fxt_session *session, struct fxt_error *error);

/* Drains rings, counters and marks.  For the operations. */
int fxt_session_drain(struct fxt_session *session, struct fxt_error *error);

/*
 * Has all processes described that have a new name, and waits at most longest_ns for the descriptions.  For the
 * operations.  -errno.
 */
int fxt_session_describe(struct fxt_session *session, __u64 longest_ns);

/*
 * Reports renames that were left out, and puts the current names of these threads.  The session does that once a second
 * anyway.  For the operations.  -errno.
 */
int fxt_session_surplus_report(struct fxt_session *session);

/* Returns the number of renames that were left out on a CPU; cpu is an index of the source's CPUs. */
__u64 fxt_session_surplus(const struct fxt_session *session, unsigned int cpu);

/*
 * Has the objects of all processes named, or of each process once it is described from now on, unless the options leave
 * that out.  For the operations.
 */
void fxt_session_objects(struct fxt_session *session, bool all);

/* Stops the source, once.  For the operations. */
int fxt_session_stop(struct fxt_session *session, struct fxt_error *error);

void fxt_session_close(struct fxt_session *session);

#endif
