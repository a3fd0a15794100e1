/* SPDX-License-Identifier: GPL-2.0-only */
/* A last stage that keeps the records of one put until they are read. */
#ifndef FXT_STAGES_QUEUE_H
#define FXT_STAGES_QUEUE_H

#include "stages/stage.h"

/* All zero is empty. */
struct fxt_queue {
	struct fxt_stage stage;
	struct fxt_record *record;	/* copies */
	__u32 count, capacity;
	__u32 given;			/* number of copies that were read */
	const struct fxt_record *into;	/* record that the sorter's next one is read into */
	bool in_place;			/* the record at into came out, before all copies */
};

int fxt_queue_put(struct fxt_stage *stage, struct fxt_record *r);

/* Moves the next record to r, which has to be into where in_place is set.  Returns whether there is a record. */
bool fxt_queue_get(struct fxt_queue *queue, struct fxt_record *r);

void fxt_queue_uninit(struct fxt_queue *queue);

#endif
