/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The order of complete events that begin together: the longer ones first, as the others are within them; then the
 * flows of that time, which begin and end in them.
 */
#ifndef FXT_CONVERT_SORT_STARTS_H
#define FXT_CONVERT_SORT_STARTS_H

#include "codec/record.h"

struct fxt_start;

/* All zero: none. */
struct fxt_starts {
	struct fxt_record *held;	/* of one time, as they came */
	struct fxt_start *order;	/* of these */
	__u32 count, room;
	__u32 given;			/* of them, once they are ordered */
	bool ordered;
	bool behind;			/* a record that was read behind them waits in next */
	struct fxt_record next;
};

/* Reads the next record in time order: 1; 0 at the end; -errno. */
typedef int (*fxt_starts_fn)(void *source, struct fxt_record *r);

/* Whether a copy of the record stays valid: its texts are in the sorter's table. */
bool fxt_starts_holdable(const struct fxt_record *r);

/* Whether others may have to come before the record. */
static inline bool fxt_starts_is_one(const struct fxt_record *r)
{
	return r->kind == FXT_KIND_EVENT &&
	       (r->event.type == FXT_EVENT_DURATION_COMPLETE || r->event.type >= FXT_EVENT_FLOW_BEGIN) &&
	       fxt_starts_holdable(r);
}

/* Whether the next record is one of these. */
static inline bool fxt_starts_wait(const struct fxt_starts *starts)
{
	return starts->count || starts->behind;
}

/* Takes the one that was read, where none waits.  0 or -ENOMEM. */
int fxt_starts_take(struct fxt_starts *starts, const struct fxt_record *r);

/*
 * The next record where some wait: 1; 0 at the end; -errno.  An event or a log record of a thread that has none among
 * these goes before them.
 */
int fxt_starts_next(struct fxt_starts *starts, struct fxt_record *r, fxt_starts_fn read, void *source);

void fxt_starts_uninit(struct fxt_starts *starts);

#endif
