/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeps the records inside the time window of an output, and puts the recorder's facts at the output's start and at the
 * window's end.
 */
#ifndef FXT_STAGES_BOUNDS_H
#define FXT_STAGES_BOUNDS_H

#include "stages/carryover.h"
#include "stages/stage.h"
#include "util/window.h"

struct fxt_bounds {
	struct fxt_carryover *carryover;	/* facts, and the names of threads before the window */
	__u64 first, last;	/* span of the trace, in ns */
	bool set;		/* there is a window, from and to are valid */
	__u64 from, to;		/* ns */
	bool carries;		/* the output starts with the state before it */
	bool several;		/* the trace is of several machines */
	bool started;		/* there was a record, and the facts are put */
	__u64 begin;		/* start of an output that carries state, in ns, once it has started */
};

/* Returns whether all of the trace is outside of the window; a window inside has states even if it has no event. */
bool fxt_bounds_is_outside(const struct fxt_bounds *bounds);

int fxt_bounds_put(struct fxt_stage *stage, struct fxt_record *r);
int fxt_bounds_end(struct fxt_stage *stage);

#endif
