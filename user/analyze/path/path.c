// SPDX-License-Identifier: GPL-2.0-only
/* Critical paths: records the machine's past, and finds the windows that need paths. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/machine/phase.h"
#include "analyze/machine/sleep.h"
#include "analyze/path/steps.h"
#include "model/complete.h"

#define NAME(id, name)	name,
const char *const fxt_segment_names[] = { FXT_SEGMENTS(NAME) };

static struct fxt_path_trail *trail_add(struct fxt_path *p, struct fxt_task *task)
{
	struct fxt_path_trail *trail = fxt_task_data_add(&p->m->tasks, task, p->slot, sizeof(*trail));

	if (trail) {
		trail->task = task;
		trail->since = ~0ULL;
		trail->next = p->trails;
		p->trails = trail;
	}
	return trail;
}

static inline struct fxt_path_trail *trail_of(struct fxt_path *p, struct fxt_task *task)
{
	struct fxt_path_trail *trail = fxt_task_data(task, p->slot);

	return trail ? trail : trail_add(p, task);
}

static struct fxt_path_cpu *cpu_of(struct fxt_path *p, struct fxt_cpu *cpu)
{
	return cpu->data[p->slot] ? : fxt_cpu_data_add(p->m, cpu, p->slot, sizeof(struct fxt_path_cpu));
}

static int stretch(void *state, const struct fxt_cpu_stretch *s)
{
	struct fxt_path *p = state;
	struct fxt_path_cpu *cpu = cpu_of(p, s->cpu);
	struct fxt_path_run run = { .from = s->from, .to = s->to, .kind = s->kind };

	if (!cpu)
		return -ENOMEM;
	if (!s->task)
		cpu->known = s->end;
	run.what = s->kind ? (const void *)s->interrupt : s->task;
	run.before = cpu->run;
	cpu->run = p->past.next;
	return fxt_path_run_put(&p->past, &run);
}

static int step_put(struct fxt_path *p, struct fxt_path_trail *trail, struct fxt_path_step *step)
{
	if (step->from >= step->to)
		return 0;
	step->before = trail->last;
	trail->last = p->past.next;
	return fxt_path_step_put(&p->past, step);
}

/* Notes the CPU's task when a wait ends, or moves to another CPU. */
static int part_set(struct fxt_path *p, struct fxt_path_trail *trail, struct fxt_task *task, __u64 ns)
{
	struct fxt_cpu *cpu = p->m->cpus[task->cpu];
	enum fxt_interrupt kind = fxt_cpu_interrupt(cpu);
	const struct fxt_path_cpu *past = cpu_of(p, cpu);

	if (!past)
		return -ENOMEM;
	trail->left = ns;
	trail->part = (struct fxt_path_step){ .phase = task->phase, .run = past->run, .cpu = cpu->number };
	if (past->run && cpu->since >= ns)
		return 0;
	trail->part.kind = kind;
	trail->part.what = kind ? (const void *)cpu->interrupt[kind] : cpu->current;
	return 0;
}

/* Puts the part of a wait in the queue that the thread has left. */
static int part_put(struct fxt_path *p, struct fxt_path_trail *trail)
{
	if (trail->since == ~0ULL)
		return 0;
	trail->part.from = trail->since > p->m->from ? trail->since : p->m->from;
	trail->part.to = trail->left < p->m->to ? trail->left : p->m->to;
	trail->since = ~0ULL;
	return step_put(p, trail, &trail->part);
}

static int throttled(void *state, const struct fxt_throttled *t)
{
	struct fxt_path *p = state;
	struct fxt_path_trail *trail = trail_of(p, t->task);
	struct fxt_path_step step = { .from = t->from, .to = t->to, .phase = t->task->phase, .kind = FXT_PATH_THROTTLED };
	int err = trail ? part_put(p, trail) : -ENOMEM;

	if (err)
		return err;
	trail->throttled_to = t->end;
	return step_put(p, trail, &step);
}

static int queue(void *state, struct fxt_task *task, bool enters, __u64 ns)
{
	struct fxt_path *p = state;
	struct fxt_path_trail *trail = trail_of(p, task);
	int err = 0;

	if (!trail)
		return -ENOMEM;
	if (!enters)
		return part_set(p, trail, task, ns);
	/* The thread moved from one queue to another. */
	if (fxt_phase_waits(task->phase))
		err = part_put(p, trail);
	trail->since = ns;
	return err;
}

