// SPDX-License-Identifier: GPL-2.0-only
/* Phases of tasks and stretches of CPUs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/machine/phase.h"
#include "util/array.h"

static __u64 max(__u64 a, __u64 b)
{
	return a > b ? a : b;
}

static __u64 min(__u64 a, __u64 b)
{
	return a < b ? a : b;
}

/* Puts it behind those seen; -ENOMEM. */
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

/* Whether a CPU that an event names has recorded none itself, or none but those of some threads. */
static bool left_out(const struct fxt_machine *m, __u32 id)
{
	return m->recorded && (m->chosen_threads || (id < FXTREC_CPUS_MAX && !fxt_cpus_has(m->recorded, id)));
}

struct fxt_cpu *fxt_cpu_add(struct fxt_machine *m, __u32 id)
{
	struct fxt_cpu *cpu;

	/* What a file may name beyond that is one CPU. */
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

__u64 fxt_phase_lost(const struct fxt_machine *m, const struct fxt_task *task, enum fxt_phase phase,
		     __u64 since, __u64 from, __u64 to)
{
	__u64 known;

	if (!m->gaps.count || phase == FXT_PHASE_UNKNOWN || from >= to)
		return 0;
	if (phase == FXT_PHASE_RUN)
		return fxt_gaps_overlap(&m->cpus[task->cpu]->gaps, m->spill, from, to);
	known = fxt_gaps_before(&m->gaps, m->spill, since, to);
	return to - max(known, from);
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
	/* Nothing said whether it slept, or could run. */
	enum fxt_phase was = task->woken && task->phase != FXT_PHASE_RUN ? FXT_PHASE_UNKNOWN : task->phase;
	int err = fxt_phase_end(m, task, was, max(sure, task->since), false);

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
	err = task->queued ? fxt_queue_change(m, task, false, ns) : 0;
	return err ? err : FXT_OBSERVE(m, task_end, task);
}

int fxt_stretch_end(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task, __u64 ns)
{
	return fxt_stretch_end_inline(m, cpu, task, ns);
}

/* Up to when it is sure what was so at a time, and isn't at ns: to the first loss; without one, no longer. */
static __u64 sure_from(const struct fxt_machine *m, const struct fxt_gaps *gaps, __u64 since, __u64 ns)
{
	__u64 sure = fxt_gaps_before(gaps, m->spill, since, ns);

	return sure < ns ? sure : since;
}

/* From when on it isn't known what a CPU runs, as its chain of switches breaks later. */
static __u64 chain_sure(const struct fxt_machine *m, const struct fxt_cpu *cpu, __u64 ns)
{
	return sure_from(m, &cpu->gaps, cpu->sure, ns);
}

/* Up to when what a task is believed to do is sure, as it can't be true at a time. */
static __u64 phase_sure(const struct fxt_machine *m, const struct fxt_task *task, __u64 ns)
{
	const struct fxt_cpu *cpu = task->phase == FXT_PHASE_RUN ? m->cpus[task->cpu] : NULL;

	if (cpu && cpu->current == task)
		return max(chain_sure(m, cpu, ns), task->since);
	return sure_from(m, &m->gaps, task->since, ns);
}

int fxt_chain_lose(struct fxt_machine *m, struct fxt_cpu *cpu)
{
	__u64 sure = chain_sure(m, cpu, m->now);
	int err = fxt_stretch_end(m, cpu, cpu->current, sure);

	cpu->current = NULL;
	return err ? err : fxt_runnable_observe(m, cpu, m->now);
}

/* What a task was believed to do was so up to sure: no CPU runs it. */
static int deny(struct fxt_machine *m, struct fxt_task *task, __u64 sure)
{
	int err = 0;

	if (task->phase == FXT_PHASE_RUN && m->cpus[task->cpu]->current == task)
		err = fxt_chain_lose(m, m->cpus[task->cpu]);
	return err ? err : fxt_phase_doubt(m, task, sure);
}

int fxt_phase_deny(struct fxt_machine *m, struct fxt_task *task, __u64 ns)
{
	return deny(m, task, phase_sure(m, task, ns));
}

int fxt_chain_check(struct fxt_machine *m, struct fxt_cpu *cpu, __u64 ns)
{
	__u64 sure = fxt_gaps_before(&cpu->gaps, m->spill, cpu->sure, ns);
	int err = 0;

	if (!cpu->current || sure == ns)
		return 0;
	if (cpu->current->key)
		err = fxt_phase_doubt(m, cpu->current, sure);
	return err ? err : fxt_chain_lose(m, cpu);
}

/* Since when a CPU is sure to run a task that it runs at ns. */
static __u64 chain_known(const struct fxt_machine *m, const struct fxt_cpu *cpu,
			 const struct fxt_task *task, __u64 sure, __u64 ns)
{
	__u64 last = fxt_gaps_last(&cpu->gaps, m->spill);
	struct fxt_gap gap;

	if (!cpu->current || last > ns || task->since > last || !fxt_gaps_after(&cpu->gaps, m->spill, sure, &gap))
		return ns;
	/* The last one is another one, or begins no earlier. */
	return gap.to < last || gap.from >= sure ? last : ns;
}

bool fxt_id_taken(const struct fxt_machine *m, const struct fxt_cpu *cpu, const struct fxt_task *task, __u64 ns)
{
	const struct fxt_task *believed = cpu->current;

	if (!believed || !believed->process || believed->tid == task->tid ||
	    task->phase != FXT_PHASE_UNKNOWN || task->since != task->begin || task->begin == m->begin)
		return false;
	fxt_spill_touch(m->spill, believed->process);
	return believed->process->pid == task->tid && fxt_gaps_before(&cpu->gaps, m->spill, cpu->sure, ns) == ns;
}

/* The thread that a CPU runs goes on as another one. */
static int id_take(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task, __u64 ns)
{
	struct fxt_task *before = cpu->current;
	int err = fxt_stretch_end(m, cpu, before, ns);

	if (!err)
		err = fxt_phase_end(m, before, FXT_PHASE_RUN, ns, false);
	if (!err)
		err = fxt_task_finish(m, before, ns);
	fxt_spill_touch(m->spill, task);
	task->begin = ns;
	cpu->current = task;
	cpu->sure = ns;
	if (!err)
		err = FXT_OBSERVE(m, exec, before, task, ns);
	return err ? err : fxt_phase_begin(m, task, FXT_PHASE_RUN, cpu->id, ns);
}

static int mend(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task, __u64 ns)
{
	struct fxt_task *believed = cpu->current;
	/* On its CPU, which a wakeup alone said: it may be about to leave. */
	bool woken = task->woken && task->phase == FXT_PHASE_UNKNOWN;
	__u64 sure = chain_sure(m, cpu, ns), known = chain_known(m, cpu, task, sure, ns);
	__u64 task_sure = min(phase_sure(m, task, ns), known);
	int err = 0;

	if (believed && believed->key)
		err = fxt_phase_doubt(m, believed, sure);
	if (!err && believed)
		err = fxt_stretch_end(m, cpu, believed, sure);
	if (!err)
		err = fxt_stretch_end(m, cpu, NULL, known);
	cpu->current = task;
	cpu->sure = ns;
	if (err || !task->key)
		return err;
	err = deny(m, task, task_sure);
	if (!err)
		err = fxt_phase_end(m, task, FXT_PHASE_UNKNOWN, known, false);
	task->mended = true;
	task->woken = woken;
	if (!task->function_next)
		fxt_sleep_forget(task);
	return err ? err : fxt_phase_begin(m, task, FXT_PHASE_RUN, cpu->id, known);
}

int fxt_chain_mend(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task, __u64 ns)
{
	struct fxt_cpu *settling = m->settling;
	int err;

	m->settling = cpu;
	err = fxt_id_taken(m, cpu, task, ns) ? id_take(m, cpu, task, ns) : mend(m, cpu, task, ns);
	m->settling = settling;
	return err ? err : fxt_runnable_observe(m, cpu, ns);
}
