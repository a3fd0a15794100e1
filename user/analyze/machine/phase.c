// SPDX-License-Identifier: GPL-2.0-only
/* Phases of tasks and stretches of CPUs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/machine/phase.h"
#include "analyze/machine/throttle.h"
#include "util/array.h"
#include "util/extreme.h"

/* Appends a CPU to the seen ones.  Returns 0 or -ENOMEM. */
static int cpu_see(struct fxt_machine *m, struct fxt_cpu *cpu)
{
	int err = fxt_array_more(m->seen, m->seen_count);

	if (err)
		return err;
	m->seen_unsorted = m->seen_unsorted || (m->seen_count && m->seen[m->seen_count - 1]->id > cpu->id);
	m->seen[m->seen_count] = cpu;
	cpu->number = m->seen_count++;
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct fxt_cpu *const *x = a, *const *y = b;

	return ((*x)->id > (*y)->id) - ((*x)->id < (*y)->id);
}

void fxt_machine_cpus_sort(struct fxt_machine *m)
{
	if (m->seen_unsorted)
		qsort(m->seen, m->seen_count, sizeof(*m->seen), by_id);
	m->seen_unsorted = false;
}

int fxt_cpu_leave_out(struct fxt_machine *m, __u32 id)
{
	if (!m->left_out)
		m->left_out = fxt_arena_alloc(&m->tasks.memory, sizeof(*m->left_out));
	if (!m->left_out)
		return -ENOMEM;
	fxt_cpus_add(m->left_out, id);
	return 0;
}

/* Returns whether a CPU that an event names has recorded no switches itself, or only those of chosen threads. */
static bool left_out(const struct fxt_machine *m, __u32 id)
{
	return m->recorded && (m->chosen_threads || (id < FXTREC_CPUS_MAX && !fxt_cpus_has(m->recorded, id)));
}

struct fxt_cpu *fxt_cpu_add(struct fxt_machine *m, __u32 id)
{
	struct fxt_cpu *cpu;

	/* All larger numbers that a file may have count as one CPU. */
	if (id >= FXT_MACHINE_CPUS)
		id = FXT_MACHINE_CPUS - 1;
	cpu = m->cpus[id];
	if (cpu)
		return cpu;
	cpu = fxt_arena_alloc(&m->cpu_memory, sizeof(*cpu));
	if (!cpu)
		return NULL;
	cpu->id = id;
	cpu->gaps.shared = &m->shared;
	if (cpu_see(m, cpu) || (left_out(m, id) && fxt_cpu_leave_out(m, id)))
		return NULL;
	cpu->idle.phase = FXT_PHASE_RUN;
	cpu->idle.cpu = id;
	cpu->idle.machine = m->tasks.machine;
	snprintf(cpu->idle.name, sizeof(cpu->idle.name), "swapper/%u", id);
	cpu->since = cpu->sure = m->begin;
	m->cpus[id] = cpu;
	return cpu;
}

__u64 fxt_phase_known(const struct fxt_machine *m, const struct fxt_task *task, enum fxt_phase phase,
		      __u64 since, __u64 to)
{
	__u64 known = fxt_gaps_before(&m->gaps, since, to);

	if (!m->recorded || !fxt_phase_waits(phase))
		return known;
	return fxt_gaps_before(&m->cpus[task->cpu]->breaks, since, known);
}

struct fxt_task *fxt_task_add(struct fxt_machine *m, __u64 tid, __u64 begin)
{
	struct fxt_task *task = fxt_tasks_add(&m->tasks, tid, begin);
	const struct fxt_object *object = task ? fxt_objects_thread(&m->tasks.objects, tid) : NULL;
	__u64 group = object ? object->cgroup_id : 0;

	return group && fxt_throttle_assign(m, task, group, begin) ? NULL : task;
}

__u64 fxt_phase_lost(const struct fxt_machine *m, const struct fxt_task *task, enum fxt_phase phase,
		     __u64 since, __u64 from, __u64 to)
{
	if (!m->lossy || phase == FXT_PHASE_UNKNOWN || from >= to)
		return 0;
	if (phase == FXT_PHASE_RUN)
		return fxt_gaps_overlap(&m->cpus[task->cpu]->gaps, from, to);
	return to - fxt_max(fxt_phase_known(m, task, phase, since, to), from);
}

void fxt_interval_lose(const struct fxt_machine *m, struct fxt_interval *i)
{
	i->lost = fxt_phase_lost(m, i->task, i->phase, i->begin, i->from, i->to);
	i->ended = i->ended && !fxt_phase_lost(m, i->task, i->phase, i->begin, i->begin, i->end);
}

int fxt_phase_end(struct fxt_machine *m, struct fxt_task *task, enum fxt_phase was, __u64 ns, bool event)
{
	return fxt_phase_end_inline(m, task, was, ns, event, NULL);
}

int fxt_phase_doubt(struct fxt_machine *m, struct fxt_task *task, __u64 sure)
{
	/* A sleep and a wait for a CPU are both possible. */
	enum fxt_phase was = task->woken && task->phase != FXT_PHASE_RUN ? FXT_PHASE_UNKNOWN : task->phase;
	int err = fxt_phase_end(m, task, was, fxt_max(sure, task->since), false);

	task->phase = FXT_PHASE_UNKNOWN;
	task->woken = false;
	return err;
}

int fxt_task_finish(struct fxt_machine *m, struct fxt_task *task, __u64 ns)
{
	int err;

	task->end = ns;
	task->phase = FXT_PHASE_DEAD;
	task->woken = false;
	fxt_throttle_leave(task);
	err = task->queued ? fxt_queue_change(m, task, false, ns) : 0;
	return err ? err : FXT_OBSERVE(m, task_end, task);
}

int fxt_stretch_end(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task, __u64 ns)
{
	return fxt_stretch_end_inline(m, cpu, task, ns);
}

int fxt_queue_unwatch(struct fxt_machine *m, struct fxt_cpu *cpu, __u64 ns)
{
	struct fxt_task *task = cpu->current;
	int err = fxt_stretch_end(m, cpu, task, ns);

	cpu->current = NULL;
	cpu->unchosen = false;
	if (!err && task && task->key)
		err = fxt_phase_doubt(m, task, ns);
	return err ? err : fxt_runnable_observe(m, cpu, ns);
}