/* Returns the kind of handler for a wakeup's context; not every interrupt and softirq has a recorded handler. */
static enum fxt_interrupt interrupt_of(enum fxt_waker_context context)
{
	return fxt_context_level(context) == FXT_CONTEXT_HARDIRQ ? FXT_INTERRUPT_IRQ :
	       fxt_context_level(context) == FXT_CONTEXT_SOFTIRQ ? FXT_INTERRUPT_SOFTIRQ : FXT_INTERRUPT_NONE;
}

/* Sets the waker that ended a sleep. */
static void wake_set(struct fxt_path *p, struct fxt_path_step *step, struct fxt_task *task, __u64 ns)
{
	struct fxt_task *waker = task->waker;
	struct fxt_path_trail *trail;
	struct fxt_cpu *cpu;
	enum fxt_interrupt kind;

	if (!waker || task->woken_ns != ns)
		return;
	step->waker = waker;
	step->context = task->context;
	cpu = p->m->cpus[waker->cpu];
	kind = cpu ? fxt_cpu_interrupt(cpu) : FXT_INTERRUPT_NONE;
	if (kind && kind == interrupt_of(task->context)) {
		step->waker_since = cpu->since;
		step->handler = cpu->interrupt[kind];
		return;
	}
	trail = waker->data[p->slot];
	step->waker_step = trail ? trail->last : 0;
	step->waker_since = waker->phase == FXT_PHASE_RUN ? waker->since : ns;
}

/* Puts the step before a thread's life, which starts at the step's end. */
static int before_put(struct fxt_path *p, struct fxt_task *task, struct fxt_path_step *step)
{
	struct fxt_path_trail *trail;

	if (step->to < p->m->from || step->to > p->m->to)
		return 0;
	trail = trail_of(p, task);
	return trail ? step_put(p, trail, step) : -ENOMEM;
}

/*
 * Puts the step before a wakeup that is a thread's first event: the thread has slept since before its CPU's first
 * event, as it would have left the CPU with a switch otherwise.  The kind of sleep isn't known.  This holds only
 * for fxtrec's recordings of all threads: other recordings may name another CPU than the CPU that the thread left.
 */
static int first_put(struct fxt_path *p, struct fxt_task *task, __u64 ns)
{
	struct fxt_path_trail *trail = trail_of(p, task);
	struct fxt_path_step step = { .to = ns, .phase = FXT_PHASE_UNKNOWN };
	struct fxt_cpu *cpu = p->m->cpus[task->cpu];
	const struct fxt_path_cpu *past;

	if (!trail)
		return -ENOMEM;
	if (trail->unheard != ns || !cpu->current || p->m->chosen_threads || p->m->recorded)
		return 0;
	past = cpu_of(p, cpu);
	if (!past)
		return -ENOMEM;
	step.from = past->known > p->m->from ? past->known : p->m->from;
	wake_set(p, &step, task, ns);
	return step_put(p, trail, &step);
}

/* Puts the step before a new thread's life, with the creator as its waker. */
static int wakeup(void *state, struct fxt_task *task, const struct fxt_wakeup_view *view, __u64 ns)
{
	struct fxt_path_step step = { .to = ns, .phase = FXT_PHASE_DEAD };
	struct fxt_path *p = state;

	if (!view->new)
		return ns > p->m->to ? 0 : first_put(p, task, ns);
	wake_set(p, &step, task, ns);
	return before_put(p, task, &step);
}

/* Puts the step before an exec: the task was another thread until then. */
static int exec(void *state, struct fxt_task *before, struct fxt_task *task, __u64 ns)
{
	struct fxt_path *p = state;
	const struct fxt_path_trail *trail = fxt_task_data(before, p->slot);
	struct fxt_path_step step = {
		.to = ns, .phase = FXT_PHASE_DEAD, .waker = before, .waker_since = ns,
		.waker_step = trail ? trail->last : 0,
	};

	return before_put(p, task, &step);
}

/* Puts a step, with its lost parts as unknown; since: start of its phase. */
static int known_put(struct fxt_path *p, struct fxt_path_trail *trail, const struct fxt_path_step *whole,
		     __u64 since)
{
	const struct fxt_gaps *gaps;
	struct fxt_path_step step = *whole, lost = { .to = whole->to };
	int err = 0;

	if (whole->phase != FXT_PHASE_RUN) {
		lost.from = step.to = fxt_phase_known(p->m, trail->task, whole->phase, since, whole->to);
		if (lost.from < whole->from)
			lost.from = whole->from;
		err = step_put(p, trail, &step);
		return err ? err : step_put(p, trail, &lost);
	}
	/* A running thread is known again after each loss of its CPU. */
	gaps = &p->m->cpus[trail->task->cpu]->gaps;
	while (!err && step.from < whole->to) {
		fxt_gaps_piece(gaps, step.from, whole->to, &step.to, &lost.to);
		lost.from = step.to;
		err = step_put(p, trail, &step);
		if (!err && lost.from < whole->to)
			err = step_put(p, trail, &lost);
		step.from = lost.to;
	}
	return err;
}

