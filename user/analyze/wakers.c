// SPDX-License-Identifier: GPL-2.0-only
/* Counts of a thread's wakeups by waker and context. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/wakers.h"
#include "store/hash.h"

#define FIRST_BITS	2u	/* log2 of the slots of the first table */

const char *const fxt_context_names[] = {
	[FXT_CONTEXT_TASK] = "task",
	[FXT_CONTEXT_SOFTIRQ] = "softirq",
	[FXT_CONTEXT_HARDIRQ] = "hardirq",
	[FXT_CONTEXT_NMI] = "nmi",
};

/* The idle threads of all CPUs are one. */
static bool same(const struct fxt_waker_count *slot, const struct fxt_task *task,
		 enum fxt_waker_context context)
{
	return slot->context == context && (slot->task == task || (!slot->task->key && !task->key));
}

/* Keys are the tool's own, given one after the other: no input can choose them. */
static struct fxt_waker_count *slot_of(const struct fxt_wakers *w, const struct fxt_task *task,
				       enum fxt_waker_context context)
{
	size_t mask = ((size_t)1 << w->bits) - 1;
	size_t at = (4 * task->key + context) * FXT_GOLDEN >> (64 - w->bits);

	while (w->slots[at].task && !same(&w->slots[at], task, context))
		at = (at + 1) & mask;
	return &w->slots[at];
}

static size_t table_bytes(const struct fxt_wakers *w)
{
	return sizeof(*w->slots) << w->bits;
}

static int grow(struct fxt_wakers *w, struct fxt_spill *spill)
{
	struct fxt_wakers more = *w;
	size_t i;

	more.bits = w->slots ? w->bits + 1 : FIRST_BITS;
	more.slots = fxt_spill_alloc(spill, table_bytes(&more));
	if (!more.slots)
		return -ENOMEM;
	for (i = 0; w->slots && i < (size_t)1 << w->bits; i++)
		if (w->slots[i].task)
			*slot_of(&more, w->slots[i].task, w->slots[i].context) = w->slots[i];
	if (w->slots)
		fxt_spill_free(spill, w->slots, table_bytes(w));
	*w = more;
	return 0;
}

int fxt_wakers_add_any(struct fxt_wakers *w, struct fxt_spill *spill, struct fxt_task *task,
		       enum fxt_waker_context context, __u64 count)
{
	struct fxt_waker_count *slot;

	fxt_spill_touch(spill, w->slots);
	if (!w->slots || 4 * (w->used + 1) > 3u << w->bits) {
		int err = grow(w, spill);

		if (err)
			return err;
	}
	slot = slot_of(w, task, context);
	if (!slot->task) {
		slot->task = task;
		slot->context = context;
		w->used++;
	}
	slot->count += count;
	w->last = slot - w->slots;
	return 0;
}

int fxt_wakers_merge(struct fxt_wakers *w, struct fxt_spill *spill, const struct fxt_wakers *other)
{
	size_t i;
	int err = 0;

	for (i = 0; other->slots && !err && i < (size_t)1 << other->bits; i++) {
		struct fxt_waker_count slot;

		fxt_spill_touch(spill, other->slots);
		slot = other->slots[i];
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
	return (x->task->key > y->task->key) - (x->task->key < y->task->key);
}

struct fxt_waker_count *fxt_wakers_sorted(const struct fxt_wakers *w, struct fxt_spill *spill)
{
	struct fxt_waker_count *sorted = w->used ? calloc(w->used, sizeof(*sorted)) : NULL;
	size_t i, count = 0;

	if (!sorted)
		return NULL;
	fxt_spill_touch(spill, w->slots);
	for (i = 0; i < (size_t)1 << w->bits; i++)
		if (w->slots[i].task)
			sorted[count++] = w->slots[i];
	qsort(sorted, count, sizeof(*sorted), descending);
	return sorted;
}
