// SPDX-License-Identifier: GPL-2.0-only
/* States of threads that the recorder listed. */
#include <errno.h>

#include "analyze/machine/chain.h"
#include "analyze/machine/listed.h"
#include "util/extreme.h"

void fxt_listed_begin(struct fxt_machine *m, __u64 ns)
{
	if (!m->lists)
		m->listed_from = ns;
	m->listing = ns;
	m->lists = true;
}

static struct fxt_listed *get(const struct fxt_machine *m, __u64 tid)
{
	struct fxt_listed *listed = fxt_map_get(&m->listed, tid);

	return listed;
}

void fxt_listed_forget(struct fxt_machine *m, __u64 tid)
{
	struct fxt_listed *listed = get(m, tid);

	if (listed)
		listed->over = true;
}

/* Returns the time since when a thread has its state of ns: no event of it has come since the listing started. */
static __u64 known_since(const struct fxt_machine *m, __u64 ns)
{
	__u64 since = m->lists && m->listing < ns ? m->listing : ns;

	if (fxt_gaps_before(&m->gaps, since, ns) < ns)
		since = ns;
	return fxt_max(since, m->begin);
}

/* Returns whether a loss before the machine's first event may have ended a state that a thread had at ns. */
static bool is_hidden(const struct fxt_machine *m, __u64 ns)
{
	return ns < m->begin && fxt_gaps_before(&m->gaps, ns, m->begin) < m->begin;
}

enum fxt_phase fxt_listed_throughout(const struct fxt_machine *m, __u64 tid)
{
	const struct fxt_listed *listed = get(m, tid);
	/*
	 * Require the state from the first listing or the window's start on: before the listing,
	 * only a part of the events may be recorded.
	 */
	__u64 from = fxt_max(m->from, m->listed_from);

	if (!listed || listed->over || from >= m->to || listed->since > from || is_hidden(m, listed->at) ||
	    fxt_gaps_before(&m->gaps, listed->since, m->to) < m->to)
		return FXT_PHASE_UNKNOWN;
	return fxt_phase_left(&(struct fxt_switch_view){ .state = listed->state });
}

/* Starts a phase of a task that had none, or that is unknown at its end. */
static int begin(struct fxt_machine *m, struct fxt_task *task, enum fxt_phase phase, __u32 cpu, __u64 ns)
{
	int err = ns > task->since ? fxt_phase_end(m, task, task->phase, ns, false) : 0;

	task->earlier = true;
	return err ? err : fxt_phase_begin(m, task, phase, cpu, ns);
}

static int asleep(struct fxt_machine *m, struct fxt_task *task, enum fxt_linux_state state, __u32 cpu, __u64 since)
{
	const struct fxt_switch_view view = { .state = state };

	task->state = state;
	/* The recorder has not seen the thread go to sleep. */
	task->reason = view.reason;
	task->wait = fxt_wait_class(&m->calls, &view.reason, state);
	return begin(m, task, fxt_phase_left(&view), cpu, since);
}

struct fxt_task *fxt_listed_first(struct fxt_machine *m, __u64 tid)
{
	struct fxt_listed *listed = get(m, tid), copy;
	struct fxt_task *task;

	if (!listed || listed->over || is_hidden(m, listed->at))
		return fxt_task_add(m, tid, m->begin);
	copy = *listed;
	listed->over = true;
	task = fxt_task_add(m, tid, m->begin);
	return task && !asleep(m, task, copy.state, copy.cpu, copy.since) ? task : NULL;
}

/* Keeps the state of a sleeping thread until its first event. */
static int keep(struct fxt_machine *m, __u64 tid, const struct fxt_listed *state)
{
	struct fxt_listed *listed = get(m, tid);

	if (!listed)
		listed = fxt_map_new(&m->listed, tid, sizeof(*listed));
	if (!listed)
		return -ENOMEM;
	*listed = *state;
	return 0;
}

/* Starts a wait for a CPU; its start, before the listing, and its cause aren't known. */
static int waits(struct fxt_machine *m, struct fxt_task *task, bool preempted, __u32 cpu, __u64 ns)
{
	if (!fxt_cpu_get(m, cpu))
		return -ENOMEM;
	task->preempted = preempted;
	task->state = FXT_LINUX_R;
	task->woken = task->shown = false;
	task->supposed = true;
	return begin(m, task, FXT_PHASE_WAIT_PREEMPTED, cpu, ns);
}