/* Returns the reason of a sleep in words; NULL: none is recorded, or an idle thread is better described by its waker. */
static const char *why(struct fxt_path *p, struct fxt_path_trail *trail, const struct fxt_task *task)
{
	char text[FXT_SLEEP_TEXT_BYTES];

	if (!task->reason.bits || task->wait == FXT_WAIT_IDLE)
		return NULL;
	/* Most threads sleep for one reason again and again. */
	if (trail->why && !memcmp(&trail->reason, &task->reason, sizeof(task->reason)))
		return trail->why;
	trail->reason = task->reason;
	fxt_sleep_write(p->m, text, sizeof(text), &task->reason, fxt_sleep_holder(p->m, task, task->since));
	trail->why = fxt_sleep_keep(p->m, text, &task->reason);
	return trail->why;
}

static int interval(void *state, const struct fxt_interval *i)
{
	struct fxt_path *p = state;
	struct fxt_path_trail *trail = trail_of(p, i->task);
	struct fxt_path_step step = { .from = i->from, .to = i->to, .phase = i->phase };

	if (!trail)
		return -ENOMEM;
	if (fxt_phase_waits(i->phase) && trail->since != ~0ULL) {
		if (!i->strayed) {
			step.kind = trail->part.kind;
			step.run = trail->part.run;
			step.what = trail->part.what;
		}
		step.from = trail->since > i->from ? trail->since : i->from;
		/* The doubt may start before a move. */
		if (step.from > step.to)
			step.from = step.to;
	} else if (fxt_phase_sleeps(i->phase)) {
		step.function = i->task->function ? i->task->function : why(p, trail, i->task);
		step.wait = fxt_path_wait(i->task);
		if (i->ended)
			wake_set(p, &step, i->task, i->end);
	}
	/* Start after the throttling that was put already. */
	if (step.from < trail->throttled_to)
		step.from = trail->throttled_to < step.to ? trail->throttled_to : step.to;
	trail->since = ~0ULL;
	trail->throttled_to = 0;
	if (i->phase == FXT_PHASE_UNKNOWN && i->ended && i->begin == p->m->begin && !p->m->gaps.count)
		trail->unheard = i->end;
	return p->m->lossy && i->phase != FXT_PHASE_UNKNOWN ? known_put(p, trail, &step, i->begin) :
								   step_put(p, trail, &step);
}

/* Ends a window now, and stores the start of its walk. */
static int window_end(struct fxt_path *p, struct fxt_path_window window)
{
	const struct fxt_path_trail *trail;

	trail = trail_of(p, window.task);
	if (!trail)
		return -ENOMEM;
	window.key = window.task->key;
	if (window.from < p->m->from)
		window.from = p->m->from;
	if (window.to > p->m->to)
		window.to = p->m->to;
	if (window.from >= window.to)
		return 0;
	window.step = trail->last;
	window.since = window.task->since;
	window.phase = window.task->phase;
	return fxt_path_windows_put(&p->windows, &window);
}

static int pending_end(struct fxt_path *p, __u64 ns)
{
	int err = 0;

	while (!err && p->pending.count && p->pending.window[0].to <= ns)
		err = window_end(p, fxt_path_windows_take_first(&p->pending));
	return err;
}

/* Puts a named duration with a known end, or counts it as open if it never ends. */
static int complete(struct fxt_path *p, struct fxt_task *task, const struct fxt_record *r)
{
	__u64 end = fxt_complete_end(r);

	if (end != ~0ULL)
		return fxt_path_windows_put_ordered(&p->pending, &(struct fxt_path_window){
			.task = task, .from = r->ticks, .to = end });
	p->open_count += fxt_path_open_counts(p, r->ticks);
	return 0;
}

