// SPDX-License-Identifier: GPL-2.0-only
/* Details of threads' times. */
#include <errno.h>
#include <string.h>

#include "analyze/explain/details.h"
#include "analyze/machine/phase.h"

/* Time that the scheduler didn't count, at least: it reads its clock some us before the switch's event. */
#define UNCOUNTED_LEAST_NS	100000u

/*
 * Returns to a CPU within that time of the last return are moves back and forth: the kernel takes a thread's caches for
 * lost by a move unless the move pays off in this time (sysctl_sched_migration_cost).
 */
#define MOVE_NS			500000u

/* The details of a thread. */
struct detailed {
	struct list {
		struct fxt_detail *of;	/* in order */
		size_t used, room;
	} lists[FXT_DETAILS];
	__u64 counted;		/* ns of the last sched_stat_runtime */
	__u64 due;		/* ns when the timer expires that the thread started last; 0: none */
	struct fxt_sleep_reason retried;	/* reason of the last sleep, which a timer ended; bits 0: none */
	__u64 retried_since;	/* ns, start of the first sleep for that reason */
	const char *work;	/* function that runs; NULL: none */
	__u64 work_since;
	__u32 cpu, left;	/* CPU of the last run, and the other CPU that the thread ran on before it */
	bool ran, moved;	/* cpu, and left, are known, without a sleep since */
	__u64 returned;		/* ns of the last return to a CPU */
};

static struct detailed *thread_of(struct fxt_details *d, struct fxt_task *task)
{
	return fxt_task_data(task, d->slot) ?: fxt_task_data_add(&d->m->tasks, task, d->slot, sizeof(struct detailed));
}

static int put(struct fxt_details *d, struct detailed *t, enum fxt_detail_kind kind, struct fxt_detail detail)
{
	struct list *list = &t->lists[kind];
	size_t room = list->room ? 2 * list->room : 8;
	struct fxt_detail *more;

	if (list->used == list->room) {
		more = fxt_arena_copy(&d->m->tasks.memory, list->of, list->used * sizeof(*more), room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		list->of = more;
		list->room = room;
	}
	list->of[list->used++] = detail;
	return 0;
}

/* Follows a thread's runs, which may go back and forth between CPUs. */
static int ran(struct fxt_details *d, struct detailed *t, const struct fxt_interval *i)
{
	bool moves = t->ran && i->cpu != t->cpu, returns = moves && t->moved && i->cpu == t->left;
	__u64 last;

	if (moves)
		t->left = t->cpu;
	t->moved |= moves;
	t->cpu = i->cpu;
	t->ran = true;
	if (!returns)
		return 0;
	last = t->returned;
	t->returned = i->begin;
	return i->begin - last > MOVE_NS ? 0 :
	       put(d, t, FXT_DETAIL_MOVES, (struct fxt_detail){ last, i->begin, { i->begin - last } });
}

__u64 fxt_details_due(const struct fxt_details *d, const struct fxt_interval *i)
{
	const struct detailed *t = fxt_task_data(i->task, d->slot);

	return t && fxt_interval_timer(i) && t->due >= i->begin && t->due < i->end ? t->due : 0;
}

/* Follows sleeps for one reason that timers end, up to a thread's wakeup. */
static int slept(struct fxt_details *d, struct detailed *t, const struct fxt_interval *i)
{
	const struct fxt_sleep_reason *reason = &i->task->reason;
	const struct fxt_task *waker = fxt_interval_waker(i);
	bool again = t->retried.bits && !memcmp(&t->retried, reason, sizeof(*reason));

	if (fxt_interval_timer(i) && reason->bits) {
		t->retried = *reason;
		t->retried_since = again ? t->retried_since : i->begin;
		return 0;
	}
	t->retried.bits = 0;
	return !again || !waker || !waker->key ? 0 :
	       put(d, t, FXT_DETAIL_RETRY, (struct fxt_detail){ t->retried_since, i->begin, { .task = waker } });
}

/* Returns whether the kernel's thread that moves threads ended a sleep: the thread changed its CPUs itself. */
static bool is_moved(const struct fxt_interval *i)
{
	const struct fxt_task *waker = fxt_interval_waker(i);

	return waker && !strncmp(waker->name, "migration/", strlen("migration/"));
}

static int interval(void *state, const struct fxt_interval *i)
{
	struct fxt_details *d = state;
	struct detailed *t = i->task->key ? thread_of(d, i->task) : NULL;
	__u64 due;
	int err;

	if (!t)
		return i->task->key ? -ENOMEM : 0;
	if (i->phase == FXT_PHASE_RUN && !i->lost)
		return ran(d, t, i);
	if (fxt_phase_waits(i->phase) && !i->lost)
		return 0;
	if (fxt_interval_moment(i) || (fxt_phase_sleeps(i->phase) && is_moved(i)))
		return 0;
	t->ran = t->moved = false;
	if (!fxt_phase_sleeps(i->phase) || i->lost)
		t->retried.bits = 0;
	if (!fxt_phase_sleeps(i->phase))
		return 0;
	due = fxt_details_due(d, i);
	err = slept(d, t, i);
	return err || !due ? err : put(d, t, FXT_DETAIL_TIMER, (struct fxt_detail){ due, i->end, { i->end - due } });
}

/* Compares the time that the scheduler counts with the time since the last count, or since the thread came to its CPU. */
static int counted(struct fxt_details *d, const struct fxt_record *r)
{
	struct fxt_task *task;
	struct detailed *t;
	__u64 tid, ns, since;

	if (fxt_arg_number(fxt_record_arg(r, "pid"), &tid) || fxt_arg_number(fxt_record_arg(r, "runtime"), &ns))
		return 0;
	task = fxt_tasks_get(&d->m->tasks, tid);
	if (!tid || !task || task->phase != FXT_PHASE_RUN)
		return 0;
	t = thread_of(d, task);
	if (!t)
		return -ENOMEM;
	since = t->counted > task->since ? t->counted : task->since;
	t->counted = r->ticks;
	if (r->ticks < since + ns + UNCOUNTED_LEAST_NS || task->earlier || task->mended)
		return 0;
	return put(d, t, FXT_DETAIL_UNCOUNTED, (struct fxt_detail){ since, r->ticks, { r->ticks - since - ns } });
}

/* Starts or ends a function of a kworker. */
static int work(struct fxt_details *d, struct detailed *t, const struct fxt_record *r, bool starts)
{
	const struct fxt_arg *function = fxt_record_arg(r, "function");
	int err = 0;

	if (t->work)
		err = put(d, t, FXT_DETAIL_WORK, (struct fxt_detail){ t->work_since, r->ticks, { .text = t->work } });
	t->work = NULL;
	if (err || !starts || !function || function->type != FXT_ARG_STRING)
		return err;
	t->work_since = r->ticks;
	t->work = fxt_tasks_text(&d->m->tasks, &function->string);
	return t->work ? 0 : -ENOMEM;
}

static int event(void *state, const struct fxt_record *r)
{
	struct fxt_details *d = state;
	bool starts = fxt_record_is_event(r, "workqueue", "workqueue_execute_start");
	bool works = starts || fxt_record_is_event(r, "workqueue", "workqueue_execute_end");
	bool times = !works && fxt_record_is_event(r, "timer", "hrtimer_start");
	struct fxt_task *task;
	struct detailed *t;

	if (!works && !times)
		return fxt_record_is_event(r, "sched", "sched_stat_runtime") ? counted(d, r) : 0;
	if (!r->thread.thread)
		return 0;
	task = fxt_task_live(d->m, r->thread.thread);
	t = task ? thread_of(d, task) : NULL;
	if (!t)
		return -ENOMEM;
	if (works)
		return work(d, t, r, starts);
	if (fxt_arg_number(fxt_record_arg(r, "softexpires"), &t->due))
		t->due = 0;
	return 0;
}

static const struct fxt_observer_ops ops = {
	.interval = interval,
	.event = event,
};

void fxt_details_init(struct fxt_details *d, struct fxt_machine *m)
{
	*d = (struct fxt_details){ .m = m };
	d->slot = fxt_machine_observe(m, &ops, d);
}

/* Returns the first detail that ends after a time. */
static const struct fxt_detail *first_after(const struct list *list, __u64 ns)
{
	size_t low = 0, high = list->used;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (list->of[middle].to < ns)
			low = middle + 1;
		else
			high = middle;
	}
	return list->of + low;
}

