/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The order of complete events that begin together: the longer ones first, as the others are within them; then the
 * flows of that time, which begin and end in them.
 */
#ifndef FXT_STAGES_NEST_H
#define FXT_STAGES_NEST_H

#include "codec/record.h"

struct fxt_nest_start;

/* All zero: none. */
struct fxt_nest {
	struct fxt_record *held;	/* of one time, as they came */
	struct fxt_nest_start *order;	/* of these */
	__u32 count, room;
	__u32 given;			/* of them, once they are ordered */
	bool ordered;
	bool behind;			/* a record that was read behind them waits in next */
	struct fxt_record next;
};

/* Reads the next record in time order: 1; 0 at the end; -errno. */
typedef int (*fxt_nest_fn)(void *source, struct fxt_record *r);

/* Whether a copy of the record stays valid: its texts are in the sorter's table. */
bool fxt_nest_holdable(const struct fxt_record *r);

/* Whether others may have to come before the record. */
static inline bool fxt_nest_is_one(const struct fxt_record *r)
{
	return r->kind == FXT_KIND_EVENT &&
	       (r->event.type == FXT_EVENT_DURATION_COMPLETE || r->event.type >= FXT_EVENT_FLOW_BEGIN) &&
	       fxt_nest_holdable(r);
}

/* Whether the next record is one of these. */
static inline bool fxt_nest_wait(const struct fxt_nest *nest)
{
	return nest->count || nest->behind;
}

/* Takes the one that was read, where none waits.  0 or -ENOMEM. */
int fxt_nest_take(struct fxt_nest *nest, const struct fxt_record *r);

/*
 * The next record where some wait: 1; 0 at the end; -errno.  An event or a log record of a thread that has none among
 * these goes before them.
 */
int fxt_nest_next(struct fxt_nest *nest, struct fxt_record *r, fxt_nest_fn read, void *source);

void fxt_nest_uninit(struct fxt_nest *nest);

#endif
