// SPDX-License-Identifier: GPL-2.0-only
/* What a CPU ran while threads were in its queue. */
#include <errno.h>

#include "analyze/blame_queue.h"

#define ROOM_MIN	64u

/* Accounts last for as many waits at least. */
#define WAITS_MIN	32u

struct fxt_victim *fxt_blame_victim_add(struct fxt_blame *b, struct fxt_task *task)
{
	struct fxt_victim *victim = fxt_task_data_add(&b->m->tasks, task, b->slot, sizeof(*victim));

	if (victim) {
		victim->task = task;
		victim->next = b->first;
		b->first = victim;
	}
	return victim;
}

struct fxt_blame_queue *fxt_blame_queue_of(struct fxt_blame *b, struct fxt_cpu *cpu)
{
	struct fxt_blame_queue *queue = cpu->data[b->slot];

	if (queue)
		return queue;
	queue = fxt_cpu_data_add(b->m, cpu, b->slot, sizeof(*queue));
	if (queue)
		queue->cpu = cpu;
	return queue;
}

void fxt_blame_queue_uninit(struct fxt_blame *b, struct fxt_blame_queue *q)
{
	if (q->runs)
		fxt_spill_free(b->m->spill, q->runs, q->room * sizeof(*q->runs));
	fxt_culprits_clear(&q->sum, b->m->spill);
}

static struct fxt_blame_run *run_at(const struct fxt_blame *b, const struct fxt_blame_queue *q, size_t number)
{
	struct fxt_blame_run *run = &q->runs[number & (q->room - 1)];

	fxt_spill_touch(b->m->spill, run);
	return run;
}

static int grow(struct fxt_blame *b, struct fxt_blame_queue *q)
{
	struct fxt_blame_queue more = *q;
	size_t i;

	more.room = q->room ? 2 * q->room : ROOM_MIN;
	more.runs = fxt_spill_alloc(b->m->spill, more.room * sizeof(*more.runs));
	if (!more.runs)
		return -ENOMEM;
	for (i = q->first; i < q->next; i++) {
		struct fxt_blame_run run = *run_at(b, q, i);

		*run_at(b, &more, i) = run;
	}
	if (q->runs)
		fxt_spill_free(b->m->spill, q->runs, q->room * sizeof(*q->runs));
	*q = more;
	return 0;
}

__u32 fxt_blame_number(struct fxt_blame *b, const struct fxt_cpu *cpu, struct fxt_task *task,
		       enum fxt_interrupt kind, const char *handler, int *err)
{
	struct fxt_spill *spill = b->m->spill;
	struct fxt_victim *v;
	__u32 number;

	*err = 0;
	if (!task)
		return FXT_SUSPECT_UNKNOWN;
	if (kind) {
		number = fxt_suspects_handler(b->suspects, spill, kind == FXT_INTERRUPT_IRQ ?
					      FXT_CULPRIT_IRQ : FXT_CULPRIT_SOFTIRQ, handler);
	} else if (task == &cpu->idle) {
		return FXT_SUSPECT_IDLE;
	} else {
		v = fxt_blame_victim(b, task);
		if (v && !v->number) {
			number = fxt_suspects_add(b->suspects, spill, FXT_CULPRIT_THREAD, task);
			/* All suspects may have been moved meanwhile. */
			fxt_spill_touch(spill, v);
			v->number = number;
		}
		number = v ? v->number : 0;
	}
	*err = number ? 0 : -ENOMEM;
	return number;
}

/*
 * Of an array with room for all suspects: the runs from *at on, as far as they begin before
 * until and lie in a row.  They follow each other: only the first and the last may be cut.
 */
static void rows_add(struct fxt_blame_queue *q, struct fxt_culprits *to, size_t *at, size_t last, __u64 from,
		     __u64 until)
{
	const struct fxt_blame_run *run = &q->runs[*at & (q->room - 1)], *first = run, *end;
	size_t row = q->room - (*at & (q->room - 1));
	__u64 *array = to->array, sum = 0, more;

	end = run + (last - *at < row ? last - *at : row);
	for (; run < end && run->from < from; run++)
		if (run->to > from)
			fxt_culprits_array_add(to, run->number, (run->to < until ? run->to : until) - from);
	for (; run < end && run->to <= until; run++) {
		more = run->to - run->from;
		array[run->number] += more;
		sum += more;
	}
	to->ns += sum;
	for (; run < end && run->from < until; run++)
		fxt_culprits_array_add(to, run->number, until - run->from);
	*at += run - first;
}

static inline int part_add(struct fxt_blame *b, struct fxt_culprits *to, const struct fxt_blame_run *run,
			   __u64 from, __u64 until)
{
	if (from < run->from)
		from = run->from;
	if (until > run->to)
		until = run->to;
	if (from >= until)
		return 0;
	return fxt_culprits_add(to, b->m->spill, b->suspects->count, run->number, until - from);
}

