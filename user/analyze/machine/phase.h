/* SPDX-License-Identifier: GPL-2.0-only */
/* Phases of tasks and stretches of CPUs: how they end and begin. */
#ifndef FXT_ANALYZE_MACHINE_PHASE_H
#define FXT_ANALYZE_MACHINE_PHASE_H

#include "analyze/machine/machine.h"

/* Throttling: throttle.h. */
int fxt_throttle_settle(struct fxt_machine *m, struct fxt_task *task, __u64 ns);
int fxt_throttle_end(struct fxt_machine *m, struct fxt_task *task, __u64 ns);

/* A CPU, a new one if need be; NULL: -ENOMEM. */
struct fxt_cpu *fxt_cpu_add(struct fxt_machine *m, __u32 id);

/* Nothing records what a CPU runs.  0 or -ENOMEM. */
int fxt_cpu_leave_out(struct fxt_machine *m, __u32 id);

static inline struct fxt_cpu *fxt_cpu_get(struct fxt_machine *m, __u32 id)
{
	return id < FXT_MACHINE_CPUS && m->cpus[id] ? m->cpus[id] : fxt_cpu_add(m, id);
}

/* A new task of an id, in the control group that a record has named for it; NULL: -ENOMEM. */
struct fxt_task *fxt_task_add(struct fxt_machine *m, __u64 tid, __u64 begin);

/* The task of an id that lives now, a new one if need be; NULL: -ENOMEM. */
static inline struct fxt_task *fxt_task_live(struct fxt_machine *m, __u64 tid)
{
	struct fxt_task *task = fxt_tasks_get(&m->tasks, tid);

	if (task && task->phase != FXT_PHASE_DEAD)
		return task;
	return task ? fxt_task_add(m, tid, task->end) : fxt_listed_first(m, tid);
}

/* By the letter that a thread leaves its CPU with. */
static inline enum fxt_phase fxt_phase_left(const struct fxt_switch_view *view)
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

/* Whether a CPU's switches aren't recorded. */
static inline bool fxt_cpu_left_out(const struct fxt_machine *m, __u32 id)
{
	return m->left_out && id < FXTREC_CPUS_MAX && fxt_cpus_has(m->left_out, id);
}

/* Of a CPU, where its current, or waiting, has changed. */
static inline int fxt_runnable_observe(struct fxt_machine *m, struct fxt_cpu *cpu, __u64 ns)
{
	return cpu == m->settling ? 0 : FXT_OBSERVE(m, runnable, cpu, ns);
}

/*
 * Whether all of a CPU's switches are recorded, in a recording of chosen threads: one waits in its queue, and nothing
 * was lost since that one came.
 */
static inline bool fxt_queue_watched(const struct fxt_machine *m, const struct fxt_cpu *cpu)
{
	return cpu->watching && fxt_gaps_last(&m->gaps) <= cpu->watched;
}

/* No chosen thread waits in a CPU's queue any more: what isn't chosen, and runs there, may leave unrecorded. */
int fxt_queue_unwatch(struct fxt_machine *m, struct fxt_cpu *cpu, __u64 ns);

/* Counts a task for the recorder, which knows of the wakeups that it has recorded. */
static inline void fxt_queue_watch(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task, bool enters,
				   __u64 ns)
{
	if (!enters) {
		cpu->watching -= task->watches;
		task->watches = false;
		return;
	}
	if (!m->chosen_queues || task->supposed)
		return;
	if (!cpu->watching++)
		cpu->watched = ns;
	task->watches = true;
}

/* A task comes to its CPU's queue, or leaves it. */
static inline int fxt_queue_change(struct fxt_machine *m, struct fxt_task *task, bool enters, __u64 ns)
{
	struct fxt_cpu *cpu = m->cpus[task->cpu];
	int err = 0;

	/* A CPU's own switches say what it runs; else before the task leaves what the CPU has run meanwhile. */
	if (!enters && task->watches && cpu->watching == 1 && cpu->unchosen && cpu != m->settling)
		err = fxt_queue_unwatch(m, cpu, ns);
	fxt_queue_watch(m, cpu, task, enters, ns);
	task->queued = enters;
	cpu->waiting += enters ? 1 : -1;
	err = err ? err : FXT_OBSERVE(m, queue, task, enters, ns);
	return err ? err : fxt_runnable_observe(m, cpu, ns);
}

/* Where events were lost: what of an interval isn't known, and whether an event ended it in spite of that. */
void fxt_interval_lose(const struct fxt_machine *m, struct fxt_interval *i);

