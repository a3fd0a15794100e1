/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Resolves events with types that depend on earlier records (open system calls, flows, track descriptors), once the merge
 * has put the records in time order.
 */
#ifndef FXT_STAGES_RESOLVE_H
#define FXT_STAGES_RESOLVE_H

#include "stages/stage.h"
#include "store/map.h"

/* Last argument of an unsettled flow of the older form. */
#define FXT_FLOW_OLDER	""

struct fxt_resolve {
	struct fxt_map flows;	/* started flows, by input */
	struct fxt_map calls;	/* open system call of each thread */
	struct fxt_map tracks;	/* tracks of operations, with their open operations */
	struct fxt_resolve_open *unused;	/* unused open operations */
	bool waits;		/* next has a call's start, which comes after the end that it implies */
	struct fxt_record next;
};

void fxt_resolve_init(struct fxt_resolve *resolve, struct fxt_spill *spill);
void fxt_resolve_uninit(struct fxt_resolve *resolve);

/*
 * Settles unsettled events and passes all others on.
 * - Flows: a step of a flow that is not open starts it, and an end of a flow that isn't open is dropped.  An event with
 *   FXT_FLOW_OLDER as its last argument has the older form, as Perfetto reads it: a flow has any number of ends.  The
 *   first argument, if any, is the number of the flow's operation.
 * - Durations are system calls: a thread has at most one open call.  An end with another name is dropped; an end
 *   without a name ends the open call; a start ends the open call first.
 * - Operations: an end without a name ends the last open operation of its number.
 */
int fxt_resolve_put(struct fxt_stage *stage, struct fxt_record *r);

/*
 * Describes the operations of the record's input and number: they get its thread and the type, and its argument, if
 * any.
 */
int fxt_resolve_track(struct fxt_resolve *resolve, const struct fxt_record *r, enum fxt_event_type type);

#endif
