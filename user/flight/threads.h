/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes the threads of a snapshot: the names of threads in its copies, and the states of the others. */
#ifndef FXT_FLIGHT_THREADS_H
#define FXT_FLIGHT_THREADS_H

#include "describe/states.h"
#include "record/session.h"
#include "source/ring_copy.h"

struct fxt_flight_threads {
	struct fxt_session *session;
	const struct fxt_sink *to;	/* the tool's section */
	struct fxt_ring_copy (*copies)[FXT_EVENT_RINGS];	/* by index of the source's CPUs */
	struct fxt_states *states;	/* states of all threads, read before the copies ended; NULL: unknown */
	__u64 since;			/* ticks: the copies hold all events since then */
};

/* Puts the names and the states; the states are reduced to threads without an event in the copies.  -errno. */
int fxt_flight_threads_put(const struct fxt_flight_threads *threads);

#endif
