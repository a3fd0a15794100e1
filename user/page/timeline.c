// SPDX-License-Identifier: GPL-2.0-only
/* The page's timeline: an observer that makes rows of the states of threads and CPUs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/machine/phase.h"
#include "page/columns.h"
#include "page/timeline.h"
#include "util/array.h"

/*
 * The most queues that a thread waits in, and times that it is throttled, before it runs; the last ones beyond that
 * count as one.
 */
#define QUEUES	16u

/* State of a task, in data[]. */
struct waiting {
	__u32 waker_cpu;	/* CPU of its last wakeup + 1; 0: unknown */
	__u32 queues;
	struct {
		__u64 ns;
		__u32 cpu;
		bool throttled;
	} queue[QUEUES];
	const char *function, *stack;	/* the next two are their numbers */
	__u32 function_number, stack_number;
	__u64 holder;		/* key of the holder at the start of its last sleep; 0: unknown */
};

/* State of a CPU: stretches of the same task, which interrupts separate, are one run. */
struct running {
	bool open;
	const struct fxt_task *task;
	__u64 from, to;
};

static int count(struct fxt_page_counts *c, __u32 track)
{
	int err = fxt_array_reach(c->rows, c->room, track);

	if (err)
		return err;
	c->rows[track]++;
	if (track >= c->used)
		c->used = track + 1;
	return 0;
}

int fxt_page_timeline_put(struct fxt_page_timeline *t, struct fxt_page_row *row)
{
	__u64 begin = t->m->from, end = t->m->to, now = t->m->now < end ? t->m->now : end;
	int err;

	row->from = row->from < begin ? 0 : (row->from < end ? row->from : end) - begin;
	/* A slice keeps its end. */
	if (row->kind == FXT_PAGE_SLICE)
		row->to = row->to < begin ? 0 : row->to - begin;
	else if (row->kind != FXT_PAGE_COUNTER && row->kind != FXT_PAGE_INSTANT)
		row->to = row->to < begin ? 0 : (row->to < end ? row->to : end) - begin;
	err = count(&t->counts[row->kind], row->track);
	if (!err && fxt_page_row_shared(row))
		err = count(&t->counts[FXT_PAGE_THREAD], row->task - 1);
	return err ? err : fxt_page_rows_put(&t->rows, row, now < begin ? 0 : now - begin);
}

static struct waiting *waiting_of(struct fxt_page_timeline *t, struct fxt_task *task)
{
	struct waiting *waiting = fxt_task_data(task, t->slot);

	return waiting ? waiting : fxt_task_data_add(&t->m->tasks, task, t->slot, sizeof(*waiting));
}

/* Puts a piece of a thread's or a CPU's time, unless it has no length. */
static int piece_put(struct fxt_page_timeline *t, const struct fxt_page_row *like, __u64 from, __u64 to, bool known)
{
	struct fxt_page_row row = { .kind = like->kind, .track = like->track };

	if (from >= to)
		return 0;
	if (known)
		row = *like;
	row.from = from;
	row.to = to;
	return fxt_page_timeline_put(t, &row);
}

/* Puts the pieces of a time between a CPU's losses: after each loss, the state is known again. */
static int pieces_put(struct fxt_page_timeline *t, const struct fxt_gaps *gaps, const struct fxt_page_row *like,
		      __u64 from, __u64 to)
{
	int err = 0;

	while (!err && from < to) {
		__u64 known, again;

		fxt_gaps_piece(gaps, from, to, &known, &again);
		err = piece_put(t, like, from, known, true);
		if (!err)
			err = piece_put(t, like, known, again, false);
		from = again;
	}
	return err;
}

static int run_end(struct fxt_page_timeline *t, const struct fxt_cpu *cpu, struct running *run)
{
	struct fxt_page_row row = { .kind = FXT_PAGE_CPU, .track = cpu->id };

	if (!run->open)
		return 0;
	run->open = false;
	if (!run->task)
		return piece_put(t, &row, run->from, run->to, false);
	row.task = run->task->key + 1;
	return pieces_put(t, &cpu->gaps, &row, run->from, run->to);
}

