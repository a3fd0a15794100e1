/* SPDX-License-Identifier: GPL-2.0-only */
/* Merges sources that each are in time order: a heap with the earliest on top. */
#ifndef FXT_STREAM_MERGE_H
#define FXT_STREAM_MERGE_H

#include "stream/brief.h"

/*
 * A source of the merge, as the first member: the sorter's memory, a run of the file, a stream.  Brief records that a
 * stream has read ahead are passed on without a call.
 */
struct fxt_merge_source {
	/* Moves to the next record.  1, with its time; 0 at the end; -errno. */
	int (*next)(struct fxt_merge_source *source, __u64 *ns);
	/* Sets the current record, of time ns; it is valid until the next one.  0 or -errno. */
	int (*get)(struct fxt_merge_source *source, __u64 ns, struct fxt_record *r);
	/*
	 * NULL, or the current record, which is in brief, and the end of the records after it that next() would move
	 * to.
	 */
	const struct fxt_brief *brief, *brief_end;
	const struct fxt_provider *provider;	/* provider of the brief records */
	__u32 input, machine;
};

/* All zero is empty. */
struct fxt_merge {
	struct fxt_merge_head *heap;
	size_t count;
	size_t added;
	__u64 until;		/* the first source stays the first until this time */
	/* The first source, after its record was passed on; NULL: no record was passed on. */
	struct fxt_merge_source *current;
};

/* Adds a source at its first record; at equal times, earlier sources come first.  0 or -errno. */
int fxt_merge_add(struct fxt_merge *merge, struct fxt_merge_source *source);

/* Reads the next record, of any kind.  Returns as fxt_merge_next() does. */
int fxt_merge_next_any(struct fxt_merge *merge, struct fxt_record *r);

/* Returns whether the next record is known to be of the same source, which has read it ahead in brief. */
static inline bool fxt_merge_goes_on(const struct fxt_merge *merge)
{
	const struct fxt_merge_source *source = merge->current;

	return source && source->brief && source->brief + 1 != source->brief_end && source->brief[1].ns < merge->until;
}

/* Reads the next record in time order; 1; 0 at the end; -errno. */
static inline int fxt_merge_next(struct fxt_merge *merge, struct fxt_record *r)
{
	struct fxt_merge_source *source = merge->current;

	if (!fxt_merge_goes_on(merge) || source->brief[1].kind == FXT_KIND_EVENT)
		return fxt_merge_next_any(merge, r);
	source->brief++;
	fxt_record_set_brief(r, source->brief->kind, source->brief->ns, &source->brief->view, source->provider,
			     source->input, source->machine);
	return 1;
}

/*
 * Reads the next records in brief, up to end, where they are of the same source as the last record, which has read them
 * ahead.  Returns NULL where there are none: fxt_merge_next() has to read the next record.
 */
const struct fxt_brief *fxt_merge_next_briefs(struct fxt_merge *merge, const struct fxt_brief **end);

void fxt_merge_uninit(struct fxt_merge *merge);

#endif