/* Starts a run of a listed thread, if its CPU has had no switch since the listing started. */
static int runs(struct fxt_machine *m, __u64 tid, __u32 number, __u64 since, __u64 ns)
{
	struct fxt_cpu *cpu = fxt_cpu_get(m, number);
	struct fxt_task *task;
	int err;

	if (!cpu)
		return -ENOMEM;
	/* The CPU is known to run another thread, or had one: the state is wrong, or older. */
	if (cpu->current || cpu->links)
		return 0;
	since = fxt_max(since, cpu->since);
	task = fxt_task_add(m, tid, m->begin);
	err = task ? fxt_stretch_end(m, cpu, NULL, since) : -ENOMEM;
	if (err)
		return err;
	cpu->current = task;
	cpu->began = since;
	cpu->sure = fxt_max(ns, since);
	cpu->linked = true;
	cpu->broken = cpu->unchosen = false;
	task->mended = true;
	err = begin(m, task, FXT_PHASE_RUN, number, since);
	/* The thread is known only in hindsight. */
	if (!err)
		err = fxt_stretch_end(m, cpu, task, cpu->sure);
	return err ? err : fxt_runnable_observe(m, cpu, cpu->sure);
}

/*
 * Returns whether the present phase of a thread with events isn't known, though no event has
 * come since the listing started.
 */
static bool is_lost(const struct fxt_machine *m, const struct fxt_task *task, __u64 ns)
{
	if (task->phase == FXT_PHASE_DEAD || task->phase == FXT_PHASE_RUN || !m->lists || task->since >= m->listing)
		return false;
	if (task->phase == FXT_PHASE_UNKNOWN)
		return !task->woken && !task->shown;
	return fxt_phase_known(m, task, task->phase, task->since, ns) < ns;
}

/* Applies a state at ns; view: as if the thread had left its CPU in that state. */
static int state_take(struct fxt_machine *m, __u64 tid, const struct fxt_switch_view *view, bool is_running, __u64 ns)
{
	struct fxt_task *task = fxt_tasks_get(&m->tasks, tid);
	enum fxt_phase phase = fxt_phase_left(view);
	__u64 since = known_since(m, ns);

	if ((task && (is_running || !is_lost(m, task, ns))) || is_hidden(m, ns))
		return 0;
	if (is_running)
		return runs(m, tid, view->cpu, since, ns);
	if (!task && !fxt_phase_waits(phase))
		return keep(m, tid, &(struct fxt_listed){ .since = since, .at = ns, .cpu = view->cpu, .state = view->state });
	if (!task)
		task = fxt_task_add(m, tid, m->begin);
	if (!task)
		return -ENOMEM;
	if (fxt_phase_waits(phase))
		return waits(m, task, view->preempted, view->cpu, fxt_max(ns, m->begin));
	fxt_sleep_forget(task);
	return asleep(m, task, view->state, view->cpu, task->queued ? fxt_max(ns, m->begin) : since);
}

int fxt_listed_event(struct fxt_machine *m, const struct fxt_record *r)
{
	const struct fxt_arg *state = fxt_record_arg(r, "state");
	struct fxt_switch_view view = { 0 };
	__u64 tid, cpu;
	bool is_running = fxt_arg_equal(state, "running");

	if (fxt_arg_number(fxt_record_arg(r, "thread"), &tid) || !tid ||
	    fxt_arg_number(fxt_record_arg(r, "cpu"), &cpu) || cpu >= FXT_MACHINE_CPUS || r->ticks > m->end ||
	    fxt_cpu_left_out(m, cpu) || !state || state->type != FXT_ARG_STRING)
		return 0;
	if (!is_running && fxt_switch_view_parse(&view, state->string.bytes, state->string.length))
		return 0;
	view.cpu = cpu;
	return fxt_phase_left(&view) == FXT_PHASE_DEAD ? 0 : state_take(m, tid, &view, is_running, r->ticks);
}
