// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follows the chains of switches: the task that each CPU runs, and the times when that isn't
 * known because a chain breaks.
 */
#include "analyze/machine/chain.h"
#include "util/extreme.h"

/*
 * Returns the end of the certainty of a state that held at since, and doesn't hold at ns:
 * the first loss; without a loss, since.
 */
static __u64 sure_from(const struct fxt_gaps *gaps, __u64 since, __u64 ns)
{
	__u64 sure = fxt_gaps_before(gaps, since, ns);

	return sure < ns ? sure : since;
}

/*
 * Returns the time since when a CPU's task isn't known, if its chain proves to be broken at ns.  Events
 * without a switch show a task only at their own times: between two of them, other tasks may have run.
 */
static __u64 chain_sure(const struct fxt_cpu *cpu, __u64 ns)
{
	return cpu->linked ? sure_from(&cpu->gaps, cpu->sure, ns) : cpu->began;
}

/* Returns the end of the certainty of a task's assumed phase, which can't be true at ns. */
static __u64 phase_sure(const struct fxt_machine *m, const struct fxt_task *task, __u64 ns)
{
	const struct fxt_cpu *cpu = task->phase == FXT_PHASE_RUN ? m->cpus[task->cpu] : NULL;

	if (cpu && cpu->current == task)
		return fxt_max(chain_sure(cpu, ns), task->since);
	return sure_from(&m->gaps, task->since, ns);
}

/* Ends the assumed run of a CPU's task, as the task is elsewhere. */
static int chain_lose(struct fxt_machine *m, struct fxt_cpu *cpu)
{
	__u64 sure = chain_sure(cpu, m->now);
	int err = fxt_stretch_end(m, cpu, cpu->current, sure);

	cpu->current = NULL;
	return err ? err : fxt_runnable_observe(m, cpu, m->now);
}

/* Ends a task's assumed phase, which is certain up to sure: no CPU runs the task. */
static int deny(struct fxt_machine *m, struct fxt_task *task, __u64 sure)
{
	int err = 0;

	if (task->phase == FXT_PHASE_RUN && m->cpus[task->cpu]->current == task)
		err = chain_lose(m, m->cpus[task->cpu]);
	return err ? err : fxt_phase_doubt(m, task, sure);
}

int fxt_phase_deny(struct fxt_machine *m, struct fxt_task *task, __u64 ns)
{
	return deny(m, task, phase_sure(m, task, ns));
}

/* Ends the assumed run of a CPU's task, for the CPU and the task. */
static int chain_deny(struct fxt_machine *m, struct fxt_cpu *cpu, __u64 sure)
{
	struct fxt_task *believed = cpu->current;
	int err = believed && believed->key ? fxt_phase_doubt(m, believed, sure) : 0;

	if (!err && believed)
		err = fxt_stretch_end(m, cpu, believed, sure);
	cpu->current = NULL;
	cpu->interrupt[FXT_INTERRUPT_IDLE] = NULL;
	return err;
}

int fxt_chain_check(struct fxt_machine *m, struct fxt_cpu *cpu, __u64 ns)
{
	int err;

	if (!cpu->current || fxt_gaps_before(&cpu->gaps, cpu->sure, ns) == ns)
		return 0;
	err = chain_deny(m, cpu, chain_sure(cpu, ns));
	return err ? err : fxt_runnable_observe(m, cpu, m->now);
}

/* Returns whether the recorder may omit switches of any CPU, since it has done so: then only switches show a chain. */
static bool doubtful(const struct fxt_machine *m)
{
	return m->recorded && m->breaks;
}

bool fxt_chain_is_whole(const struct fxt_machine *m, const struct fxt_cpu *cpu)
{
	if (!m->recorded)
		return m->switches;
	return !cpu->breaks.count && (cpu->links || (m->switches && !m->breaks));
}

/*
 * Returns the end of the time that a CPU is known to run current, at most to; confirmed:
 * only as long as events confirm it.
 */
static __u64 known_to(const struct fxt_machine *m, const struct fxt_cpu *cpu, __u64 to, bool confirmed)
{
	/* A CPU may have no switches, if the recording has those of all other CPUs as far as is known. */
	bool has = cpu->linked || (!confirmed && fxt_chain_is_whole(m, cpu));

	if (!cpu->current)
		return to;
	if (!has)
		return cpu->began;
	return confirmed ? cpu->sure : fxt_gaps_before(&cpu->gaps, cpu->sure, to);
}

__u64 fxt_chain_known(const struct fxt_machine *m, const struct fxt_cpu *cpu, __u64 to)
{
	return known_to(m, cpu, to, doubtful(m));
}

int fxt_chain_close(struct fxt_machine *m, struct fxt_cpu *cpu)
{
	__u64 sure = known_to(m, cpu, m->end, m->recorded ? m->breaks : cpu->breaks.count);

	/*
	 * In a recording of chosen threads, without their incoming switches, another thread may have come to the CPU.
	 */
	if (m->recorded && m->chosen_threads && cpu->current)
		return cpu->current == &cpu->idle ? chain_lose(m, cpu) : fxt_phase_deny(m, cpu->current, m->end);
	return sure < m->end ? chain_deny(m, cpu, sure) : 0;
}

/* Returns the time since when a CPU is certain to run the task that it runs at ns. */
static __u64 known_since(const struct fxt_machine *m, const struct fxt_cpu *cpu,
			 const struct fxt_task *task, __u64 sure, __u64 ns)
{
	__u64 last = fxt_gaps_last(&cpu->gaps);
	struct fxt_gap gap;

	/* All switches of the CPU were recorded since a chosen thread came to its queue: this task ran all the time. */
	if (!cpu->current && fxt_queue_watched(m, cpu))
		return fxt_min(fxt_max(cpu->watched, cpu->since), ns);
	if (!cpu->current || m->chosen_threads || last > ns || task->since > last || !fxt_gaps_after(&cpu->gaps, sure, &gap))
		return ns;
	/* The last gap is another one, or starts no earlier. */
	return gap.to < last || gap.from >= sure ? last : ns;
}