static struct running *running_of(struct fxt_page_timeline *t, struct fxt_cpu *cpu)
{
	return cpu->data[t->slot] ? : fxt_cpu_data_add(t->m, cpu, t->slot, sizeof(struct running));
}

static int stretch(void *state, const struct fxt_cpu_stretch *s)
{
	struct fxt_page_timeline *t = state;
	struct running *run = running_of(t, s->cpu);
	int err;

	if (!run)
		return -ENOMEM;
	if (run->open && run->task == s->task && run->to == s->from) {
		run->to = s->to;
		return 0;
	}
	err = run_end(t, s->cpu, run);
	*run = (struct running){ .open = true, .task = s->task, .from = s->from, .to = s->to };
	return err;
}

/* Notes the holder of the lock that a thread starts to wait for: its id may be another thread's when the sleep ends. */
static int holder_note(struct fxt_page_timeline *t, struct fxt_task *task)
{
	struct waiting *w = fxt_task_data(task, t->slot);
	struct fxt_task *holder;

	if (w)
		w->holder = 0;
	if (!task->key || !fxt_phase_sleeps(task->phase) || !task->reason.holder)
		return 0;
	w = waiting_of(t, task);
	holder = fxt_task_live(t->m, task->reason.holder);
	if (!w || !holder)
		return -ENOMEM;
	w->holder = holder->key;
	return 0;
}

/* Ends a run.  Two runs of the same task are two rows, even without a gap between them. */
static int change(void *state, const struct fxt_change *c)
{
	struct fxt_page_timeline *t = state;
	struct running *run = running_of(t, c->cpu);
	int err = run ? run_end(t, c->cpu, run) : -ENOMEM;

	return err ? err : holder_note(t, c->prev);
}

static int part_begin(struct waiting *w, __u64 ns, __u32 cpu, bool throttled)
{
	if (!w)
		return -ENOMEM;
	if (w->queues == QUEUES)
		w->queues--;
	w->queue[w->queues].ns = ns;
	w->queue[w->queues].throttled = throttled;
	w->queue[w->queues++].cpu = cpu;
	return 0;
}

static int queue(void *state, struct fxt_task *task, bool enters, __u64 ns)
{
	return enters ? part_begin(waiting_of(state, task), ns, task->cpu, false) : 0;
}

static int throttled(void *state, const struct fxt_throttled *t)
{
	return part_begin(waiting_of(state, t->task), t->begin, t->cpu, true);
}

static int wakeup(void *state, struct fxt_task *task, const struct fxt_wakeup_view *view, __u64 ns)
{
	struct waiting *w = waiting_of(state, task);

	if (!w)
		return -ENOMEM;
	if (task->woken_ns == ns)
		w->waker_cpu = view->cpu + 1;
	return 0;
}

static enum fxt_page_phase phase_of(const struct fxt_interval *i)
{
	switch (i->phase) {
	case FXT_PHASE_RUN:
		return FXT_PAGE_RUN;
	case FXT_PHASE_WAIT_WAKEUP:
		return FXT_PAGE_WAKEUP;
	case FXT_PHASE_WAIT_PREEMPTED:
		return FXT_PAGE_PREEMPTED;
	case FXT_PHASE_SLEEP:
		return i->task->state == FXT_LINUX_I ? FXT_PAGE_IDLE :
		       i->task->state == FXT_LINUX_P ? FXT_PAGE_PARKED : FXT_PAGE_SLEEP;
	case FXT_PHASE_BLOCKED:
		return FXT_PAGE_BLOCKED;
	case FXT_PHASE_STOPPED:
		return i->task->state == FXT_LINUX_TRACED ? FXT_PAGE_TRACED : FXT_PAGE_STOPPED;
	default:
		return FXT_PAGE_UNKNOWN;
	}
}

/* Returns the end of the time that is known of a thread which didn't run: after a loss, it may have run unnoticed. */
static __u64 known_to(const struct fxt_machine *m, const struct fxt_interval *i)
{
	__u64 known = i->phase == FXT_PHASE_UNKNOWN ? i->from :
							   fxt_phase_known(m, i->task, i->phase, i->begin, i->to);

	return known < i->from ? i->from : known;
}

