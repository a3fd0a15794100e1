// SPDX-License-Identifier: GPL-2.0-only
/* A last stage that keeps the records of one put until they are read. */
#include <errno.h>
#include <stdlib.h>

#include "stages/queue.h"

#define CAPACITY_MIN	8u

static int grow(struct fxt_queue *q)
{
	__u32 capacity = q->capacity ? 2 * q->capacity : CAPACITY_MIN;
	struct fxt_record *record = realloc(q->record, capacity * sizeof(*record));

	if (!record)
		return -ENOMEM;
	q->record = record;
	q->capacity = capacity;
	return 0;
}

int fxt_queue_put(struct fxt_stage *stage, struct fxt_record *r)
{
	struct fxt_queue *q = stage->arg;
	int err;

	/* Most records come out alone, at the address that the reader wants. */
	if (r == q->into && !q->in_place && !q->count) {
		q->in_place = true;
		return 0;
	}
	err = q->count == q->capacity ? grow(q) : 0;
	if (!err)
		fxt_record_copy(&q->record[q->count++], r);
	return err;
}

bool fxt_queue_get(struct fxt_queue *q, struct fxt_record *r)
{
	if (q->in_place) {
		q->in_place = false;
		return true;
	}
	if (q->given == q->count)
		return false;
	fxt_record_copy(r, &q->record[q->given++]);
	if (q->given == q->count)
		q->given = q->count = 0;
	return true;
}

void fxt_queue_uninit(struct fxt_queue *q)
{
	free(q->record);
}
