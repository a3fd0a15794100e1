// SPDX-License-Identifier: GPL-2.0-only
/* Accounts of victims: waits that are summed together; and parts: runs that are not summed by culprit. */
#include <errno.h>

#include "analyze/blame/queue.h"

/* The runs between two waits of an account are at most this fraction of the runs of the second wait. */
#define APART_SHARE	8u

/* Subtracts the sums of runs that were added before. */
static int range_take(struct fxt_blame *b, struct fxt_blame_queue *q, struct fxt_culprits *from, size_t first,
		      size_t last, __u64 begin, __u64 end)
{
	struct fxt_culprits part = { 0 };
	int err = fxt_culprits_expect(&part, b->m->spill, b->suspects->count, last - first);

	if (!err)
		err = fxt_blame_range(b, q, &part, first, last, begin, end);
	fxt_culprits_take(from, &part);
	fxt_culprits_clear(&part, b->m->spill);
	return err;
}

static void account_unlink(struct fxt_victim *v)
{
	struct fxt_victim **at = &v->account.queue->open;

	if (v->account.before)
		v->account.before->account.behind = v->account.behind;
	else
		*at = v->account.behind;
	if (v->account.behind)
		v->account.behind->account.before = v->account.before;
	v->account.queue->open_count--;
	v->account.queue = NULL;
}

/*
 * Closes an account by the sum of all runs since the first account was opened, minus the
 * runs that don't count for this account.
 */
static int close_by_sum(struct fxt_blame *b, struct fxt_victim *v)
{
	struct fxt_blame_queue *q = v->account.queue;
	struct fxt_account_open *a = &v->account;
	int err = fxt_culprits_merge(&v->culprits, b->m->spill, b->suspects->count, &q->sum);

	if (!err)
		err = range_take(b, q, &v->culprits, q->base, q->next, 0, a->at);
	if (!err)
		err = range_take(b, q, &v->culprits, a->last, q->next, a->to, ~0ULL);
	/* The wait ended in the middle of a run. */
	return err ? err : fxt_blame_range(b, q, &v->culprits, q->next, FXT_BLAME_ALL, a->at, a->to);
}

/* Returns the number of runs to walk for closing an account by the sum of all runs. */
static size_t cost_by_sum(const struct fxt_victim *v)
{
	const struct fxt_blame_queue *q = v->account.queue;
	const struct fxt_account_open *a = &v->account;

	return a->first - q->base + q->next - a->last + fxt_culprits_places(&q->sum);
}

size_t fxt_blame_account_cost(const struct fxt_victim *v)
{
	size_t by_sum, by_runs = v->account.last - v->account.first;

	if (!v->account.queue)
		return 0;
	by_sum = cost_by_sum(v);
	return by_sum < by_runs ? by_sum : by_runs;
}

/* Closes a victim's account, if any, and adds its sums to the victim.  Returns 0 or -ENOMEM. */
static int account_close(struct fxt_blame *b, struct fxt_victim *v)
{
	struct fxt_blame_queue *q = v->account.queue;
	struct fxt_account_open *a = &v->account;
	int err;

	if (!q)
		return 0;
	if (cost_by_sum(v) < a->last - a->first)
		err = close_by_sum(b, v);
	else
		err = fxt_blame_range(b, q, &v->culprits, a->first, FXT_BLAME_ALL, a->at, a->to);
	fxt_culprits_take(&v->culprits, &a->apart);
	fxt_culprits_clear(&a->apart, b->m->spill);
	account_unlink(v);
	return err;
}

int fxt_blame_account_keep(struct fxt_blame *b, struct fxt_victim *v)
{
	struct fxt_account_open *a = &v->account;
	struct fxt_blame_part part;
	int err;

	if (!a->queue)
		return 0;
	if (fxt_blame_pays(b, &b->sums, fxt_blame_account_cost(v)))
		return account_close(b, v);
	part = (struct fxt_blame_part){
		.queue = a->queue, .at = a->at, .to = a->to, .first = a->first, .apart = a->apart,
	};
	err = fxt_blame_part_keep(b, &v->parts, &part);
	if (err)
		return err;
	a->apart = (struct fxt_culprits){ 0 };
	account_unlink(v);
	return 0;
}

/* Returns the number of runs to walk for opening an account. */
static size_t open_cost(const struct fxt_blame_queue *q, const struct fxt_victim *v)
{
	if (!q->open)
		return q->next - v->first;
	return v->first < q->base ? q->base - v->first : 0;
}

/* Opens an account with a wait that has just ended. */
static int account_open(struct fxt_blame *b, struct fxt_victim *v)
{
	struct fxt_blame_queue *q = v->queue;
	struct fxt_account_open *a = &v->account;
	int err = 0;

	if (!q->open) {
		q->base = v->first;
		fxt_culprits_clear(&q->sum, b->m->spill);
		err = fxt_culprits_expect(&q->sum, b->m->spill, b->suspects->count, q->next - q->base);
		if (!err)
			err = fxt_blame_range(b, q, &q->sum, q->base, q->next, 0, ~0ULL);
	} else if (v->first < q->base) {
		err = fxt_blame_range(b, q, &v->culprits, v->first, q->base, v->at, v->left);
	}
	a->queue = q;
	a->at = v->at;
	a->first = v->first < q->base ? q->base : v->first;
	a->before = NULL;
	a->behind = q->open;
	if (a->behind)
		a->behind->account.before = v;
	q->open = v;
	q->open_count++;
	return err;
}

