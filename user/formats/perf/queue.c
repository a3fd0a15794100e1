// SPDX-License-Identifier: GPL-2.0-only
/*
 * Brings records into time order. perf reads the buffers of all CPUs round after round: a record of a round is not
 * earlier than the newest record of the round before the last.
 */
#include "formats/perf/read.h"

void fxt_perf_queue_uninit(struct fxt_perf_queue *q)
{
	fxt_keys_uninit(&q->keys);
}

/* Hands on the records up to a time, and at least the first "least" records. */
static int hand_on(struct fxt_perf_reader *rd, __u64 until, size_t least)
{
	struct fxt_keys *keys = &rd->queue.keys;
	int err = fxt_keys_sort(keys);
	size_t i;

	for (i = 0; !err && i < keys->count && (keys->key[i].ns <= until || i < least); i++) {
		__u32 place = keys->key[i].at;

		err = fxt_perf_event(rd, &rd->attrs[keys->key[i].at >> 32], rd->chunks.bytes + place);
		rd->chunks.users[place / FXT_PERF_CHUNK_BYTES]--;
	}
	fxt_keys_drop(keys, i);
	return err;
}

int fxt_perf_queue_relieve(struct fxt_perf_reader *rd)
{
	size_t count = rd->queue.keys.count, i;
	int err = hand_on(rd, 0, count - count / 2);

	for (i = 0; i < FXT_PERF_CHUNKS; i++)
		if (!rd->chunks.users[i])
			return err;
	return err ? err : hand_on(rd, ~0ULL, 0);
}

int fxt_perf_queue_put(struct fxt_perf_reader *rd, const struct fxt_perf_attr *attr, const __u8 *record, __u64 time)
{
	size_t place = record - rd->chunks.bytes;
	int err = fxt_keys_put(&rd->queue.keys, time, (__u64)(attr - rd->attrs) << 32 | place);

	if (err)
		return err;
	rd->chunks.users[place / FXT_PERF_CHUNK_BYTES]++;
	if (time > rd->queue.newest)
		rd->queue.newest = time;
	return 0;
}

int fxt_perf_queue_round(struct fxt_perf_reader *rd, __u64 newest)
{
	struct fxt_perf_queue *q = &rd->queue;
	int err = q->complete ? hand_on(rd, q->complete, 0) : 0;

	q->complete = newest;
	return err;
}

int fxt_perf_queue_end(struct fxt_perf_reader *rd)
{
	return hand_on(rd, ~0ULL, 0);
}
