/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session that keeps its records in memory: the SCHED and EVENTS rings are overwritten again and again, records from
 * the INFO rings are kept in a log, and triggers have snapshots of both written.
 */
#ifndef FXT_FLIGHT_FLIGHT_H
#define FXT_FLIGHT_FLIGHT_H

#include <limits.h>

#include "flight/control.h"
#include "flight/info_log.h"
#include "flight/rest.h"
#include "output/files.h"
#include "record/session.h"
#include "source/ring_state.h"

struct fxt_flight {
	struct fxt_session *session;
	struct fxt_info_log log;
	struct fxt_info_section section;	/* the tool's section of the log */
	/* Marks of each user: of programs that mark little, and of programs that mark a lot. */
	struct fxt_info_log marks[FXT_MARK_USERS_MAX][2];
	__u64 missed;		/* events that no CPU's rings could count, and that the log reports */
	__u64 missed_read;	/* ticks when missed was read */

	struct fxt_files files;
	struct fxt_control control;
	const char *trigger;	/* trigger of the next snapshot; NULL: no snapshot is asked for */
	enum fxt_series_kind kind;	/* kind of the next snapshot */
	__u64 due;		/* CLOCK_MONOTONIC when the next snapshot is taken */
	struct fxt_rest rests[FXT_TRIGGERS_MAX];
	const char *writing;	/* trigger of the snapshot that is being written; NULL: no such snapshot */
	char path[PATH_MAX];	/* path of that snapshot */
	bool shorter;		/* a CPU's rings didn't hold all of that snapshot's time */
	__u32 shortest_cpu;	/* the CPU with the shortest time */
	__u64 shortest_ns;
	bool over;		/* the end was requested, and all records before it are drained */
	unsigned int snapshots;
	unsigned int failed;	/* snapshots that could not be written */
};

/*
 * Runs an open session; snapshots go to numbered files of that name.  0 or -errno with the error set.  A snapshot that
 * fails is reported, and the session continues.
 */
int fxt_flight_run(struct fxt_flight *flight, struct fxt_session *session, const char *path,
		   struct fxt_error *error);

/* Drains the INFO rings, and reads their states, by index of the source's CPUs, unless states is NULL.  -errno. */
int fxt_flight_drain_names(struct fxt_flight *flight, struct fxt_ring_state (*states)[FXTREC_RINGS]);

/* Has the log report events that no CPU's rings could count.  The session does that once a second anyway.  -errno. */
int fxt_flight_report_missed(struct fxt_flight *flight);

/*
 * Writes a file of the last longest_ns (0: of all that the rings hold), with the names of all threads in it
 * (snapshot.c).  Recording continues.  -errno with the error set.
 */
int fxt_flight_snapshot(struct fxt_flight *flight, struct fxt_output *output, __u64 longest_ns,
			const char *trigger, struct fxt_error *error);

#endif