static const struct list *list_of(const struct fxt_details *d, const struct fxt_task *task, enum fxt_detail_kind kind)
{
	const struct detailed *t = fxt_task_data(task, d->slot);

	return t && t->lists[kind].used ? &t->lists[kind] : NULL;
}

/* Iterates over the details of a thread in [from, to). */
#define DETAILS_EACH(x, list, from, to)							\
	if (list)									\
		for (x = first_after(list, from); x < (list)->of + (list)->used && x->from < (to); x++)

/* Returns ns of [from, to) in a detail. */
static __u64 overlap(const struct fxt_detail *x, __u64 from, __u64 to)
{
	__u64 start = x->from > from ? x->from : from, end = x->to < to ? x->to : to;

	return end > start ? end - start : 0;
}

__u64 fxt_details_ns(const struct fxt_details *d, const struct fxt_task *task, enum fxt_detail_kind kind, __u64 from, __u64 to)
{
	const struct list *list = list_of(d, task, kind);
	const struct fxt_detail *x;
	__u64 ns = 0;

	DETAILS_EACH(x, list, from, to)
		if (x->to > x->from)
			ns += (double)x->ns * overlap(x, from, to) / (x->to - x->from);
	return ns;
}

const char *fxt_details_work(const struct fxt_details *d, const struct fxt_task *task, __u64 from, __u64 to)
{
	const struct list *list = list_of(d, task, FXT_DETAIL_WORK);
	const char *text = NULL;
	const struct fxt_detail *x;
	__u64 longest = 0;

	DETAILS_EACH(x, list, from, to) {
		if (overlap(x, from, to) <= longest)
			continue;
		longest = overlap(x, from, to);
		text = x->text;
	}
	return text;
}

const struct fxt_task *fxt_details_retry(const struct fxt_details *d, const struct fxt_task *task, __u64 from, __u64 to)
{
	const struct list *list = list_of(d, task, FXT_DETAIL_RETRY);
	const struct fxt_detail *x;

	DETAILS_EACH(x, list, from, to)
		if (overlap(x, from, to) == to - from)
			return x->task;
	return NULL;
}
