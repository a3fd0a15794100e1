/* SPDX-License-Identifier: GPL-2.0-only */
/* Merges sources that each are in time order: a heap with the earliest on top. */
#ifndef FXT_CONVERT_SORT_MERGE_H
#define FXT_CONVERT_SORT_MERGE_H

#include "codec/record.h"

/* The first member of what is merged: the sorter's memory, a run of the file, a stream. */
struct fxt_merge_source {
	/* Moves to the next record.  1, with its time; 0 at the end; -errno. */
	int (*next)(struct fxt_merge_source *source, __u64 *ns);
	/* Sets the current record, of that time; it is valid until the next one.  0 or -errno. */
	int (*get)(struct fxt_merge_source *source, __u64 ns, struct fxt_record *r);
};

/* All zero is empty. */
struct fxt_merge {
	struct fxt_merge_head *heap;
	size_t count;
	size_t room;
	size_t added;
	__u64 until;		/* the first source is the first one up to there at least */
	bool started;		/* the first source's record was passed on */
};

/* Adds a source at its first record; of equal times, earlier sources come first.  0 or -errno. */
int fxt_merge_add(struct fxt_merge *merge, struct fxt_merge_source *source);

/* The next record in time order; 1; 0 at the end; -errno. */
int fxt_merge_next(struct fxt_merge *merge, struct fxt_record *r);

void fxt_merge_uninit(struct fxt_merge *merge);

#endif
