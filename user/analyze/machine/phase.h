/* SPDX-License-Identifier: GPL-2.0-only */
/* Phases of tasks and stretches of CPUs: their ends and starts. */
#ifndef FXT_ANALYZE_MACHINE_PHASE_H
#define FXT_ANALYZE_MACHINE_PHASE_H

#include "analyze/machine/machine.h"

/* Functions of throttle.h. */
int fxt_throttle_settle(struct fxt_machine *m, struct fxt_task *task, __u64 ns);
int fxt_throttle_end(struct fxt_machine *m, struct fxt_task *task, __u64 ns);

/* Finds or adds a CPU; NULL: -ENOMEM. */
struct fxt_cpu *fxt_cpu_add(struct fxt_machine *m, __u32 id);

/* Notes that a CPU's switches aren't recorded.  Returns 0 or -ENOMEM. */
int fxt_cpu_leave_out(struct fxt_machine *m, __u32 id);

static inline struct fxt_cpu *fxt_cpu_get(struct fxt_machine *m, __u32 id)
{
	return id < FXT_MACHINE_CPUS && m->cpus[id] ? m->cpus[id] : fxt_cpu_add(m, id);
}

/* Adds a task of an id, in the control group that a record has named for it; NULL: -ENOMEM. */
struct fxt_task *fxt_task_add(struct fxt_machine *m, __u64 tid, __u64 begin);

/* Finds or adds the living task of an id; NULL: -ENOMEM. */
static inline struct fxt_task *fxt_task_live(struct fxt_machine *m, __u64 tid)
{
	struct fxt_task *task = fxt_tasks_get(&m->tasks, tid);

	if (task && task->phase != FXT_PHASE_DEAD)
		return task;
	return task ? fxt_task_add(m, tid, task->end) : fxt_listed_first(m, tid);
}

/* Returns the phase for the state that a thread leaves its CPU in. */
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

/* Returns whether a CPU's switches aren't recorded. */
static inline bool fxt_cpu_left_out(const struct fxt_machine *m, __u32 id)
{
	return m->left_out && id < FXTREC_CPUS_MAX && fxt_cpus_has(m->left_out, id);
}

/* Reports that a CPU's current or waiting has changed. */
static inline int fxt_runnable_observe(struct fxt_machine *m, struct fxt_cpu *cpu, __u64 ns)
{
	return cpu == m->settling ? 0 : FXT_OBSERVE(m, runnable, cpu, ns);
}

/*
 * Returns whether all of a CPU's switches are recorded, in a recording of chosen threads: a
 * chosen thread waits in its queue, and nothing was lost since that thread came.
 */
static inline bool fxt_queue_watched(const struct fxt_machine *m, const struct fxt_cpu *cpu)
{
	return cpu->watching && fxt_gaps_last(&m->gaps) <= cpu->watched;
}

/*
 * Handles that no chosen thread waits in a CPU's queue any more: a thread that isn't chosen
 * may leave the CPU unrecorded.
 */
int fxt_queue_unwatch(struct fxt_machine *m, struct fxt_cpu *cpu, __u64 ns);

/* Counts a task as the recorder does, which sees the wakeups that it has recorded. */
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

/* Puts a task into its CPU's queue, or removes it. */
static inline int fxt_queue_change(struct fxt_machine *m, struct fxt_task *task, bool enters, __u64 ns)
{
	struct fxt_cpu *cpu = m->cpus[task->cpu];
	int err = 0;

	/* The CPU's own switches show its task; for another CPU, end its run before the task leaves. */
	if (!enters && task->watches && cpu->watching == 1 && cpu->unchosen && cpu != m->settling)
		err = fxt_queue_unwatch(m, cpu, ns);
	fxt_queue_watch(m, cpu, task, enters, ns);
	task->queued = enters;
	cpu->waiting += enters ? 1 : -1;
	err = err ? err : FXT_OBSERVE(m, queue, task, enters, ns);
	return err ? err : fxt_runnable_observe(m, cpu, ns);
}

/*
 * Sets the part of an interval that isn't known because of losses, and whether an event
 * ended the interval in spite of them.
 */
void fxt_interval_lose(const struct fxt_machine *m, struct fxt_interval *i);

/*
 * Ends a task's phase, by an event or not; its next phase starts then.  was: the actual phase,
 * as a task that was woken on its CPU may be in another one than assumed.  left: the switch
 * when the task left its CPU, or NULL.  Inline, since it takes most of the time of an event.
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

/* Ends a phase of a kind that seldom ends, out of line. */
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

/* Clears the function and stack of a sleep that is over. */
static inline void fxt_sleep_forget(struct fxt_task *task)
{
	task->function = task->stack = NULL;
	task->iowait_known = task->iowait = task->function_next = false;
}

/* Ends the assumed phase of a task: it is certain at most up to sure, and unknown from then on. */
int fxt_phase_doubt(struct fxt_machine *m, struct fxt_task *task, __u64 sure);

/*
 * Returns the end of the known part of a phase other than running: at most to.  The task may have run, unseen, after a
 * loss of any CPU; and, where the recorder may omit switches, after its CPU's chain broke while the task waited there.
 */
__u64 fxt_phase_known(const struct fxt_machine *m, const struct fxt_task *task, enum fxt_phase phase,
		      __u64 since, __u64 to);

/*
 * Returns ns of [from, to) when a phase that started at since isn't known: a run is known
 * except during its CPU's losses.
 */
__u64 fxt_phase_lost(const struct fxt_machine *m, const struct fxt_task *task, enum fxt_phase phase,
		     __u64 since, __u64 from, __u64 to);

/* Ends a task that is dead, or is no longer followed. */
int fxt_task_finish(struct fxt_machine *m, struct fxt_task *task, __u64 ns);

/* Ends a CPU's stretch: its run has been observed up to then.  Inline, for switches. */
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