bool fxt_blame_account_fits(struct fxt_blame *b, const struct fxt_victim *v)
{
	const struct fxt_blame_queue *q = v->queue;

	__u64 last;

	if (v->last == v->first || v->last - v->first < b->account_runs || fxt_blame_run_at(q, v->first)->from > v->at)
		return false;
	last = fxt_blame_run_at(q, v->last - 1)->to;
	return last >= v->at && last <= v->left;
}

/*
 * Returns whether the account continues: the runs since its last wait are few compared with
 * those of this wait, and may be summed.
 */
static bool goes_on(struct fxt_blame *b, const struct fxt_victim *v)
{
	const struct fxt_account_open *a = &v->account;

	return a->queue == v->queue && v->first - a->last <= (v->last - v->first) / APART_SHARE &&
	       fxt_blame_pays(b, &b->sums, v->first - a->last);
}

int fxt_blame_account_wait(struct fxt_blame *b, struct fxt_victim *v)
{
	struct fxt_account_open *a = &v->account;
	struct fxt_blame_queue *q = v->queue;
	int err;

	if (a->queue && goes_on(b, v)) {
		err = fxt_blame_range(b, q, &a->apart, a->last, q->next, a->to, v->at);
	} else {
		err = fxt_blame_account_keep(b, v);
		if (!err && !fxt_blame_pays(b, &b->sums, open_cost(q, v)))
			return fxt_blame_part_keep(b, &v->parts, &(struct fxt_blame_part){
				.queue = q, .at = v->at, .to = v->left, .first = v->first });
		if (!err)
			err = account_open(b, v);
	}
	a->to = v->left;
	a->last = v->last;
	return err;
}


bool fxt_blame_pays(const struct fxt_blame *b, __u64 *left, size_t runs)
{
	if (runs <= b->account_runs)
		return true;
	if (runs > *left)
		return false;
	*left -= runs;
	return true;
}

int fxt_blame_part_keep(struct fxt_blame *b, struct fxt_blame_part **list, const struct fxt_blame_part *part)
{
	struct fxt_blame_queue *q = part->queue;
	struct fxt_blame_part *kept = fxt_arena_alloc(&b->m->tasks.memory, sizeof(*kept));

	if (!kept)
		return -ENOMEM;
	*kept = *part;
	kept->next = *list;
	*list = kept;
	kept->of_queue = q->parts;
	if (!q->parts || part->first < q->kept)
		q->kept = part->first;
	if (part->to > q->kept_to)
		q->kept_to = part->to;
	q->parts = kept;
	q->part_count++;
	return 0;
}

size_t fxt_blame_run_find(const struct fxt_blame_queue *q, size_t first, __u64 ns)
{
	size_t end = q->next, middle;

	while (first < end) {
		middle = first + (end - first) / 2;
		if (fxt_blame_run_at(q, middle)->from < ns)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

/* Returns ns of runs in a time: only the first and the last run may be cut. */
static __u64 runs_ns(const struct fxt_blame_queue *q, size_t first, size_t end, __u64 from, __u64 until)
{
	struct fxt_blame_run run, last;

	while (first < end && fxt_blame_run_at(q, first)->to <= from)
		first++;
	if (first >= end)
		return 0;
	run = *fxt_blame_run_at(q, first);
	last = *fxt_blame_run_at(q, end - 1);
	return last.sum - run.sum + run.to - run.from - (from > run.from ? from - run.from : 0) -
	       (last.to > until ? last.to - until : 0);
}

__u64 fxt_blame_part_found(const struct fxt_blame_part *part)
{
	const struct fxt_blame_queue *q = part->queue;
	__u64 since = q->cpu && q->cpu->since > part->at ? q->cpu->since : part->at;
	size_t end;

	if (part->at >= part->to)
		return 0;
	end = fxt_blame_run_find(q, part->first, part->to);
	return runs_ns(q, part->first, end, part->at, part->to) +
	       (q->cpu && end == q->next && since < part->to ? part->to - since : 0);
}

__u64 fxt_blame_part_ns(const struct fxt_blame_part *part)
{
	return runs_ns(part->queue, part->first, part->end, part->at, part->to) - part->apart.ns;
}

void fxt_blame_part_settle(struct fxt_blame_part *part)
{
	const struct fxt_blame_queue *q = part->queue;

	part->end = part->at < part->to ? fxt_blame_run_find(q, part->first, part->to) : part->first;
	while (part->first < part->end && fxt_blame_run_at(q, part->first)->to <= part->at)
		part->first++;
}
