/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A flight recorder: the SCHED and EVENTS rings are overwritten round and round, what the
 * INFO rings tell is kept in memory, and snapshots are written of both.
 */
#ifndef FXT_FLIGHT_FLIGHT_H
#define FXT_FLIGHT_FLIGHT_H

#include "describe/counters.h"
#include "describe/names.h"
#include "flight/info_log.h"
#include "marks/marks.h"
#include "output/output.h"
#include "source/ring_state.h"
#include "source/source.h"
#include "util/error.h"

struct fxt_flight {
	struct fxt_source *source;
	struct fxt_names names;
	struct fxt_info_log log;
	struct fxt_counters counters;
	bool takes_marks;	/* set by the caller: programs' marks are recorded */
	struct fxt_marks marks;
	__u64 opened;		/* ticks */
	__u64 missed;		/* events that no CPU's rings could count */
	__u64 looked;		/* for these, ticks */
	/* NULL, or told of every event record of the INFO rings: a whole one. */
	void (*heard)(void *arg, const __u64 *w);
	void *heard_arg;
};

/* 0 or -errno with the error set, as all below. */
int fxt_flight_begin(struct fxt_flight *flight, struct fxt_source *source, struct fxt_error *error);

/* Takes in what the INFO rings and programs' marks hold; to be called some ten times a second. */
int fxt_flight_run(struct fxt_flight *flight, struct fxt_error *error);

/* Takes in what the INFO rings hold, and says how they stood then, by index of the source's CPUs. */
int fxt_flight_infos(struct fxt_flight *flight, struct fxt_ring_state *states,
		     struct fxt_error *error);

/* Keeps what is told of events that no CPU's rings could count; run() does once a second.  -errno. */
int fxt_flight_missed(struct fxt_flight *flight);

/*
 * snapshot.c: writes a file of the last longest_ns (0: of all that the rings hold), with the
 * names of all who are in it.  Recording goes on meanwhile.
 */
int fxt_flight_snapshot(struct fxt_flight *flight, struct fxt_output *output, __u64 longest_ns,
			const char *trigger, struct fxt_error *error);

void fxt_flight_uninit(struct fxt_flight *flight);

#endif
