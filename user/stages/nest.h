/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Orders complete events that start together: the longer ones first, as the others are inside them; then the flows of
 * that time, which start and end in them.
 */
#ifndef FXT_STAGES_NEST_H
#define FXT_STAGES_NEST_H

#include "stages/stage.h"

struct fxt_nest_start;

/* All zero: no record is held. */
struct fxt_nest {
	struct fxt_record *held;	/* copies of records of one time, in the order of arrival */
	struct fxt_nest_start *order;
	__u32 count, room;
};

/* Returns whether a copy of the record stays valid: its texts are in the sorter's table. */
bool fxt_nest_holdable(const struct fxt_record *r);

/*
 * Holds complete events and flows of one time up to the next other record.  An event or a log record of the same time
 * goes before them, if all of them are other threads'.
 */
int fxt_nest_put(struct fxt_stage *stage, struct fxt_record *r);
int fxt_nest_end(struct fxt_stage *stage);

void fxt_nest_uninit(struct fxt_nest *nest);

#endif
