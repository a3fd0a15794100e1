// SPDX-License-Identifier: GPL-2.0-only
/* Copies the latest records of a ring that is overwritten at the same time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fxt/wire.h"
#include "source/ring_copy.h"
#include "source/stretch.h"

/* Position of a sub-buffer, and the offset of its records in the copy. */
struct piece {
	__u64 position;
	size_t offset;
};

/* Returns the oldest position that the ring still holds with that head. */
static __u64 oldest(const struct fxtrec_producer *p, __u64 head)
{
	__u64 number = head >> p->subbuf_shift;

	return number < p->subbufs || !p->subbufs ? 0 : (number - p->subbufs + 1) << p->subbuf_shift;
}

int fxt_ring_copy_make(struct fxt_ring_copy *copy, const struct fxt_source_cpu *cpu,
		       enum fxtrec_ring_kind kind, __u64 head)
{
	const struct fxtrec_producer *p = &cpu->area->ring[kind];
	/* Where writers nest, an old sub-buffer is overwritten before head reaches it. */
	const __u64 *reached = kind == FXTREC_RING_EVENTS ? &p->reserve : &p->head;
	__u64 at = oldest(p, head), kept;
	struct piece pieces[FXTREC_SUBBUFS_MAX];
	unsigned int count = 0, first = 0;
	size_t bytes = 0;

	*copy = (struct fxt_ring_copy){ .memory = malloc(head - at + 1) };
	if (!copy->memory)
		return -ENOMEM;
	while (at != head) {
		struct fxt_stretch stretch;
		__u64 next = fxt_stretch_get(&stretch, cpu->area, kind, at, head);

		/* A sub-buffer that is being overwritten may hold anything. */
		if (stretch.bytes > next - at)
			stretch.bytes = 0;
		pieces[count++] = (struct piece){ at, bytes };
		memcpy(copy->memory + bytes, stretch.records, stretch.bytes);
		bytes += stretch.bytes;
		at = next;
	}
	/* Pairs with the producer's FXT_STORE_BARRIER() before it overwrites a sub-buffer. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	kept = oldest(p, fxt_position(reached));
	while (first < count && pieces[first].position < kept)
		first++;
	copy->from_start = !kept;
	copy->records = (__u64 *)(copy->memory + (first < count ? pieces[first].offset : bytes));
	copy->words = (copy->memory + bytes - (const __u8 *)copy->records) / 8;
	return 0;
}

void fxt_ring_copy_free(struct fxt_ring_copy *copy)
{
	free(copy->memory);
	*copy = (struct fxt_ring_copy){};
}

static const __u64 *end(const struct fxt_ring_copy *copy)
{
	return copy->records + copy->words;
}

/* Returns whether a record has its time in the second word: scheduling records and reports of losses. */
static bool timed(const __u64 *w)
{
	__u64 type = fxt_field(*w, 0, 3);

	return type == FXT_RECORD_SCHEDULING || type == FXT_RECORD_EVENT;
}

/* Returns the time when a record was written: for a report of a loss, the loss's end. */
static __u64 written(const __u64 *w)
{
	if (fxt_field(*w, 0, 3) == FXT_RECORD_EVENT &&
	    fxt_field(*w, 16, 19) == FXT_EVENT_DURATION_COMPLETE)
		return w[fxt_field(*w, 4, 15) - 1];
	return w[1];
}

__u64 fxt_ring_copy_cut(struct fxt_ring_copy *copy, __u64 ticks, __u64 opened)
{
	__u64 *w = copy->records, *first = w;

	for (; w < end(copy); w += fxt_field(*w, 4, 15)) {
		if (!timed(w))
			continue;
		if (written(w) >= ticks)
			break;
		first = w + fxt_field(*w, 4, 15);
	}
	if (first == copy->records) {
		if (copy->from_start)
			return ticks > opened ? ticks : opened;
		return w < end(copy) ? w[1] : ~0ULL;
	}
	copy->words -= first - copy->records;
	copy->records = first;
	return ticks;
}

/*
 * Returns whether an event has a thread in a word of its own: an inline thread, or one that is moved
 * (fxt_sched_migrate()).
 */
static bool names_thread(const __u64 *event)
{
	__u64 thread = fxt_field(*event, 24, 31);

	return !thread || thread == FXT_THREAD_TRACK(FXT_TRACK_MIGRATIONS);
}

void fxt_ring_copy_threads(const struct fxt_ring_copy *copy, void (*each)(__u64 tid, void *arg),
			   void *arg)
{
	const __u64 *w;

	for (w = copy->records; w < end(copy); w += fxt_field(*w, 4, 15)) {
		if (fxt_field(*w, 0, 3) == FXT_RECORD_EVENT && names_thread(w))
			each(w[3], arg);
		if (fxt_field(*w, 0, 3) != FXT_RECORD_SCHEDULING)
			continue;
		each(w[2], arg);
		each(fxt_field(*w, 60, 63) == FXT_SCHEDULING_CONTEXT_SWITCH ? w[3] : w[4], arg);
	}
}
