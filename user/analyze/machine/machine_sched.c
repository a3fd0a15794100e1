// SPDX-License-Identifier: GPL-2.0-only
/* Applies context switches, wakeups and migrations to threads and CPUs. */
#include <errno.h>

#include "analyze/machine/machine_put.h"
#include "analyze/machine/chain.h"

/*
 * Returns the phase of a thread that was woken while it was about to leave its CPU: the next
 * event shows whether it slept, unless something was lost in between.
 */
static enum fxt_phase decided(const struct fxt_machine *m, const struct fxt_task *task, enum fxt_phase was,
			      __u64 ns)
{
	return fxt_gaps_before(&m->gaps, task->since, ns) < ns ? FXT_PHASE_UNKNOWN : was;
}

/*
 * Returns whether a thread may hold a lock that another one waits for.  A futex has the id of a thread of the
 * same process, or of any process if processes share the futex.
 */
static bool holds(const struct fxt_machine *m, const struct fxt_task *task, const struct fxt_sleep_reason *reason)
{
	const struct fxt_object *object = fxt_objects_thread(&m->tasks.objects, reason->holder);
	const struct fxt_task *holder = fxt_tasks_get(&m->tasks, reason->holder);
	bool shared = !fxt_reason_is_private(reason) && reason->bits & FXT_REASON_LOCK;

	if (reason->holder == task->tid || !object || (holder && holder->phase == FXT_PHASE_DEAD))
		return false;
	return fxt_object_is_lock(reason->kind) || shared || (task->process && object->process == task->process->pid);
}

/* Notes the reason of a sleep. */
static void reason_note(struct fxt_machine *m, struct fxt_task *task, const struct fxt_switch_view *view)
{
	task->reason = view->reason;
	if (task->reason.holder && !holds(m, task, &task->reason)) {
		task->reason.holder = 0;
		task->reason.bits &= ~FXT_REASON_JOIN;
	}
	task->wait = fxt_wait_class(&m->calls, &task->reason, view->state);
	m->reasons = m->reasons || task->reason.bits;
}

/* Applies that a thread leaves its CPU. */
static int leave(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task,
		 const struct fxt_switch_view *view, __u64 ns)
{
	enum fxt_phase phase = fxt_phase_left(view);
	int err;

	if (view->unchosen & FXT_UNCHOSEN_OUTGOING && phase != FXT_PHASE_DEAD)
		phase = FXT_PHASE_UNKNOWN;
	task->supposed = false;
	/* A wakeup on its CPU may be among lost events, or may have come before the thread was chosen. */
	if (!task->woken && m->wakes && ((task->mended && (m->lossy || m->chosen_threads)) ||
			 (m->gaps.count && fxt_gaps_before(&m->gaps, task->since, ns) < ns)))
		task->woken = task->supposed = true;
	err = fxt_phase_end_inline(m, task, FXT_PHASE_RUN, ns, true, view);
	task->state = view->state;
	task->preempted = view->preempted;
	task->prio = view->prev_prio;
	task->function_next = false;
	if (err)
		return err;
	if (phase == FXT_PHASE_DEAD)
		return fxt_task_finish(m, task, ns);
	if (phase == FXT_PHASE_WAIT_PREEMPTED || phase == FXT_PHASE_UNKNOWN)
		task->woken = false;
	if (phase != FXT_PHASE_WAIT_PREEMPTED)
		reason_note(m, task, view);
	if (phase != FXT_PHASE_BLOCKED)
		task->iowait_known = task->iowait = false;
	return fxt_phase_begin(m, task, phase, cpu->id, ns);
}

/* Returns whether a thread has moved to a CPU without a migration or a loss that shows it. */
static bool strays(const struct fxt_machine *m, const struct fxt_task *task, const struct fxt_cpu *cpu, __u64 ns)
{
	return task->phase > FXT_PHASE_RUN && task->phase != FXT_PHASE_DEAD && task->cpu != cpu->id &&
	       fxt_gaps_before(&m->gaps, task->since, ns) >= ns;
}

/* Applies that a thread comes to its CPU. */
static int enter(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task,
		 const struct fxt_switch_view *view, __u64 ns)
{
	enum fxt_phase was = task->phase;
	int err = 0;

	/* The thread was woken while it was about to leave, and no wakeup came after that. */
	if (task->woken && was != FXT_PHASE_RUN && was != FXT_PHASE_UNKNOWN)
		was = decided(m, task, FXT_PHASE_WAIT_WAKEUP, ns);
	task->strayed = strays(m, task, cpu, ns);
	m->strays |= (fxt_phase_waits(was) || !m->wakes) && task->strayed;
	if (!fxt_phase_waits(was) && was != FXT_PHASE_UNKNOWN) {
		/* Without wakeups, the time when the thread could run again isn't known. */
		err = m->wakes || was == FXT_PHASE_RUN ? fxt_phase_deny(m, task, ns) : 0;
		was = FXT_PHASE_UNKNOWN;
	}
	task->prio = view->next_prio;
	task->woken = task->mended = task->shown = false;
	if (!err)
		err = fxt_phase_end_inline(m, task, was, ns, true, NULL);
	task->strayed = false;
	fxt_sleep_forget(task);
	return err ? err : fxt_phase_begin(m, task, FXT_PHASE_RUN, cpu->id, ns);
}

