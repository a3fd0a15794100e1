// SPDX-License-Identifier: GPL-2.0-only
/* What context switches, wakeups and migrations say of threads and CPUs. */
#include <errno.h>

#include "analyze/machine/machine_put.h"
#include "analyze/machine/chain.h"

/*
 * What a thread was that is asleep or not, as it was woken when it was about to leave its CPU:
 * what comes next says which, unless something was lost in between.
 */
static enum fxt_phase decided(const struct fxt_machine *m, const struct fxt_task *task, enum fxt_phase was,
			      __u64 ns)
{
	return fxt_gaps_before(&m->gaps, task->since, ns) < ns ? FXT_PHASE_UNKNOWN : was;
}

/* The thread leaves its CPU. */
static int leave(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task,
		 const struct fxt_switch_view *view, __u64 ns)
{
	enum fxt_phase phase = fxt_phase_left(view);
	int err;

	if (view->unchosen & FXT_UNCHOSEN_OUTGOING && phase != FXT_PHASE_DEAD)
		phase = FXT_PHASE_UNKNOWN;
	task->supposed = false;
	/* A wakeup on its CPU may be among what was lost, or came before the thread was chosen, if there are any. */
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
	if (phase != FXT_PHASE_BLOCKED)
		task->iowait_known = task->iowait = false;
	return fxt_phase_begin(m, task, phase, cpu->id, ns);
}

/* Whether a thread has moved to a CPU, and neither a migration nor a loss says so. */
static bool strays(const struct fxt_machine *m, const struct fxt_task *task, const struct fxt_cpu *cpu, __u64 ns)
{
	return task->phase > FXT_PHASE_RUN && task->phase != FXT_PHASE_DEAD && task->cpu != cpu->id &&
	       fxt_gaps_before(&m->gaps, task->since, ns) >= ns;
}

/* The thread comes to its CPU. */
static int enter(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task,
		 const struct fxt_switch_view *view, __u64 ns)
{
	enum fxt_phase was = task->phase;
	int err = 0;

	/* It was woken when it was about to leave: no wakeup came behind that. */
	if (task->woken && was != FXT_PHASE_RUN && was != FXT_PHASE_UNKNOWN)
		was = decided(m, task, FXT_PHASE_WAIT_WAKEUP, ns);
	task->strayed = strays(m, task, cpu, ns);
	m->strays |= (fxt_phase_waits(was) || !m->wakes) && task->strayed;
	if (!fxt_phase_waits(was) && was != FXT_PHASE_UNKNOWN) {
		/* Without wakeups it isn't known when it could run again. */
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

/* The CPU goes to a thread that isn't chosen: nothing says when it leaves, and what runs after it. */
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

/* Notes what woke a thread: of a timer the CPU's idle thread, as the waker is only what it hit.  0 or -ENOMEM. */
static int waker_set(struct fxt_machine *m, struct fxt_task *task, struct fxt_task *waker,
		     const struct fxt_wakeup_view *view, __u64 ns)
{
	struct fxt_cpu *cpu = fxt_context_is_timer(view->context) ? fxt_cpu_get(m, view->cpu) : NULL;

	task->waker = cpu ? &cpu->idle : waker;
	task->context = view->context;
	task->woken_ns = ns;
	return cpu || !fxt_context_is_timer(view->context) ? 0 : -ENOMEM;
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
	fxt_listed_forget(m, tid);
	task = *err ? NULL : fxt_task_add(m, tid, ns);
	if (!*err)
		*err = task ? fxt_tasks_born(&m->tasks, task, parent) : -ENOMEM;
	return *err ? NULL : task;
}

/* Ends what the thread was believed to do before it was woken. */
static int rouse(struct fxt_machine *m, struct fxt_task *task, __u64 ns)
{
	enum fxt_phase was = task->phase;

	if (task->woken)
		was = decided(m, task, was, ns);
	task->woken = false;
	return fxt_phase_end_inline(m, task, was, ns, true, NULL);
}

/* Returns whether a thread is on its CPU when it is woken, or may be: maybe about to leave that. */
static bool on_cpu(const struct fxt_task *task, const struct fxt_wakeup_view *view)
{
	return task->phase == FXT_PHASE_RUN || (task->phase == FXT_PHASE_UNKNOWN && (view->on_cpu || task->shown));
}

/* Returns whether the wakeup of a thread on no CPU changes nothing: it is runnable, so far as is known. */
static bool awake(const struct fxt_machine *m, const struct fxt_task *task, __u64 ns)
{
	/* The thread was preempted in the state that it was about to sleep in; a thread that yielded was in none. */
	if (task->phase != FXT_PHASE_WAIT_PREEMPTED || !task->preempted)
		return false;
	return fxt_gaps_before(&m->gaps, task->since, ns) == ns;
}

/*
 * Ends what a thread that is woken was believed to do, where it can't be woken in that: it ran since it was woken, or
 * left its CPU, unnoticed.
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
	/* Others than fxtrec don't record whether it is on a CPU now. */
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
	/* An idle thread never waits: it runs where no other one does.  Kernels that start wake theirs. */
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
	/* The CPU is watched from now on, and runs what woke the thread. */
	if (!err && waker && view->cpu == target->id && !target->current && fxt_queue_watched(m, target))
		err = fxt_chain_mend(m, target, waker, ns);
	return err ? err : FXT_OBSERVE(m, wakeup, task, view, ns);
}

static bool asleep(const struct fxt_task *task)
{
	return task->phase == FXT_PHASE_SLEEP || task->phase == FXT_PHASE_BLOCKED || task->phase == FXT_PHASE_STOPPED;
}

/* It goes to another CPU's queue: its wait goes on. */
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
	/* Only what can run is moved: one that was asleep was woken, unnoticed. */
	if (asleep(task) && !task->woken)
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
