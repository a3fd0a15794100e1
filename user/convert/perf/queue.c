// SPDX-License-Identifier: GPL-2.0-only
/*
 * Brings records into time order.  perf reads the buffers of all CPUs round after round:
 * what comes in one is not earlier than the newest of the round before the last.
 */
#include <errno.h>
#include <stdlib.h>

#include "convert/perf/read.h"

/* Of records that wait; where more would, the earliest half of them goes first. */
#define QUEUE_BYTES	((size_t)8 << 20)

void fxt_perf_queue_uninit(struct fxt_perf_queue *q)
{
	free(q->bytes);
	free(q->spare);
	free(q->keys);
}

static __u16 size_at(const struct fxt_perf_queue *q, size_t at)
{
	struct fxt_perf_record head;

	memcpy(&head, q->bytes + at, sizeof(head));
	return head.size;
}

/* Moves what waits still, the keys from first on, to the beginning. */
static int keep(struct fxt_perf_queue *q, size_t first)
{
	__u8 *bytes = q->spare;
	size_t i, used = 0, room;

	if (first == q->count) {
		q->count = q->used = 0;
		return 0;
	}
	if (q->spare_bytes < q->used) {
		bytes = realloc(q->spare, q->bytes_room);
		if (!bytes)
			return -ENOMEM;
		q->spare_bytes = q->bytes_room;
	}

	for (i = first; i < q->count; i++) {
		size_t size = size_at(q, q->keys[i].at);

		memcpy(bytes + used, q->bytes + q->keys[i].at, size);
		q->keys[i - first] = (struct fxt_key){ q->keys[i].ns, used };
		used += size;
	}
	q->spare = q->bytes;
	q->bytes = bytes;
	room = q->spare_bytes;
	q->spare_bytes = q->bytes_room;
	q->bytes_room = room;
	q->used = used;
	q->count -= first;
	return 0;
}

/* Hands on the records that are not later than a time, or as many as that is; all: of both. */
static int hand_on(struct fxt_perf_reader *rd, __u64 until, size_t least)
{
	struct fxt_perf_queue *q = &rd->queue;
	int err = q->count ? fxt_keys_sort(q->keys, q->count) : 0;
	size_t i;

	for (i = 0; !err && i < q->count && (q->keys[i].ns <= until || i < least); i++)
		err = fxt_perf_event(rd, q->bytes + q->keys[i].at);
	return err || !i ? err : keep(q, i);
}

/* Room for a record of that size: more memory, or that of the earlier half. */
static int room_make(struct fxt_perf_reader *rd, size_t size)
{
	struct fxt_perf_queue *q = &rd->queue;
	size_t room = q->bytes_room ? 2 * q->bytes_room : FXT_PERF_RECORD_MAX;
	__u8 *bytes;
	int err;

	if (q->bytes_room < QUEUE_BYTES) {
		bytes = realloc(q->bytes, room);
		if (!bytes)
			return -ENOMEM;
		q->bytes = bytes;
		q->bytes_room = room;
		return 0;
	}
	err = hand_on(rd, 0, q->count - q->count / 2);
	/* The later half may be the larger one. */
	if (!err && q->used + size > q->bytes_room)
		err = hand_on(rd, 0, q->count);
	return err;
}

int fxt_perf_queue_put(struct fxt_perf_reader *rd, const __u8 *record, __u64 time)
{
	struct fxt_perf_queue *q = &rd->queue;
	struct fxt_perf_record head;
	int err = 0;

	memcpy(&head, record, sizeof(head));
	while (!err && q->used + head.size > q->bytes_room)
		err = room_make(rd, head.size);
	if (err)
		return err;
	if (q->count == q->room) {
		size_t room = q->room ? 2 * q->room : 512;
		struct fxt_key *keys = reallocarray(q->keys, room, sizeof(*keys));

		if (!keys)
			return -ENOMEM;
		q->keys = keys;
		q->room = room;
	}
	memcpy(q->bytes + q->used, record, head.size);
	q->keys[q->count++] = (struct fxt_key){ time, q->used };
	q->used += head.size;
	if (time > q->newest)
		q->newest = time;
	return 0;
}

int fxt_perf_queue_round(struct fxt_perf_reader *rd)
{
	struct fxt_perf_queue *q = &rd->queue;
	int err = q->complete ? hand_on(rd, q->complete, 0) : 0;

	q->complete = q->newest;
	return err;
}

int fxt_perf_queue_end(struct fxt_perf_reader *rd)
{
	return hand_on(rd, ~0ULL, 0);
}