/*
 * Returns whether a task that an event shows on a CPU is the thread that was assumed to run there:
 * the thread has called exec, and has taken the id of its process's first thread, which is dead.
 */
static bool id_taken(const struct fxt_machine *m, const struct fxt_cpu *cpu, const struct fxt_task *task, __u64 ns)
{
	const struct fxt_task *believed = cpu->current;

	if (!believed || !believed->process || believed->tid == task->tid ||
	    task->phase != FXT_PHASE_UNKNOWN || task->since != task->begin || task->begin == m->begin)
		return false;
	return believed->process->pid == task->tid && fxt_gaps_before(&cpu->gaps, cpu->sure, ns) == ns;
}

/* Continues a CPU's thread as another task. */
static int id_take(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task, __u64 ns)
{
	struct fxt_task *before = cpu->current;
	int err = fxt_stretch_end(m, cpu, before, ns);

	if (!err)
		err = fxt_phase_end(m, before, FXT_PHASE_RUN, ns, false);
	if (!err)
		err = fxt_task_finish(m, before, ns);
	task->begin = ns;
	cpu->current = task;
	cpu->sure = ns;
	if (!err)
		err = FXT_OBSERVE(m, exec, before, task, ns);
	return err ? err : fxt_phase_begin(m, task, FXT_PHASE_RUN, cpu->id, ns);
}

/* Returns whether reported losses explain that a CPU runs another task than assumed. */
static bool explained(const struct fxt_cpu *cpu, __u64 ns)
{
	return fxt_gaps_before(&cpu->gaps, cpu->sure, ns) < ns;
}

/* Notes that a switch is missing between sure and ns, without a loss that explains it. */
static int break_add(struct fxt_machine *m, struct fxt_cpu *cpu, __u64 sure, __u64 ns)
{
	if (!cpu->current || sure == ns || explained(cpu, ns))
		return 0;
	m->lossy = m->breaks = true;
	return fxt_gaps_add(&cpu->breaks, m->spill, sure, ns);
}

static int mend(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task, __u64 ns)
{
	/* Only a wakeup has shown that the thread is on its CPU: it may be about to leave. */
	bool woken = task->woken && task->phase == FXT_PHASE_UNKNOWN;
	__u64 sure = chain_sure(cpu, ns), known = known_since(m, cpu, task, sure, ns);
	__u64 task_sure = fxt_min(phase_sure(m, task, ns), known);
	int err = break_add(m, cpu, sure, ns);

	if (!err)
		err = chain_deny(m, cpu, sure);
	if (!err)
		err = fxt_stretch_end(m, cpu, NULL, known);
	cpu->current = task;
	cpu->sure = ns;
	cpu->began = known;
	cpu->linked = false;
	cpu->unchosen = m->chosen_queues;
	/* The task is known only in hindsight. */
	if (!err && known < ns)
		err = fxt_stretch_end(m, cpu, task, ns);
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
	err = id_taken(m, cpu, task, ns) ? id_take(m, cpu, task, ns) : mend(m, cpu, task, ns);
	m->settling = settling;
	return err ? err : fxt_runnable_observe(m, cpu, ns);
}

/*
 * Breaks a CPU's chain: a switch to the task is missing, and maybe others.  Up to the next switch,
 * the CPU's task isn't known.  The task runs at this moment, whatever its assumed phase was.
 */
static int chain_break(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task, __u64 ns)
{
	__u64 sure = chain_sure(cpu, ns);
	int err = break_add(m, cpu, sure, ns);

	if (!err)
		err = chain_deny(m, cpu, sure);
	cpu->broken = true;
	if (!err && task->key && task->phase != FXT_PHASE_UNKNOWN)
		err = fxt_phase_deny(m, task, ns);
	task->shown = true;
	return err ? err : fxt_runnable_observe(m, cpu, ns);
}

int fxt_chain_doubt(struct fxt_machine *m, const struct fxt_task *task, __u64 ns)
{
	struct fxt_cpu *cpu = m->cpus[task->cpu];
	int err;

	if (!cpu->current || !cpu->linked || cpu->switched > task->since || explained(cpu, ns) ||
	    fxt_gaps_before(&m->gaps, task->since, ns) < ns)
		return 0;
	err = break_add(m, cpu, task->since, ns);
	if (!err)
		err = chain_deny(m, cpu, task->since);
	cpu->broken = true;
	return err ? err : fxt_runnable_observe(m, cpu, ns);
}

/*
 * Returns whether a CPU records its switches, and those of all threads, so that the next
 * switch is from its present task.
 */
static bool recorded(const struct fxt_machine *m, const struct fxt_cpu *cpu)
{
	return (!m->chosen_threads || fxt_queue_watched(m, cpu)) && !fxt_cpu_left_out(m, cpu->id);
}

int fxt_chain_show(struct fxt_machine *m, struct fxt_cpu *cpu, struct fxt_task *task, __u64 ns)
{
	if (cpu->current == task) {
		if (!doubtful(m))
			cpu->sure = ns;
		return 0;
	}
	/* At the time of a switch, the order of both events isn't known. */
	if (cpu->links && cpu->switched == ns)
		return 0;
	if (cpu->current ? id_taken(m, cpu, task, ns) || explained(cpu, ns) : !cpu->broken && recorded(m, cpu))
		return fxt_chain_mend(m, cpu, task, ns);
	return chain_break(m, cpu, task, ns);
}