/* Puts a wait: a row for each queue, and for each time that the thread was throttled. */
static int wait_put(struct fxt_page_timeline *t, const struct fxt_interval *i, const struct waiting *w,
		    struct fxt_page_row *row, __u64 known)
{
	const struct fxt_task *task = i->task;
	struct fxt_page_row throttled = { .kind = row->kind, .track = row->track, .phase = FXT_PAGE_THROTTLED };
	__u64 from = i->from;
	__u32 q;
	int err = 0;

	/* A wakeup after the wait's begin belongs to another wait. */
	if (i->phase == FXT_PHASE_WAIT_WAKEUP && task->waker && task->woken_ns <= i->begin) {
		row->waker = task->waker->key + 1;
		row->waker_cpu = task->woken_ns == i->begin ? w->waker_cpu : 0;
		row->context = task->context;
	}
	for (q = 0; q < w->queues && !err; q++) {
		__u64 to = q + 1 < w->queues && w->queue[q + 1].ns < known ? w->queue[q + 1].ns : known;

		row->cpu = throttled.cpu = w->queue[q].cpu;
		err = piece_put(t, w->queue[q].throttled ? &throttled : row, from, to, true);
		if (to > from)
			from = to;
	}
	row->cpu = i->cpu;
	return err ? err : piece_put(t, row, from, known, true);
}

/* Returns a text's number.  Texts of tasks are unique, so their addresses are, too; mostly it is the previous text. */
static __u32 string_of(struct fxt_page_timeline *t, const char *text, const char **last, __u32 *number)
{
	if (!text)
		return 0;
	if (text != *last) {
		*number = fxt_page_string(&t->strings, text, strlen(text));
		*last = text;
	}
	return *number;
}

static int sleep_set(struct fxt_page_timeline *t, const struct fxt_interval *i, struct waiting *w,
		     struct fxt_page_row *row)
{
	const struct fxt_task *task = i->task;

	row->function = string_of(t, task->function, &w->function, &w->function_number);
	row->stack = string_of(t, task->stack, &w->stack, &w->stack_number);
	if (i->phase == FXT_PHASE_BLOCKED && task->iowait_known)
		row->iowait = 1 + task->iowait;
	return fxt_page_reason(&t->reasons, task, w->holder, &row->reason);
}

/* Puts a thread's run.  If it is all of the CPU's run, and a switch ends both, they are one row. */
static int run_put(struct fxt_page_timeline *t, const struct fxt_interval *i)
{
	struct fxt_page_row row = { .kind = FXT_PAGE_THREAD, .track = i->task->key, .cpu = i->cpu,
				    .phase = FXT_PAGE_RUN };
	struct fxt_cpu *cpu = t->m->cpus[i->cpu];
	struct running *run = cpu->data[t->slot];
	__u64 known, again;

	fxt_gaps_piece(&cpu->gaps, i->from, i->to, &known, &again);
	if (!i->left || known < i->to || !run || !run->open || run->task != i->task || run->from != i->from ||
	    run->to != i->to)
		return pieces_put(t, &cpu->gaps, &row, i->from, i->to);
	run->open = false;
	row = (struct fxt_page_row){ .kind = FXT_PAGE_CPU, .track = cpu->id, .task = i->task->key + 1,
				     .phase = FXT_PAGE_RUN };
	return piece_put(t, &row, i->from, i->to, true);
}

static int interval_put(struct fxt_page_timeline *t, const struct fxt_interval *i, struct waiting *w)
{
	struct fxt_page_row row = { .kind = FXT_PAGE_THREAD, .track = i->task->key, .cpu = i->cpu };
	__u64 known;
	int err = 0;

	if (i->phase == FXT_PHASE_RUN)
		return run_put(t, i);
	row.phase = phase_of(i);
	known = known_to(t->m, i);
	if (fxt_phase_waits(i->phase)) {
		err = wait_put(t, i, w, &row, known);
	} else {
		if (i->phase == FXT_PHASE_SLEEP || i->phase == FXT_PHASE_BLOCKED)
			err = sleep_set(t, i, w, &row);
		err = err ? err : piece_put(t, &row, i->from, known, true);
	}
	return err ? err : piece_put(t, &row, known, i->to, false);
}

