// SPDX-License-Identifier: GPL-2.0-only
/* The state machine: what each record says of threads and CPUs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/phase.h"
#include "fxt/events.h"

int fxt_machine_init(struct fxt_machine *m, struct fxt_spill *spill)
{
	*m = (struct fxt_machine){ .spill = spill };
	fxt_tasks_init(&m->tasks, spill);
	m->cpus = calloc(FXT_MACHINE_CPUS, sizeof(struct fxt_cpu *));
	return m->cpus ? 0 : -ENOMEM;
}

void fxt_machine_window(struct fxt_machine *m, __u64 from, __u64 to)
{
	__u32 i;

	m->from = from > m->begin ? from : m->begin;
	m->to = to < m->end ? to : m->end;
	/* The last event is in the trace, though no time is behind it. */
	m->events_to = to > m->end ? m->end + 1 : to;
	if (m->to < m->from)
		m->to = m->from;
	for (i = 0; i < m->cpu_count; i++)
		if (m->cpus[i])
			m->cpus[i]->switches = 0;
}

void fxt_machine_span(struct fxt_machine *m, __u64 begin, __u64 end, __u64 from, __u64 to)
{
	m->begin = m->now = begin;
	m->end = end;
	fxt_machine_window(m, from, to);
}

void fxt_machine_uninit(struct fxt_machine *m)
{
	__u32 i;

	for (i = 0; i < m->cpu_count; i++)
		if (m->cpus[i])
			fxt_gaps_uninit(&m->cpus[i]->gaps, m->spill);
	fxt_gaps_uninit(&m->gaps, m->spill);
	fxt_tasks_uninit(&m->tasks);
	free(m->cpus);
}

unsigned int fxt_machine_observe(struct fxt_machine *m, const struct fxt_observer_ops *ops, void *state)
{
	unsigned int i;

#define LIST(op)						\
	for (i = 0; m->observed.op[i].call; i++)		\
		;						\
	m->observed.op[i].call = ops->op;			\
	m->observed.op[i].state = state;
	FXT_OBSERVED(LIST)
	return m->observers++;
}

/* By the letter that a thread leaves its CPU with. */
static enum fxt_phase phase_of(const struct fxt_switch_view *view)
{
	static const __u8 phases[] = {
		[FXT_LINUX_R] = FXT_PHASE_WAIT_PREEMPTED,
		[FXT_LINUX_S] = FXT_PHASE_SLEEP,
		[FXT_LINUX_D] = FXT_PHASE_BLOCKED,
		[FXT_LINUX_T] = FXT_PHASE_STOPPED,
		[FXT_LINUX_TRACED] = FXT_PHASE_STOPPED,
		[FXT_LINUX_X] = FXT_PHASE_DEAD,
		[FXT_LINUX_Z] = FXT_PHASE_DEAD,
		[FXT_LINUX_P] = FXT_PHASE_SLEEP,
		[FXT_LINUX_I] = FXT_PHASE_SLEEP,
	};

	return view->preempted ? FXT_PHASE_WAIT_PREEMPTED : phases[view->state];
}

/*
 * What a thread was that is asleep or not, as it was woken when it was about to leave its CPU:
 * what comes next says which, unless something was lost in between.
 */
static enum fxt_phase decided(const struct fxt_machine *m, const struct fxt_task *task, enum fxt_phase was,
			      __u64 ns)
{
	return fxt_gaps_before(&m->gaps, m->spill, task->since, ns) < ns ? FXT_PHASE_UNKNOWN : was;
}

/* The thread leaves its CPU. */
static int leave(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task,
		 const struct fxt_switch_view *view, __u64 ns)
{
	enum fxt_phase phase = phase_of(view);
	int err;

	/* A wakeup on its CPU may be among what was lost. */
	if (m->gaps.count && (task->mended || fxt_gaps_before(&m->gaps, m->spill, task->since, ns) < ns))
		task->woken = true;
	err = fxt_phase_end_by(m, task, FXT_PHASE_RUN, ns, true, view);
	task->state = view->state;
	task->prio = view->prev_prio;
	if (err)
		return err;
	if (phase == FXT_PHASE_DEAD)
		return fxt_task_finish(m, task, ns);
	if (phase == FXT_PHASE_WAIT_PREEMPTED)
		task->woken = false;
	if (phase != FXT_PHASE_BLOCKED)
		task->iowait_known = task->iowait = false;
	return fxt_phase_begin(m, task, phase, cpu->id, ns);
}

