/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts of a thread's wakeups by waker and context. */
#ifndef FXT_ANALYZE_WAKERS_H
#define FXT_ANALYZE_WAKERS_H

#include "analyze/machine/tasks.h"

struct fxt_waker_count {
	struct fxt_task *task;		/* NULL: the slot is free */
	__u64 key : 61;			/* key of the task: the idle threads of all CPUs count as one */
	__u64 context : 3;		/* enum fxt_waker_context */
	__u64 count;
};

/* A hash table of counts; all zero: empty. */
struct fxt_wakers {
	struct fxt_waker_count *slots;
	unsigned int used;
	unsigned int bits;	/* log2 of the number of slots */
	size_t last;		/* last used slot */
};

/* Adds to any slot.  Returns 0 or -ENOMEM. */
int fxt_wakers_add_any(struct fxt_wakers *w, struct fxt_spill *spill, struct fxt_task *task,
		       enum fxt_waker_context context, __u64 count);

/* Adds to a count.  spill: memory of the table, the same in all calls.  Returns 0 or -ENOMEM. */
static inline int fxt_wakers_add(struct fxt_wakers *w, struct fxt_spill *spill, struct fxt_task *task,
				 enum fxt_waker_context context, __u64 count)
{
	struct fxt_waker_count *last = w->slots ? &w->slots[w->last] : NULL;

	if (!last || last->task != task || last->context != context)
		return fxt_wakers_add_any(w, spill, task, context, count);
	last->count += count;
	return 0;
}

int fxt_wakers_merge(struct fxt_wakers *w, struct fxt_spill *spill, const struct fxt_wakers *other);
void fxt_wakers_uninit(struct fxt_wakers *w, struct fxt_spill *spill);

/* Returns a heap array of w->used counts, the greatest first; NULL if there are none, or without memory. */
struct fxt_waker_count *fxt_wakers_sorted(const struct fxt_wakers *w);

/* Names of wakers by context, for a sentence, such as "an interrupt"; NULL for a task. */
extern const char *const fxt_context_wakers[FXT_CONTEXTS];

#endif