static int interval(void *state, const struct fxt_interval *i)
{
	struct fxt_page_timeline *t = state;
	struct waiting *w = waiting_of(t, i->task);
	int err;

	if (!w)
		return -ENOMEM;
	err = i->from < i->to ? interval_put(t, i, w) : 0;
	w->queues = 0;
	return err;
}

static int loss(void *state, const struct fxt_loss_span *span)
{
	struct fxt_page_timeline *t = state;
	__u64 begin = t->m->from, end = t->m->to;
	__u64 from = span->from < begin ? begin : span->from, to = span->to > end ? end : span->to;

	if (from > end || to < begin)
		return 0;
	fxt_column_put(&t->losses, from - begin);
	fxt_column_put(&t->losses, to - from);
	fxt_column_put(&t->losses, span->cpu ? span->cpu->id + 1 : 0);
	fxt_column_put(&t->losses, span->events);
	return t->losses.failed ? -ENOMEM : 0;
}

static int event(void *state, const struct fxt_record *r)
{
	return fxt_page_timeline_event(state, r);
}

static int task_end(void *state, struct fxt_task *task)
{
	struct fxt_page_timeline *t = state;
	__u64 begin = t->m->from, end = task->end < t->m->to ? task->end : t->m->to;
	struct fxt_page_thread thread = {
		.key = task->key,
		.tid = task->tid,
		.begin = task->begin > begin ? task->begin - begin : 0,
		.end = end > begin ? end - begin : 0,
		.born = task->begin > begin,
		.died = task->end < t->m->end,
	};

	if (task->end < begin || task->begin > t->m->to)
		return 0;
	memcpy(thread.name, task->name, sizeof(thread.name));
	if (task->process) {
		thread.pid = task->process->pid;
		thread.process_key = task->process->key;
		memcpy(thread.process_name, task->process->name, sizeof(thread.process_name));
	}
	return fxt_tape_put(&t->threads, &thread);
}

static int end(void *state)
{
	return fxt_page_timeline_events_end(state);
}

static const struct fxt_observer_ops ops = {
	.interval = interval,
	.stretch = stretch,
	.change = change,
	.queue = queue,
	.throttled = throttled,
	.wakeup = wakeup,
	.loss = loss,
	.event = event,
	.task_end = task_end,
	.end = end,
};

int fxt_page_timeline_init(struct fxt_page_timeline *t, struct fxt_page *page, struct fxt_machine *m,
			   const struct fxt_selection *selection)
{
	(void)selection;
	*t = (struct fxt_page_timeline){ .page = page, .m = m };
	t->asyncs.memory.spill = t->lanes.memory.spill = m->spill;
	t->tracks.memory.spill = t->strings.numbers.memory.spill = t->reasons.numbers.memory.spill = m->spill;
	fxt_tape_init(&t->threads, sizeof(struct fxt_page_thread), m->spill->spool);
	t->slot = fxt_machine_observe(m, &ops, t);
	return fxt_page_rows_init(&t->rows, m->spill->spool);
}

void fxt_page_timeline_uninit(struct fxt_page_timeline *t)
{
	unsigned int i;

	if (!t->m)
		return;
	fxt_page_timeline_events_uninit(t);
	fxt_page_rows_uninit(&t->rows);
	fxt_page_strings_uninit(&t->strings);
	fxt_page_reasons_uninit(&t->reasons);
	for (i = 0; i < FXT_PAGE_KINDS; i++)
		free(t->counts[i].rows);
	fxt_tape_uninit(&t->threads);
	fxt_map_uninit(&t->tracks, NULL);
	fxt_map_uninit(&t->asyncs, NULL);
	fxt_map_uninit(&t->lanes, NULL);
	fxt_buffer_uninit(&t->losses);
	fxt_buffer_uninit(&t->text);
}

int fxt_page_timeline_runs_end(struct fxt_page_timeline *t)
{
	int err = 0;
	__u32 i;

	for (i = 0; i < t->m->seen_count && !err; i++) {
		struct running *run = running_of(t, t->m->seen[i]);

		if (run)
			err = run_end(t, t->m->seen[i], run);
	}
	return err;
}
