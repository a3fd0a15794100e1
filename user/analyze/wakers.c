// SPDX-License-Identifier: GPL-2.0-only
/* Counts of a thread's wakeups by waker and context. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/wakers.h"
#include "store/hash.h"

#define FIRST_BITS	2u	/* log2 of the first table's slots */

const char *const fxt_context_wakers[FXT_CONTEXTS] = {
	[FXT_CONTEXT_SOFTIRQ] = "a softirq",
	[FXT_CONTEXT_HARDIRQ] = "an interrupt",
	[FXT_CONTEXT_NMI] = "an NMI",
	[FXT_CONTEXT_SOFTIRQ_TIMER] = "a timer",
	[FXT_CONTEXT_HARDIRQ_TIMER] = "a timer",
};

/*
 * Returns the slot of a key and a context, or the free slot for them.  The tool assigns the
 * keys consecutively: no input can choose them.
 */
static struct fxt_waker_count *slot_of(const struct fxt_wakers *w, __u64 key, enum fxt_waker_context context)
{
	size_t mask = ((size_t)1 << w->bits) - 1;
	size_t at = (FXT_CONTEXTS * key + context) * FXT_GOLDEN >> (64 - w->bits);

	while (w->slots[at].task && (w->slots[at].key != key || w->slots[at].context != context))
		at = (at + 1) & mask;
	return &w->slots[at];
}

static bool has_room(const struct fxt_wakers *w, size_t count)
{
	return w->slots && fxt_hash_has_room(w->bits, count);
}

static size_t table_bytes(const struct fxt_wakers *w)
{
	return sizeof(*w->slots) << w->bits;
}

/* Grows the table by one step at least, and to a capacity of count entries. */
static int grow(struct fxt_wakers *w, struct fxt_spill *spill, size_t count)
{
	struct fxt_wakers more = *w;
	size_t i;

	more.bits = w->slots ? w->bits + 1 : FIRST_BITS;
	while (!fxt_hash_has_room(more.bits, count))
		more.bits++;
	more.slots = fxt_spill_alloc(spill, table_bytes(&more));
	if (!more.slots)
		return -ENOMEM;
	for (i = 0; w->slots && i < (size_t)1 << w->bits; i++) {
		struct fxt_waker_count slot;

		slot = w->slots[i];
		if (slot.task)
			*slot_of(&more, slot.key, slot.context) = slot;
	}
	if (w->slots)
		fxt_spill_free(spill, w->slots, table_bytes(w));
	*w = more;
	return 0;
}

int fxt_wakers_add_any(struct fxt_wakers *w, struct fxt_spill *spill, struct fxt_task *task,
		       enum fxt_waker_context context, __u64 count)
{
	struct fxt_waker_count *slot;
	__u64 key;

	key = task->key;
	if (!has_room(w, w->used + 1ul)) {
		int err = grow(w, spill, w->used + 1ul);

		if (err)
			return err;
	}
	slot = slot_of(w, key, context);
	if (!slot->task) {
		slot->task = task;
		slot->key = key;
		slot->context = context;
		w->used++;
	}
	slot->count += count;
	w->last = slot - w->slots;
	return 0;
}

int fxt_wakers_merge(struct fxt_wakers *w, struct fxt_spill *spill, const struct fxt_wakers *other)
{
	const struct fxt_wakers from = *other;
	size_t i, count = (size_t)w->used + from.used;
	/* The counts come in the order of their slots: in a smaller table, most of them would collide. */
	int err = !from.used || has_room(w, count) ? 0 : grow(w, spill, count);

	for (i = 0; from.slots && !err && i < (size_t)1 << from.bits; i++) {
		struct fxt_waker_count slot;

		slot = from.slots[i];
		if (slot.task)
			err = fxt_wakers_add(w, spill, slot.task, slot.context, slot.count);
	}
	return err;
}

void fxt_wakers_uninit(struct fxt_wakers *w, struct fxt_spill *spill)
{
	if (w->slots)
		fxt_spill_free(spill, w->slots, table_bytes(w));
	*w = (struct fxt_wakers){ 0 };
}

static int descending(const void *a, const void *b)
{
	const struct fxt_waker_count *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return (x->key > y->key) - (x->key < y->key);
}

struct fxt_waker_count *fxt_wakers_sorted(const struct fxt_wakers *w)
{
	struct fxt_waker_count *sorted = w->used ? calloc(w->used, sizeof(*sorted)) : NULL;
	size_t i, count = 0;

	if (!sorted)
		return NULL;
	for (i = 0; i < (size_t)1 << w->bits; i++) {
		if (w->slots[i].task)
			sorted[count++] = w->slots[i];
	}
	qsort(sorted, count, sizeof(*sorted), descending);
	return sorted;
}