/* The thread comes to its CPU. */
static int enter(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task,
		 const struct fxt_switch_view *view, __u64 ns)
{
	enum fxt_phase was = task->phase;
	int err = 0;

	/* It was woken when it was about to leave: no wakeup came behind that. */
	if (task->woken && was != FXT_PHASE_RUN)
		was = decided(m, task, FXT_PHASE_WAIT_WAKEUP, ns);
	if (!fxt_phase_waits(was) && was != FXT_PHASE_UNKNOWN) {
		err = fxt_phase_deny(m, task, ns);
		was = FXT_PHASE_UNKNOWN;
	}
	task->prio = view->next_prio;
	task->woken = task->mended = false;
	task->function = task->stack = NULL;
	if (!err)
		err = fxt_phase_end_by(m, task, was, ns, true, NULL);
	return err ? err : fxt_phase_begin(m, task, FXT_PHASE_RUN, cpu->id, ns);
}

static int switch_put(struct fxt_machine *m, const struct fxt_switch_view *view, __u64 ns)
{
	struct fxt_cpu *cpu = fxt_cpu_get(m, view->cpu);
	struct fxt_change change = { .cpu = cpu, .view = view, .ns = ns };
	int err = 0;

	if (!cpu)
		return -ENOMEM;
	m->settling = cpu;
	change.prev = !view->prev ? &cpu->idle :
		      cpu->current && cpu->current->tid == view->prev ? cpu->current :
		      fxt_task_live(m, view->prev);
	if (!change.prev)
		return -ENOMEM;
	if (cpu->current != change.prev)
		err = fxt_chain_mend(m, cpu, change.prev, ns);
	if (!err)
		err = fxt_stretch_end(m, cpu, cpu->current, ns);
	if (!err && view->prev)
		err = leave(m, cpu, change.prev, view, ns);
	if (err)
		return err;
	change.next = view->next ? fxt_task_live(m, view->next) : &cpu->idle;
	if (!change.next)
		return -ENOMEM;
	if (view->next)
		err = enter(m, cpu, change.next, view, ns);
	cpu->current = change.next;
	cpu->sure = ns;
	cpu->switches += fxt_machine_counts(m, ns);
	m->settling = NULL;
	if (!err)
		err = FXT_OBSERVE(m, runnable, cpu, ns);
	return err ? err : FXT_OBSERVE(m, change, &change);
}

/* The thread that wakes another. */
static struct fxt_task *waker_of(struct fxt_machine *m, const struct fxt_wakeup_view *view, int *err)
{
	struct fxt_cpu *cpu;
	struct fxt_task *waker;

	*err = 0;
	if (!view->waker_known)
		return NULL;
	cpu = fxt_cpu_get(m, view->cpu);
	if (cpu && cpu->current && cpu->current->tid == view->waker)
		waker = cpu->current;
	else
		waker = cpu && !view->waker ? &cpu->idle : fxt_task_live(m, view->waker);
	*err = waker ? 0 : -ENOMEM;
	return waker;
}

/* A new thread: what had its id before has ended, unnoticed. */
static struct fxt_task *birth(struct fxt_machine *m, __u64 tid, const struct fxt_task *parent, __u64 ns,
			      int *err)
{
	struct fxt_task *task = fxt_tasks_get(&m->tasks, tid);

	*err = 0;
	if (task && task->phase != FXT_PHASE_DEAD) {
		*err = fxt_phase_deny(m, task, ns);
		if (!*err)
			*err = fxt_phase_end(m, task, FXT_PHASE_UNKNOWN, ns, false);
		if (!*err)
			*err = fxt_task_finish(m, task, ns);
	}
	task = *err ? NULL : fxt_tasks_add(&m->tasks, tid, ns);
	if (!*err)
		*err = task ? fxt_tasks_born(&m->tasks, task, parent) : -ENOMEM;
	return *err ? NULL : task;
}