/* Gives the CPU to a thread that isn't chosen: its end, and the CPU's next task, aren't recorded. */
static int enter_unchosen(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task, __u64 ns)
{
	fxt_chain_link(cpu, NULL, ns);
	return !task->key || task->phase == FXT_PHASE_UNKNOWN ? 0 : fxt_phase_deny(m, task, ns);
}

int fxt_machine_switch(struct fxt_machine *m, const struct fxt_switch_view *view, __u64 ns)
{
	struct fxt_cpu *cpu = fxt_cpu_get(m, view->cpu);
	struct fxt_change change = { .cpu = cpu, .view = view, .ns = ns };
	int err = 0;

	if (!cpu)
		return -ENOMEM;
	m->switches = true;
	m->settling = cpu;
	change.prev = !view->prev ? &cpu->idle :
		      cpu->current && cpu->current->tid == view->prev ? cpu->current :
		      fxt_task_live(m, view->prev);
	if (!change.prev)
		return -ENOMEM;
	if (cpu->current != change.prev)
		err = fxt_chain_mend(m, cpu, change.prev, ns);
	if (!err)
		err = fxt_stretch_end_inline(m, cpu, cpu->current, ns);
	if (!err && view->prev)
		err = leave(m, cpu, change.prev, view, ns);
	if (err)
		return err;
	change.next = view->next ? fxt_task_live(m, view->next) : &cpu->idle;
	if (!change.next)
		return -ENOMEM;
	cpu->unchosen = view->unchosen & FXT_UNCHOSEN_INCOMING;
	if (cpu->unchosen && !fxt_queue_watched(m, cpu)) {
		err = enter_unchosen(m, cpu, change.next, ns);
	} else {
		err = view->next ? enter(m, cpu, change.next, view, ns) : 0;
		fxt_chain_link(cpu, change.next, ns);
	}
	cpu->switches += fxt_machine_counts(m, ns);
	m->settling = NULL;
	if (!err)
		err = FXT_OBSERVE(m, runnable, cpu, ns);
	return err ? err : FXT_OBSERVE(m, change, &change);
}

/* Returns the waking thread; NULL: not known, or an error in *err. */
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

/*
 * Notes the waker of a thread: for a timer, the CPU's idle thread, since the timer has only
 * interrupted the waker.  Returns 0 or -ENOMEM.
 */
static int waker_set(struct fxt_machine *m, struct fxt_task *task, struct fxt_task *waker,
		     const struct fxt_wakeup_view *view, __u64 ns)
{
	struct fxt_cpu *cpu = fxt_context_is_timer(view->context) ? fxt_cpu_get(m, view->cpu) : NULL;

	task->waker = cpu ? &cpu->idle : waker;
	task->context = view->context;
	task->woken_ns = ns;
	return cpu || !fxt_context_is_timer(view->context) ? 0 : -ENOMEM;
}

/* Adds a new thread; ends the former one of its id, which has ended unseen. */
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
	fxt_listed_forget(m, tid);
	task = *err ? NULL : fxt_task_add(m, tid, ns);
	if (!*err)
		*err = task ? fxt_tasks_born(&m->tasks, task, parent) : -ENOMEM;
	return *err ? NULL : task;
}

/* Ends the assumed phase of a thread that is woken. */
static int rouse(struct fxt_machine *m, struct fxt_task *task, __u64 ns)
{
	enum fxt_phase was = task->phase;

	if (task->woken)
		was = decided(m, task, was, ns);
	task->woken = false;
	return fxt_phase_end_inline(m, task, was, ns, true, NULL);
}

/* Returns whether a thread is, or may be, on its CPU when it is woken: it may be about to leave. */
static bool on_cpu(const struct fxt_task *task, const struct fxt_wakeup_view *view)
{
	return task->phase == FXT_PHASE_RUN || (task->phase == FXT_PHASE_UNKNOWN && (view->on_cpu || task->shown));
}

/* Returns whether the wakeup of a thread on no CPU changes nothing: it is runnable, as far as is known. */
static bool awake(const struct fxt_machine *m, const struct fxt_task *task, __u64 ns)
{
	/*
	 * The thread was preempted in the state that it was about to sleep in; a thread that yielded had no such state.
	 */
	if (task->phase != FXT_PHASE_WAIT_PREEMPTED || !task->preempted)
		return false;
	return fxt_gaps_before(&m->gaps, task->since, ns) == ns;
}

