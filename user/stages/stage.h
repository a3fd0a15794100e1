/* SPDX-License-Identifier: GPL-2.0-only */
/* The interface of all stages between the sorter and an analysis or a writer. */
#ifndef FXT_STAGES_STAGE_H
#define FXT_STAGES_STAGE_H

#include "codec/record.h"

/*
 * A stage gets the records in time order, one at a time, and passes on no, one or several records for each.  A record
 * is valid until the sorter's next one is read; the stage may change it.
 */
struct fxt_stage {
	/* Gets a record.  Returns 0, -errno, or 1 from the last stage: no more records are needed. */
	int (*put)(struct fxt_stage *stage, struct fxt_record *r);
	/*
	 * Passes on the records that are still held at the end; NULL: the stage holds no records.  Returns as put()
	 * does.
	 */
	int (*end)(struct fxt_stage *stage);
	void *arg;
	struct fxt_stage *next;
	bool busy;		/* the stage needs each record or holds records: no record may skip it */
};

/* Puts a record into the next stage. */
static inline int fxt_stage_pass(struct fxt_stage *stage, struct fxt_record *r)
{
	return stage->next->put(stage->next, r);
}

/* Copies a record without the unused part of its arguments, which is most of it. */
static inline void fxt_record_copy(struct fxt_record *to, const struct fxt_record *from)
{
	const size_t rest = offsetof(struct fxt_record, payload);

	memcpy(to, from, offsetof(struct fxt_record, args));
	memcpy(to->args, from->args, from->arg_count * sizeof(from->args[0]));
	memcpy((char *)to + rest, (const char *)from + rest, sizeof(*to) - rest);
}

#endif
