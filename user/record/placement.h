/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeps the recorder out of the way of what it records.  A real-time thread wakes on the
 * CPU where it slept, however busy that is, and stops what runs there.
 */
#ifndef FXT_RECORD_PLACEMENT_H
#define FXT_RECORD_PLACEMENT_H

#include "source/source.h"

struct fxt_placement {
	const struct fxt_source *source;
	__u64 *heads;		/* of the SCHED rings at the last look, by index; NULL: never goes */
	__u64 looked;		/* CLOCK_MONOTONIC */
};

void fxt_placement_begin(struct fxt_placement *placement, const struct fxt_source *source);

/* Twice a second, goes to the CPU where least happened, if much more did on this one. */
void fxt_placement_look(struct fxt_placement *placement);

void fxt_placement_end(struct fxt_placement *placement);

#endif