/* Ends what the thread was believed to do before it was woken. */
static int rouse(struct fxt_machine *m, struct fxt_task *task, __u64 ns)
{
	enum fxt_phase was = task->phase;
	int err = 0;

	if (task->woken) {
		was = decided(m, task, was, ns);
	} else if (fxt_phase_waits(was)) {
		/* It had run and slept again, unnoticed. */
		err = fxt_phase_deny(m, task, ns);
		was = FXT_PHASE_UNKNOWN;
	}
	task->woken = false;
	return err ? err : fxt_phase_end_by(m, task, was, ns, true, NULL);
}

/* Whether a wakeup changes nothing: the thread is runnable, so far as is known. */
static bool awake(const struct fxt_machine *m, const struct fxt_task *task,
		  const struct fxt_wakeup_view *view, __u64 ns)
{
	const struct fxt_gap *gap;

	if (task->phase == FXT_PHASE_RUN || (task->phase == FXT_PHASE_UNKNOWN && view->on_cpu))
		return true;
	if (!fxt_phase_waits(task->phase))
		return false;
	/* It was preempted in the state that it was about to sleep in; or something was lost. */
	gap = fxt_gaps_after(&m->gaps, m->spill, task->since);
	return !gap || gap->from >= ns;
}

static int wakeup_put(struct fxt_machine *m, const struct fxt_wakeup_view *view, __u64 ns)
{
	struct fxt_cpu *cpu, *target = fxt_cpu_get(m, view->target);
	struct fxt_task *waker, *task;
	bool is_awake;
	int err;

	m->wakes = true;
	waker = waker_of(m, view, &err);
	if (err || !target)
		return err ? err : -ENOMEM;
	if (waker) {
		cpu = fxt_cpu_get(m, view->cpu);
		if (!cpu->current)
			err = fxt_chain_mend(m, cpu, waker, ns);
		else if (cpu->current == waker)
			cpu->sure = ns;
		if (err)
			return err;
	}
	task = view->new ? birth(m, view->thread, waker, ns, &err) : fxt_task_live(m, view->thread);
	if (!task)
		return err ? err : -ENOMEM;
	is_awake = awake(m, task, view, ns);
	if (task->phase == FXT_PHASE_RUN || !is_awake) {
		task->waker = waker;
		task->context = view->context;
		task->woken_ns = ns;
	}
	task->prio = view->prio;
	if (is_awake) {
		task->woken = task->phase == FXT_PHASE_RUN;
		return FXT_OBSERVE(m, wakeup, task, view, ns);
	}
	err = rouse(m, task, ns);
	if (!err)
		err = fxt_phase_begin(m, task, FXT_PHASE_WAIT_WAKEUP, target->id, ns);
	return err ? err : FXT_OBSERVE(m, wakeup, task, view, ns);
}

/* It goes to another CPU's queue: its wait goes on. */
static int migrate_put(struct fxt_machine *m, const struct fxt_migrate_view *view, __u64 ns)
{
	struct fxt_task *task = view->thread ? fxt_task_live(m, view->thread) : NULL;
	struct fxt_cpu *to = fxt_cpu_get(m, view->to);
	int err = 0;

	if (!view->thread)
		return 0;
	if (!task || !to)
		return -ENOMEM;
	/* Only what can run is moved. */
	if (task->woken && task->phase != FXT_PHASE_RUN && task->phase != FXT_PHASE_UNKNOWN &&
	    decided(m, task, task->phase, ns) == task->phase) {
		task->woken = false;
		task->phase = FXT_PHASE_WAIT_WAKEUP;
	}
	if (task->queued) {
		err = fxt_queue_change(m, task, false, ns);
		task->cpu = to->id;
		if (!err)
			err = fxt_queue_change(m, task, true, ns);
	} else if (task->phase != FXT_PHASE_RUN) {
		task->cpu = to->id;
	}
	return err ? err : FXT_OBSERVE(m, migrate, task, view, ns);
}

