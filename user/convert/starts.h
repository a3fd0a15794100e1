/* SPDX-License-Identifier: GPL-2.0-only */
/* The order of complete events that begin together: the longer ones first, as the others are within them. */
#ifndef FXT_CONVERT_STARTS_H
#define FXT_CONVERT_STARTS_H

#include "codec/record.h"

struct fxt_start;

/* All zero: none. */
struct fxt_starts {
	struct fxt_record *held;	/* of one time, as they came */
	struct fxt_start *order;	/* of these */
	__u32 count, room;
	__u64 bytes;			/* of these, as fxt_room() has it */
};

typedef int (*fxt_starts_fn)(void *writer, const struct fxt_record *r);

/* Whether a copy of the record stays valid: its texts are in the sorter's table. */
bool fxt_starts_holdable(const struct fxt_record *r);

/*
 * Puts a record, or, hold, keeps a copy until it is known what else begins then.  An event or a log record of a
 * thread that has none among these goes before them.  0 or -errno.
 */
int fxt_starts_put(struct fxt_starts *starts, const struct fxt_record *r, bool hold, fxt_starts_fn put, void *writer);

/* Puts those that are held. */
int fxt_starts_flush(struct fxt_starts *starts, fxt_starts_fn put, void *writer);

void fxt_starts_uninit(struct fxt_starts *starts);

#endif
