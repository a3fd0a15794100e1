// SPDX-License-Identifier: GPL-2.0-only
/* Keeps the runs of a CPU while threads are in its queue. */
#include <errno.h>

#include "analyze/blame/queue.h"

#define ROOM_MIN	64u

/* Least number of waits before accounts are closed. */
#define WAITS_MIN	32u

/* Growth of the budget for shared sums with each run. */
#define RUN_SHARES	4u

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
	if (queue) {
		queue->cpu = cpu;
		fxt_blame_queue_link(b, queue);
	}
	return queue;
}

void fxt_blame_queue_link(struct fxt_blame *b, struct fxt_blame_queue *q)
{
	q->machine = b->m->tasks.machine;
	q->number = b->queue_count++;
	q->next_queue = b->queues;
	b->queues = q;
}

void fxt_blame_queue_uninit(struct fxt_blame *b, struct fxt_blame_queue *q)
{
	struct fxt_blame_part *part;

	for (part = q->parts; part; part = part->of_queue)
		fxt_culprits_clear(&part->apart, b->m->spill);
	if (q->runs)
		fxt_spill_free(b->m->spill, q->runs, q->room * sizeof(*q->runs));
	fxt_culprits_clear(&q->sum, b->m->spill);
	fxt_culprits_clear(&q->shared.sums, b->m->spill);
}

static int grow(struct fxt_blame *b, struct fxt_blame_queue *q)
{
	struct fxt_blame_queue more = *q;
	size_t i;

	more.room = q->room ? 2 * q->room : ROOM_MIN;
	more.runs = fxt_spill_alloc(b->m->spill, more.room * sizeof(*more.runs));
	if (!more.runs)
		return -ENOMEM;
	for (i = q->first; i < q->next; i++)
		*fxt_blame_run_at(&more, i) = *fxt_blame_run_at(q, i);
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
		number = fxt_suspects_named(b->suspects, spill, fxt_culprit_of_interrupt(kind), handler);
	} else if (task == &cpu->idle) {
		return FXT_SUSPECT_IDLE;
	} else {
		v = fxt_blame_victim(b, task);
		if (v && !v->number)
			v->number = fxt_suspects_add(b->suspects, spill, FXT_CULPRIT_THREAD, task);
		number = v ? v->number : 0;
	}
	*err = number ? 0 : -ENOMEM;
	return number;
}

/*
 * Adds consecutive runs to an array with capacity for all suspects: from *at on, as long as they
 * start before until and are contiguous in memory.  Only the first and the last run may be cut.
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
	struct fxt_blame_run now = { .to = until };
	enum fxt_interrupt interrupt;
	size_t end = last < q->next ? last : q->next, i = first;
	bool dense;
	int err = 0;

	/* The start may come after the first loss. */
	if (from >= until)
		return 0;
	dense = to->room && to->room >= b->suspects->count;
	while (i < end && !err) {
		const struct fxt_blame_run *run = fxt_blame_run_at(q, i);

		if (run->from >= until)
			return 0;
		if (dense)
			rows_add(q, to, &i, end, from, until);
		else
			err = part_add(b, to, &q->runs[i++ & (q->room - 1)], from, until);
	}
	/* The runs of a lock are complete, but the CPU's present run has not been observed yet. */
	if (err || last <= q->next || !cpu || cpu->since >= until)
		return err;
	now.from = cpu->since;
	interrupt = fxt_cpu_interrupt(cpu);
	now.number = fxt_blame_number(b, cpu, cpu->current, interrupt, cpu->interrupt[interrupt], &err);
	return err ? err : part_add(b, to, &now, from, until);
}

static bool accounts_are_due(const struct fxt_blame *b, const struct fxt_blame_queue *q)
{
	size_t least = WAITS_MIN * b->account_runs, places = fxt_culprits_places(&q->sum), share = b->account_share * places;

	return q->next - q->base >= (least > share ? least : share) && b->sums >= q->open_count * places;
}

/* Returns the number of the first run that is still needed. */
static size_t first_of(const struct fxt_blame_queue *q)
{
	size_t first = q->next;

	if (q->oldest)
		first = q->oldest->first;
	if (q->open && q->base < first)
		first = q->base;
	return q->parts && q->kept < first ? q->kept : first;
}

int fxt_blame_run_add(struct fxt_blame *b, struct fxt_blame_queue *q, const struct fxt_blame_run *run)
{
	struct fxt_blame_run *added;
	int err = 0;

	b->walks += b->run_walks;
	b->sums += b->run_sums;
	b->shares += RUN_SHARES;
	q->first = first_of(q);
	if (q->next - q->first == q->room && grow(b, q))
		return -ENOMEM;
	added = fxt_blame_run_at(q, q->next++);
	*added = *run;
	added->sum = q->ns += run->to - run->from;
	if (!q->open)
		return 0;
	err = fxt_culprits_add(&q->sum, b->m->spill, b->suspects->count, run->number, run->to - run->from);
	if (!accounts_are_due(b, q))
		return err;
	while (q->open && !err)
		err = fxt_blame_account_keep(b, q->open);
	return err;
}