/* Whether a loss hides scheduling; the CPU that it was on, or none. */
static bool loss_hides(const struct fxt_record *r, bool *known, __u32 *cpu)
{
	__u64 koid = r->thread.thread;
	struct fxt_lost lost;

	if (!fxt_lost_read(&lost, r) && lost.cause >= FXT_LOST_MARKS_FULL && lost.cause <= FXT_LOST_MARKS_BAD)
		return false;
	*known = true;
	if (koid >= FXT_KOID_LOSSES(0, 0) && koid < FXT_KOID_LOSSES(0, FXTREC_RINGS)) {
		*cpu = koid & 0xffff;
		return (koid >> 16 & 0xff) == FXTREC_RING_SCHED;
	}
	if (!fxt_lost_read(&lost, r) && lost.ring < FXTREC_RINGS) {
		*cpu = lost.cpu;
		return lost.ring == FXTREC_RING_SCHED;
	}
	*known = false;
	return true;
}

/* Adds a loss to a CPU's gaps, or to those of all that are known. */
static int gaps_add(struct fxt_machine *m, const struct fxt_loss_span *span)
{
	int err = fxt_gaps_add(&m->gaps, m->spill, span->from, span->to);
	__u32 i;

	if (span->cpu)
		return err ? err : fxt_gaps_add(&span->cpu->gaps, m->spill, span->from, span->to);
	for (i = 0; !err && i < m->cpu_count; i++)
		if (m->cpus[i])
			err = fxt_gaps_add(&m->cpus[i]->gaps, m->spill, span->from, span->to);
	return err;
}

int fxt_machine_lose(struct fxt_machine *m, __u64 from, __u64 to)
{
	struct fxt_loss_span span = { .from = from, .to = to, .between = true };
	int err = gaps_add(m, &span);

	return err ? err : FXT_OBSERVE(m, loss, &span);
}

/* An end of a loss that began with an event of its own. */
static void loss_end(struct fxt_machine *m, struct fxt_cpu *cpu, __u64 ns)
{
	if (!cpu || !cpu->losing)
		return;
	cpu->losing = false;
	fxt_gaps_end(&cpu->gaps, m->spill, ns);
	if (!--m->losing)
		fxt_gaps_end(&m->gaps, m->spill, ns);
}

/* A loss is a span; where it is a begin and an end, it lasts until that comes. */
static int lost_event(struct fxt_machine *m, const struct fxt_record *r)
{
	struct fxt_loss_span span = { .from = r->ticks, .to = r->ticks };
	struct fxt_lost lost;
	__u32 number = 0;
	bool known;
	int err;

	if (!loss_hides(r, &known, &number))
		return 0;
	if (known) {
		span.cpu = fxt_cpu_get(m, number);
		if (!span.cpu)
			return -ENOMEM;
	}
	if (!fxt_lost_read(&lost, r))
		span.events = lost.records;
	if (r->event.type == FXT_EVENT_DURATION_END) {
		loss_end(m, span.cpu, r->ticks);
		return 0;
	}
	if (r->event.type == FXT_EVENT_DURATION_COMPLETE) {
		span.to = r->event.end;
	} else if (r->event.type == FXT_EVENT_DURATION_BEGIN && span.cpu && !span.cpu->losing) {
		span.to = ~0ULL;
		span.cpu->losing = true;
		m->losing++;
	}
	err = gaps_add(m, &span);
	return err ? err : FXT_OBSERVE(m, loss, &span);
}

/* Right before its switch: what the thread will sleep in. */
static int blocked_event(struct fxt_machine *m, const struct fxt_record *r)
{
	const struct fxt_arg *function = fxt_record_arg(r, "function"), *stack = fxt_record_arg(r, "stack");
	struct fxt_task *task = fxt_task_live(m, r->thread.thread);
	__u64 iowait;

	if (!task)
		return -ENOMEM;
	m->stacks = true;
	task->iowait_known = !fxt_arg_number(fxt_record_arg(r, "iowait"), &iowait);
	task->iowait = task->iowait_known && iowait;
	if (function && function->type == FXT_ARG_STRING)
		task->function = fxt_tasks_text(&m->tasks, &function->string);
	if (stack && stack->type == FXT_ARG_STRING)
		task->stack = fxt_tasks_text(&m->tasks, &stack->string);
	return 0;
}