/* Follows a slice of a thread: a slice with the name is a window. */
static int slice(struct fxt_path *p, struct fxt_task *task, const struct fxt_record *r, bool named)
{
	struct fxt_path_trail *trail = trail_of(p, task);
	__u64 begin;

	if (!trail)
		return -ENOMEM;
	if (r->event.type == FXT_EVENT_DURATION_BEGIN)
		return fxt_path_open_put(p, &trail->open, r, named);
	if (r->event.type == FXT_EVENT_DURATION_COMPLETE)
		return named ? complete(p, task, r) : 0;
	begin = fxt_path_open_take(p, &trail->open, r);
	if (begin == FXT_PATH_NOT_NAMED)
		return 0;
	return window_end(p, (struct fxt_path_window){ .task = task, .from = begin, .to = r->ticks });
}

/* Ends asynchronous work, which counts for the thread that ends it. */
static int async_end(struct fxt_path *p, const struct fxt_record *r)
{
	__u64 begin = fxt_path_async_end(p, r);
	struct fxt_task *task;

	if (begin == FXT_PATH_NOT_NAMED)
		return 0;
	if (!r->thread.thread) {
		p->nobody = true;
		return 0;
	}
	task = fxt_task_live(p->m, r->thread.thread);
	if (!task || !fxt_selection_task(p->selection, task))
		return task ? 0 : -ENOMEM;
	return window_end(p, (struct fxt_path_window){ .task = task, .from = begin, .to = r->ticks });
}

static int event(void *state, const struct fxt_record *r)
{
	struct fxt_path *p = state;
	struct fxt_task *task;
	bool named;

	if (!p->mark || r->kind != FXT_KIND_EVENT)
		return 0;
	if (pending_end(p, r->ticks))
		return -ENOMEM;
	named = fxt_text_equal(&r->name, p->mark);
	if (r->event.type == FXT_EVENT_ASYNC_BEGIN)
		return fxt_path_async_begin(p, r, named);
	if (r->event.type == FXT_EVENT_ASYNC_END)
		return async_end(p, r);
	if (r->event.type != FXT_EVENT_DURATION_BEGIN && r->event.type != FXT_EVENT_DURATION_END &&
	    r->event.type != FXT_EVENT_DURATION_COMPLETE)
		return 0;
	/* A thread that runs when the trace starts has no scheduling event yet. */
	task = r->thread.thread ? fxt_task_live(p->m, r->thread.thread) : fxt_tasks_get(&p->m->tasks, 0);
	if (!task)
		return r->thread.thread ? -ENOMEM : 0;
	return fxt_selection_task(p->selection, task) ? slice(p, task, r, named) : 0;
}

static int task_end(void *state, struct fxt_task *task)
{
	struct fxt_path *p = state;

	if (p->mark || !fxt_selection_task(p->selection, task))
		return 0;
	return window_end(p, (struct fxt_path_window){ .task = task, .from = task->begin, .to = task->end });
}

/* Ends pending windows before the thread enters its next phase. */
static int interval_first(void *state, const struct fxt_interval *i)
{
	struct fxt_path *p = state;
	int err = p->pending.count && p->pending.window[0].to < p->m->now ? pending_end(p, p->m->now) : 0;

	return err ? err : interval(state, i);
}

static int end(void *state)
{
	return pending_end(state, ~0ULL);
}

static const struct fxt_observer_ops ops = {
	.end = end,
	.interval = interval_first,
	.throttled = throttled,
	.stretch = stretch,
	.queue = queue,
	.wakeup = wakeup,
	.exec = exec,
	.event = event,
	.task_end = task_end,
};

__u64 fxt_path_last(const struct fxt_path *p, const struct fxt_task *task)
{
	const struct fxt_path_trail *trail = fxt_task_data(task, p->slot);

	return trail ? trail->last : 0;
}

const char *fxt_path_reason(const struct fxt_path *p, const struct fxt_task *task)
{
	const struct fxt_path_trail *trail = fxt_task_data(task, p->slot);

	return task->function || !trail || !task->reason.bits || task->wait == FXT_WAIT_IDLE ? task->function : trail->why;
}

void fxt_path_init(struct fxt_path *p, struct fxt_machine *m, const struct fxt_selection *selection,
		   const char *mark)
{
	*p = (struct fxt_path){ .m = m, .selection = selection, .mark = mark };
	p->slot = fxt_machine_observe(m, &ops, p);
	p->asyncs.memory.spill = m->spill;
	fxt_pack_init(&p->past, m->spill->spool);
}

void fxt_path_uninit(struct fxt_path *p)
{
	fxt_pack_uninit(&p->past);
	fxt_path_opens_free(p);
	fxt_map_uninit(&p->asyncs, NULL);
	free(p->windows.window);
	free(p->pending.window);
}
