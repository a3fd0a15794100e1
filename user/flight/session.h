/* SPDX-License-Identifier: GPL-2.0-only */
/* What a flight recording does: waits for what asks for snapshots, and writes them. */
#ifndef FXT_FLIGHT_SESSION_H
#define FXT_FLIGHT_SESSION_H

#include "flight/flight.h"
#include "output/files.h"
#include "record/options.h"
#include "record/workload.h"

struct fxt_flight_session {
	const struct fxt_record_options *options;
	struct fxt_files *files;
	struct fxt_workload *workload;
	int signals;		/* a descriptor: SIGUSR1 asks, the others but SIGCHLD end it */
	int status;		/* COMMAND's */
	unsigned int snapshots;
	__u64 started, ended;	/* CLOCK_MONOTONIC */
	__u64 missed;		/* events that no CPU's rings could count */
};

/* Until a signal, the duration or COMMAND ends it.  0 or -errno with the error set. */
int fxt_flight_session_run(struct fxt_flight_session *session, struct fxt_source *source, struct fxt_error *error);

#endif