int fxt_blame_range(struct fxt_blame *b, struct fxt_blame_queue *q, struct fxt_culprits *to, size_t first,
		    size_t last, __u64 from, __u64 until)
{
	const struct fxt_cpu *cpu = q->cpu;
	enum fxt_interrupt interrupt = fxt_cpu_interrupt(cpu);
	struct fxt_blame_run now = { .from = cpu->since, .to = until };
	size_t end = last < q->next ? last : q->next, i = first;
	bool dense;
	int err = 0;

	/* A loss may be before all of it. */
	if (from >= until)
		return 0;
	dense = fxt_culprits_is_flat(to, b->m->spill) && to->room >= b->suspects->count;
	while (i < end && !err) {
		const struct fxt_blame_run *run = run_at(b, q, i);

		if (run->from >= until)
			return 0;
		if (dense)
			rows_add(q, to, &i, end, from, until);
		else
			err = part_add(b, to, &q->runs[i++ & (q->room - 1)], from, until);
	}
	if (err || last <= q->next || now.from >= until)
		return err;
	/* What it runs now has not been observed yet. */
	now.number = fxt_blame_number(b, cpu, cpu->current, interrupt, cpu->interrupt[interrupt], &err);
	return err ? err : part_add(b, to, &now, from, until);
}

/* Of what was added before. */
static int range_take(struct fxt_blame *b, struct fxt_blame_queue *q, struct fxt_culprits *from, size_t first,
		      size_t last, __u64 begin, __u64 end)
{
	struct fxt_culprits part = { 0 };
	int err = fxt_culprits_expect(&part, b->m->spill, b->suspects->count, last - first);

	if (!err)
		err = fxt_blame_range(b, q, &part, first, last, begin, end);
	fxt_culprits_take(from, b->m->spill, &part);
	fxt_culprits_clear(&part, b->m->spill);
	return err;
}

static void account_unlink(struct fxt_blame *b, struct fxt_victim *v)
{
	struct fxt_victim **at = &v->account.queue->open;

	fxt_spill_touch(b->m->spill, v->account.before);
	if (v->account.before)
		v->account.before->account.behind = v->account.behind;
	else
		*at = v->account.behind;
	fxt_spill_touch(b->m->spill, v->account.behind);
	if (v->account.behind)
		v->account.behind->account.before = v->account.before;
	fxt_spill_touch(b->m->spill, v);
	v->account.queue = NULL;
}

/* By the sum of all runs since the first account was opened: less what isn't this one's. */
static int close_by_sum(struct fxt_blame *b, struct fxt_victim *v)
{
	struct fxt_blame_queue *q = v->account.queue;
	struct fxt_account_open *a = &v->account;
	int err = fxt_culprits_merge(&v->culprits, b->m->spill, b->suspects->count, &q->sum);

	if (!err)
		err = range_take(b, q, &v->culprits, q->base, q->next, 0, a->at);
	if (!err)
		err = range_take(b, q, &v->culprits, a->last, q->next, a->to, ~0ULL);
	/* It ended in the midst of what runs still. */
	return err ? err : fxt_blame_range(b, q, &v->culprits, q->next, FXT_BLAME_ALL, a->at, a->to);
}

int fxt_blame_account_close(struct fxt_blame *b, struct fxt_victim *v)
{
	struct fxt_blame_queue *q = v->account.queue;
	struct fxt_account_open *a = &v->account;
	int err;

	if (!q)
		return 0;
	if (a->first - q->base + q->next - a->last + fxt_culprits_places(&q->sum) < a->last - a->first)
		err = close_by_sum(b, v);
	else
		err = fxt_blame_range(b, q, &v->culprits, a->first, FXT_BLAME_ALL, a->at, a->to);
	fxt_culprits_take(&v->culprits, b->m->spill, &a->apart);
	fxt_culprits_clear(&a->apart, b->m->spill);
	account_unlink(b, v);
	return err;
}

/* From a wait on that has just ended. */
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
	if (a->behind) {
		fxt_spill_touch(b->m->spill, a->behind);
		a->behind->account.before = v;
		fxt_spill_touch(b->m->spill, v);
	}
	q->open = v;
	return err;
}

bool fxt_blame_account_fits(struct fxt_blame *b, const struct fxt_victim *v)
{
	const struct fxt_blame_queue *q = v->queue;

	__u64 last;

	if (v->last == v->first || v->last - v->first < b->account_runs || run_at(b, q, v->first)->from > v->at)
		return false;
	last = run_at(b, q, v->last - 1)->to;
	return last >= v->at && last <= v->left;
}

int fxt_blame_account_wait(struct fxt_blame *b, struct fxt_victim *v)
{
	struct fxt_account_open *a = &v->account;
	int err = 0;

	if (a->queue && (a->queue != v->queue || v->first - a->last > v->last - v->first))
		err = fxt_blame_account_close(b, v);
	if (!err && a->queue)
		err = fxt_blame_range(b, a->queue, &a->apart, a->last, a->queue->next, a->to, v->at);
	else if (!err)
		err = account_open(b, v);
	a->to = v->left;
	a->last = v->last;
	return err;
}

int fxt_blame_run_add(struct fxt_blame *b, struct fxt_blame_queue *q, const struct fxt_blame_run *run)
{
	size_t least, share;
	int err = 0;

	if (q->oldest)
		fxt_spill_touch(b->m->spill, q->oldest);
	q->first = q->oldest ? q->oldest->first : q->next;
	if (q->open && q->base < q->first)
		q->first = q->base;
	if (q->next - q->first == q->room && grow(b, q))
		return -ENOMEM;
	*run_at(b, q, q->next++) = *run;
	if (!q->open)
		return 0;
	err = fxt_culprits_add(&q->sum, b->m->spill, b->suspects->count, run->number, run->to - run->from);
	least = WAITS_MIN * b->account_runs;
	share = b->account_share * fxt_culprits_places(&q->sum);
	if (q->next - q->base < (least > share ? least : share))
		return err;
	while (q->open && !err) {
		fxt_spill_touch(b->m->spill, q->open);
		err = fxt_blame_account_close(b, q->open);
	}
	return err;
}
