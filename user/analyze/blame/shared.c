// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sums the runs since a run that many waits started in: threads that are woken at the same
 * time run one after the other.
 */
#include <errno.h>
#include <string.h>

#include "analyze/blame/queue.h"

#define TOP	FXT_BLAME_SHARED_TOP

/* Returns whether a culprit comes before another: the greatest first, then in the order of fxt_culprits_sorted(). */
static bool precedes(const struct fxt_blame *b, const struct fxt_blame_greatest_sum *x,
		     const struct fxt_blame_greatest_sum *y)
{
	struct fxt_culprit *of = b->suspects->of;
	enum fxt_culprit_kind kind;

	if (x->ns != y->ns)
		return x->ns > y->ns;
	kind = of[x->number].kind;
	return kind != of[y->number].kind ? kind < of[y->number].kind : x->number < y->number;
}

/* Moves a sum that has grown up among the greatest, or inserts it. */
static void top_update(const struct fxt_blame *b, struct fxt_blame_shared *s, __u32 number, __u64 ns)
{
	const struct fxt_blame_greatest_sum sum = { ns, number };
	unsigned int at = 0;

	while (at < s->used && s->top[at].number != number)
		at++;
	if (at == TOP) {
		if (!precedes(b, &sum, &s->top[TOP - 1]))
			return;
		at--;
	}
	if (at == s->used)
		s->used++;
	for (; at && precedes(b, &sum, &s->top[at - 1]); at--)
		s->top[at] = s->top[at - 1];
	s->top[at] = sum;
}

/* Adds the runs up to one. */
static int extend(struct fxt_blame *b, struct fxt_blame_queue *q, size_t end)
{
	struct fxt_blame_shared *s = &q->shared;
	int err = 0;

	for (; s->next < end && !err; s->next++) {
		const struct fxt_blame_run run = *fxt_blame_run_at(q, s->next);
		__u64 before = fxt_culprits_get(&s->sums, run.number), ns = run.to - run.from;

		if (!ns)
			continue;
		s->count += !before;
		err = fxt_culprits_add(&s->sums, b->m->spill, b->suspects->count, run.number, ns);
		top_update(b, s, run.number, before + ns);
	}
	return err;
}

/* Subtracts the first run's time before the wait; all but one of the TOP sums remain the greatest. */
static void cut(const struct fxt_blame *b, struct fxt_blame_shared *s, __u32 number, __u64 ns)
{
	unsigned int at = 0;

	while (at < s->used && s->top[at].number != number)
		at++;
	if (at == s->used)
		return;
	s->top[at].ns -= ns;
	for (; at + 1 < s->used && precedes(b, &s->top[at + 1], &s->top[at]); at++) {
		const struct fxt_blame_greatest_sum lower = s->top[at];

		s->top[at] = s->top[at + 1];
		s->top[at + 1] = lower;
	}
}

/* Adds the greatest sums of a wait, and others. */
static int wait_add(struct fxt_blame *b, const struct fxt_blame_queue *q, const struct fxt_victim *v,
		    struct fxt_culprits *to)
{
	struct fxt_blame_shared s = q->shared;
	const struct fxt_blame_run first = *fxt_blame_run_at(q, v->first);
	__u64 before = v->at - first.from, whole = s.sums.ns - before;
	__u32 i, named = 0;
	int err = 0;

	if (fxt_culprits_get(&s.sums, first.number) == before)
		s.count--;
	cut(b, &s, first.number, before);
	for (i = 0; i < FXT_BLAME_WAIT_TOP && i < s.used && !err; i++) {
		named += s.top[i].ns > 0;
		err = fxt_culprits_add(to, b->m->spill, b->suspects->count, s.top[i].number, s.top[i].ns);
	}
	if (to->ns < whole)
		fxt_culprits_add_others(to, whole - to->ns, s.count - named);
	return err;
}

int fxt_blame_wait_shared(struct fxt_blame *b, const struct fxt_victim *v, struct fxt_culprits *to, bool *done)
{
	struct fxt_blame_queue *q = v->queue;
	struct fxt_blame_shared *s = &q->shared;
	bool goes_on = s->next && s->first == v->first && s->next <= v->last;
	int err;

	*done = fxt_blame_run_at(q, v->last - 1)->to == v->left &&
		fxt_blame_pays(b, &b->shares, v->last - (goes_on ? s->next : v->first));
	if (!*done)
		return 0;
	if (!goes_on) {
		fxt_culprits_clear(&s->sums, b->m->spill);
		*s = (struct fxt_blame_shared){ .first = v->first, .next = v->first };
	}
	err = extend(b, q, v->last);
	return err ? err : wait_add(b, q, v, to);
}
