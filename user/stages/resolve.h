/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Resolves events with types that depend on earlier records (open system calls, flows, track descriptors), once the merge
 * has put the records in time order.
 */
#ifndef FXT_STAGES_RESOLVE_H
#define FXT_STAGES_RESOLVE_H

#include "stages/stage.h"
#include "store/map.h"

/* The last argument of a flow that isn't settled: it is of the older form. */
#define FXT_FLOW_OLDER	""

struct fxt_resolve {
	struct fxt_map flows;	/* those that began, by input */
	struct fxt_map calls;	/* the system call of each thread */
	struct fxt_map tracks;	/* of operations, with the open ones of each */
	struct fxt_resolve_open *unused;	/* of these */
	bool waits;		/* next has a call's begin, which comes after the end that it implies */
	struct fxt_record next;
};

void fxt_resolve_init(struct fxt_resolve *resolve, struct fxt_spill *spill);
void fxt_resolve_uninit(struct fxt_resolve *resolve);

/*
 * Settles unsettled events and passes all others on.  A step of a flow that is not open begins it, and an end of one that isn't open is none; those with
 * FXT_FLOW_OLDER last are as Perfetto reads the older form, with any number of ends.  Their first argument, if any, is
 * the number of the operation that they are of.  A duration is a system call, of which a thread has one at a time: an end of another one is
 * none, an end without a name is of any, and another begin ends it before that.  The end of an operation without a
 * name is that of the last open one of its number.
 */
int fxt_resolve_put(struct fxt_stage *stage, struct fxt_record *r);

/* What operations of the record's input and number are: of its thread and that type, with its argument, if any. */
int fxt_resolve_track(struct fxt_resolve *resolve, const struct fxt_record *r, enum fxt_event_type type);

#endif