/*
 * Ends the assumed phase of a thread that can't be woken in that phase: the thread has run
 * since its wakeup, or left its CPU, unseen.
 */
static int wakeup_check(struct fxt_machine *m, struct fxt_task *task, const struct fxt_wakeup_view *view, __u64 ns)
{
	int err;

	if (task->phase == FXT_PHASE_RUN)
		return m->recorded || view->on_cpu ? 0 : fxt_phase_deny(m, task, ns);
	if (!fxt_phase_waits(task->phase) || awake(m, task, ns))
		return 0;
	err = fxt_chain_doubt(m, task, ns);
	if (!err)
		err = fxt_phase_deny(m, task, ns);
	/* Recordings other than fxtrec's don't show whether the thread is on a CPU now. */
	task->shown = m->recorded || view->on_cpu;
	return err;
}

int fxt_machine_wakeup(struct fxt_machine *m, const struct fxt_wakeup_view *view, __u64 ns)
{
	struct fxt_cpu *target = fxt_cpu_get(m, view->target);
	struct fxt_task *waker, *task;
	bool is_on_cpu, is_awake;
	int err;

	m->wakes = true;
	waker = waker_of(m, view, &err);
	if (err || !target)
		return err ? err : -ENOMEM;
	if (waker) {
		err = fxt_chain_show(m, fxt_cpu_get(m, view->cpu), waker, ns);
		if (err)
			return err;
	}
	/* An idle thread never waits: it runs when no other thread does.  Starting kernels wake theirs. */
	if (!view->thread)
		return 0;
	task = view->new ? birth(m, view->thread, waker, ns, &err) : fxt_task_live(m, view->thread);
	if (!task)
		return err ? err : -ENOMEM;
	err = wakeup_check(m, task, view, ns);
	if (err)
		return err;
	is_on_cpu = on_cpu(task, view);
	is_awake = is_on_cpu || awake(m, task, ns);
	if (is_on_cpu || !is_awake)
		err = waker_set(m, task, waker, view, ns);
	if (err)
		return err;
	task->prio = view->prio;
	task->supposed = false;
	if (is_awake) {
		task->woken = is_on_cpu;
		return FXT_OBSERVE(m, wakeup, task, view, ns);
	}
	m->strays |= !view->new && strays(m, task, target, ns);
	err = rouse(m, task, ns);
	if (!err)
		err = fxt_phase_begin(m, task, fxt_cpu_left_out(m, target->id) ? FXT_PHASE_UNKNOWN : FXT_PHASE_WAIT_WAKEUP,
				      target->id, ns);
	/* The CPU is watched from now on, and runs the waker. */
	if (!err && waker && view->cpu == target->id && !target->current && fxt_queue_watched(m, target))
		err = fxt_chain_mend(m, target, waker, ns);
	return err ? err : FXT_OBSERVE(m, wakeup, task, view, ns);
}

/* Moves a thread to another CPU's queue; its wait continues. */
int fxt_machine_migrate(struct fxt_machine *m, const struct fxt_migrate_view *view, __u64 ns)
{
	struct fxt_task *task = view->thread ? fxt_task_live(m, view->thread) : NULL;
	struct fxt_cpu *to = fxt_cpu_get(m, view->to);
	int err = 0;

	if (!view->thread)
		return 0;
	if (!task || !to)
		return -ENOMEM;
	m->moves = true;
	/* Only a runnable thread moves: a sleeping thread was woken unseen. */
	if (fxt_phase_sleeps(task->phase) && !task->woken)
		err = fxt_phase_deny(m, task, ns);
	if (task->woken && task->phase != FXT_PHASE_RUN && task->phase != FXT_PHASE_UNKNOWN &&
	    decided(m, task, task->phase, ns) == task->phase) {
		task->woken = false;
		task->phase = FXT_PHASE_WAIT_WAKEUP;
	}
	if (err)
		return err;
	if (fxt_cpu_left_out(m, to->id) && task->phase != FXT_PHASE_RUN) {
		err = fxt_phase_end(m, task, task->phase, ns, true);
		task->woken = false;
		if (!err)
			err = fxt_phase_begin(m, task, FXT_PHASE_UNKNOWN, to->id, ns);
	} else if (task->queued) {
		err = fxt_queue_change(m, task, false, ns);
		task->cpu = to->id;
		if (!err)
			err = fxt_queue_change(m, task, true, ns);
	} else if (task->phase != FXT_PHASE_RUN) {
		task->cpu = to->id;
	}
	if (!err && task->bandwidth)
		err = fxt_throttle_settle(m, task, ns);
	return err ? err : FXT_OBSERVE(m, migrate, task, view, ns);
}