/*
 * Ends a task's phase, by an event or not: its next one begins then.  was: the phase as it was in
 * fact, as a task that was woken on its CPU may be in another.  left: the switch that it left its
 * CPU with, or NULL.  Inline, as this is what costs most of an event.
 */
static inline __attribute__((always_inline)) int
fxt_phase_end_inline(struct fxt_machine *m, struct fxt_task *task, enum fxt_phase was, __u64 ns, bool event,
		 const struct fxt_switch_view *left)
{
	bool counts = fxt_machine_counts(m, ns);
	int err = task->queued ? fxt_queue_change(m, task, false, ns) :
		  task->throttled ? fxt_throttle_end(m, task, ns) : 0;
	struct fxt_interval i = {
		.task = task,
		.phase = was,
		.cpu = task->cpu,
		.from = task->since > m->from ? task->since : m->from,
		.to = ns < m->to ? ns : m->to,
		.begin = task->since,
		.end = ns,
		.ended = event,
		.earlier = task->earlier,
		.strayed = task->strayed,
		.left = counts ? left : NULL,
	};

	if (i.to < i.from)
		i.to = i.from;
	if (m->lossy)
		fxt_interval_lose(m, &i);
	i.counts = i.ended && counts && !i.earlier;
	task->earlier = false;
	if (task->throttled_ns) {
		i.throttled = task->throttled_ns;
		task->throttled_ns = 0;
	}
	if (!err)
		err = FXT_OBSERVE(m, interval, &i);
	task->since = ns;
	return err;
}

/* The same, of phases that seldom end. */
int fxt_phase_end(struct fxt_machine *m, struct fxt_task *task, enum fxt_phase was, __u64 ns, bool event);

static inline int fxt_phase_begin(struct fxt_machine *m, struct fxt_task *task, enum fxt_phase phase,
				  __u32 cpu, __u64 ns)
{
	task->phase = phase;
	task->cpu = cpu;
	task->since = ns;
	if (!fxt_phase_waits(phase) && !(task->woken && phase != FXT_PHASE_RUN && phase != FXT_PHASE_UNKNOWN))
		return 0;
	if (task->bandwidth) {
		int err = fxt_throttle_settle(m, task, ns);

		if (err || task->throttled)
			return err;
	}
	return fxt_queue_change(m, task, true, ns);
}

/* What a task slept in was said of a sleep that is over. */
static inline void fxt_sleep_forget(struct fxt_task *task)
{
	task->function = task->stack = NULL;
	task->iowait_known = task->iowait = task->function_next = false;
}

/* What the task was believed to do is sure up to a time at most; from then on it isn't known. */
int fxt_phase_doubt(struct fxt_machine *m, struct fxt_task *task, __u64 sure);

/*
 * Returns up to when a phase, in which a task doesn't run, is known: at most to.  It may have run, unnoticed, after a
 * loss of any CPU; and where the recorder may leave out switches, after its CPU's chain broke while it waited there.
 */
__u64 fxt_phase_known(const struct fxt_machine *m, const struct fxt_task *task, enum fxt_phase phase,
		      __u64 since, __u64 to);

/* Returns ns of [from, to) in which a phase that began at since isn't known: one that runs is, but for its CPU's losses. */
__u64 fxt_phase_lost(const struct fxt_machine *m, const struct fxt_task *task, enum fxt_phase phase,
		     __u64 since, __u64 from, __u64 to);

/* It is dead, or nothing more is known of it. */
int fxt_task_finish(struct fxt_machine *m, struct fxt_task *task, __u64 ns);

/* Ends what a CPU runs: it has been observed up to then.  Inline, for switches. */
static inline __attribute__((always_inline)) int
fxt_stretch_end_inline(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task, __u64 ns)
{
	struct fxt_cpu_stretch s = {
		.cpu = cpu,
		.task = task,
		.from = cpu->since > m->from ? cpu->since : m->from,
		.to = ns < m->to ? ns : m->to,
		.begin = cpu->since,
		.end = ns,
	};

	if (s.begin >= s.end)
		return 0;
	cpu->since = ns;
	if (s.from >= s.to && !m->follows)
		return 0;
	if (s.from > s.to)
		s.to = s.from;
	if (task) {
		s.kind = fxt_cpu_interrupt(cpu);
		s.interrupt = cpu->interrupt[s.kind];
		if (m->gaps.count)
			s.lost = fxt_gaps_overlap(&cpu->gaps, s.from, s.to);
	}
	return FXT_OBSERVE(m, stretch, &s);
}

int fxt_stretch_end(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task, __u64 ns);

#endif