/* An interrupt's handler begins or ends. */
static int interrupt_event(struct fxt_machine *m, const struct fxt_record *r)
{
	__u64 track = (r->thread.thread - FXT_KOID_TRACK(0, 0)) >> 16;
	bool begins = r->event.type == FXT_EVENT_DURATION_BEGIN;
	enum fxt_interrupt kind;
	struct fxt_cpu *cpu;
	int err;

	if (r->thread.thread < FXT_KOID_TRACK(0, 0) || track > FXT_TRACK_SOFTIRQ ||
	    (!begins && r->event.type != FXT_EVENT_DURATION_END))
		return 0;
	kind = track == FXT_TRACK_IRQ ? FXT_INTERRUPT_IRQ : FXT_INTERRUPT_SOFTIRQ;
	cpu = fxt_cpu_get(m, r->thread.thread & 0xffff);
	err = cpu ? fxt_chain_check(m, cpu, r->ticks) : -ENOMEM;
	if (!err)
		err = fxt_stretch_end(m, cpu, cpu->current, r->ticks);
	if (err)
		return err;
	cpu->interrupt[kind] = begins ? fxt_tasks_text(&m->tasks, &r->name) : NULL;
	return begins && !cpu->interrupt[kind] ? -ENOMEM : 0;
}

static int event_put(struct fxt_machine *m, const struct fxt_record *r)
{
	int err = 0;

	if (fxt_text_equal(&r->category, "fxtrec")) {
		if (fxt_text_equal(&r->name, "lost"))
			err = lost_event(m, r);
	} else if (fxt_text_equal(&r->category, "sched")) {
		struct fxt_migrate_view view;

		if (!fxt_migrate_view_get(&view, r))
			return migrate_put(m, &view, r->ticks);
		if (fxt_text_equal(&r->name, "blocked"))
			err = blocked_event(m, r);
	} else if (fxt_text_equal(&r->category, "irq")) {
		err = interrupt_event(m, r);
	}
	return err ? err : FXT_OBSERVE(m, event, r);
}

/* A record that isn't in brief. */
static __attribute__((noinline)) int record_put(struct fxt_machine *m, const struct fxt_record *r)
{
	union fxt_sched_view view;

	switch (r->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
	case FXT_KIND_LEGACY_SWITCH:
		fxt_switch_view_get(&view.change, r);
		return switch_put(m, &view.change, r->ticks);
	case FXT_KIND_WAKEUP:
		fxt_wakeup_view_get(&view.wakeup, r);
		return wakeup_put(m, &view.wakeup, r->ticks);
	case FXT_KIND_KERNEL_OBJECT:
		return fxt_tasks_name(&m->tasks, r);
	case FXT_KIND_EVENT:
		return event_put(m, r);
	default:
		return FXT_OBSERVE(m, event, r);
	}
}

int fxt_machine_put(struct fxt_machine *m, const struct fxt_record *r)
{
	if (r->timed && r->ticks > m->now)
		m->now = r->ticks;
	if (!r->view)
		return record_put(m, r);
	return r->kind == FXT_KIND_WAKEUP ? wakeup_put(m, &r->view->wakeup, r->ticks) :
					    switch_put(m, &r->view->change, r->ticks);
}

/* What a thread was woken from isn't known if the trace ends before it runs. */
static int task_close(struct fxt_machine *m, struct fxt_task *task)
{
	enum fxt_phase was = task->woken && task->phase != FXT_PHASE_RUN ? FXT_PHASE_UNKNOWN : task->phase;
	int err = fxt_phase_end(m, task, was, m->end, false);

	return err ? err : fxt_task_finish(m, task, m->end);
}

static int tasks_close(struct fxt_machine *m)
{
	struct fxt_task *task;
	__u64 at = 0;
	int err = 0;

	while (!err && (task = fxt_tasks_next(&m->tasks, &at)))
		if (task->phase != FXT_PHASE_DEAD)
			err = task_close(m, task);
	return err;
}

int fxt_machine_end(struct fxt_machine *m)
{
	int err = FXT_OBSERVE(m, end);
	__u32 i;

	for (i = 0; i < m->cpu_count && !err; i++) {
		if (!m->cpus[i])
			continue;
		err = fxt_chain_check(m, m->cpus[i], m->end);
		if (!err)
			err = fxt_stretch_end(m, m->cpus[i], m->cpus[i]->current, m->end);
	}
	return err ? err : tasks_close(m);
}
