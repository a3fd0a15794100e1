// SPDX-License-Identifier: GPL-2.0-only
/* Applies losses, interrupts and the causes of sleeps to threads and CPUs. */
#include <errno.h>

#include "analyze/machine/machine_put.h"
#include "analyze/machine/chain.h"
#include "analyze/machine/handlers.h"
#include "analyze/machine/throttle.h"
#include "fxt/events.h"
#include "model/cpu.h"

/* Ends waits before a loss, as threads may leave their queues unseen, if the queues decide on the recorded switches. */
static int queues_lose(struct fxt_machine *m, __u64 ns)
{
	struct fxt_task *task;
	__u64 at = 0;
	int err = 0;

	while (m->chosen_queues && !err && (task = fxt_tasks_next(&m->tasks, &at)))
		if (task->queued)
			err = fxt_phase_doubt(m, task, ns);
	return err;
}

/* Adds a loss to the gaps of its CPU, or of all CPUs. */
static int gaps_add(struct fxt_machine *m, const struct fxt_loss_span *span)
{
	int err = queues_lose(m, span->from);

	m->lossy = true;
	if (!err)
		err = fxt_gaps_add(&m->gaps, m->spill, span->from, span->to);
	return err ? err : fxt_gaps_add(span->cpu ? &span->cpu->gaps : &m->shared, m->spill, span->from, span->to);
}

int fxt_machine_lose(struct fxt_machine *m, __u64 from, __u64 to)
{
	struct fxt_loss_span span = { .from = from, .to = to, .between = true };
	int err = fxt_handlers_lose_all(m, from);

	if (!err)
		err = gaps_add(m, &span);
	if (!err)
		err = fxt_throttle_lose(m, from);
	return err ? err : FXT_OBSERVE(m, loss, &span);
}

/* Ends a loss that started with a separate event. */
static void loss_end(struct fxt_machine *m, struct fxt_cpu *cpu, __u64 ns)
{
	if (!cpu || !cpu->losing)
		return;
	cpu->losing = false;
	fxt_gaps_end(&cpu->gaps, ns);
	if (!--m->losing)
		fxt_gaps_end(&m->gaps, ns);
}

/* Reads a loss: a span; or its start, and later its end. */
static int lost_event(struct fxt_machine *m, const struct fxt_record *r)
{
	struct fxt_loss_span span = { .from = r->ticks, .to = r->ticks };
	struct fxt_lost lost;
	__u32 number = 0;
	bool known;
	__u32 ring = fxt_lost_where(r, &known, &number);
	int err = 0;

	if (ring != FXTREC_RING_SCHED && ring != FXTREC_RING_EVENTS)
		return 0;
	if (r->event.type != FXT_EVENT_DURATION_END) {
		if (!known)
			err = fxt_handlers_lose_all(m, r->ticks);
		else if (number < FXT_MACHINE_CPUS && m->cpus[number])
			err = fxt_handlers_lose(m, m->cpus[number], r->ticks);
	}
	if (err || ring != FXTREC_RING_SCHED)
		return err;
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
	if (!err)
		err = fxt_throttle_lose(m, span.from);
	return err ? err : FXT_OBSERVE(m, loss, &span);
}

/* Reads an event just before a switch: the function and stack that the thread will sleep in. */
static int blocked_event(struct fxt_machine *m, const struct fxt_record *r)
{
	const struct fxt_arg *function = fxt_record_arg(r, "function"), *stack = fxt_record_arg(r, "stack");
	struct fxt_task *task = fxt_task_live(m, r->thread.thread);
	__u64 iowait;

	if (!task)
		return -ENOMEM;
	m->stacks = task->function_next = true;
	task->iowait_known = !fxt_arg_number(fxt_record_arg(r, "iowait"), &iowait);
	task->iowait = task->iowait_known && iowait;
	if (function && function->type == FXT_ARG_STRING)
		task->function = fxt_tasks_text(&m->tasks, &function->string);
	if (stack && stack->type == FXT_ARG_STRING)
		task->stack = fxt_tasks_text(&m->tasks, &stack->string);
	return 0;
}

/* Reads the names of a CPU's idle states, and whether the CPU was left out of the recording. */
static int processor_event(struct fxt_machine *m, const struct fxt_record *r)
{
	const struct fxt_arg *states = fxt_record_arg(r, "idle_states");
	__u64 cpu, left_out;

	if (fxt_arg_number(fxt_record_arg(r, "cpu"), &cpu) || cpu >= FXTREC_CPUS_MAX)
		return 0;
	if (states && states->type == FXT_ARG_STRING && fxt_handlers_states(m, cpu, &states->string))
		return -ENOMEM;
	if (fxt_arg_number(fxt_record_arg(r, "left_out"), &left_out) || !left_out)
		return 0;
	return fxt_cpu_leave_out(m, cpu);
}

/* Ends a thread's phase when the thread is no longer chosen: it isn't recorded from then on. */
static int unchosen_event(struct fxt_machine *m, const struct fxt_record *r)
{
	struct fxt_task *task = fxt_tasks_get(&m->tasks, r->thread.thread);
	struct fxt_cpu *cpu = task && task->phase == FXT_PHASE_RUN ? m->cpus[task->cpu] : NULL;
	int err = 0;

	fxt_listed_forget(m, r->thread.thread);
	if (!task || task->phase == FXT_PHASE_DEAD)
		return 0;
	if (task->phase == FXT_PHASE_UNKNOWN) {
		/* The thread was woken on its CPU, and may have left the CPU since. */
		task->woken = false;
		return 0;
	}
	if (cpu)
		err = fxt_chain_check(m, cpu, r->ticks);
	if (!err && cpu && cpu->current == task) {
		err = fxt_stretch_end(m, cpu, task, r->ticks);
		cpu->current = NULL;
		if (!err)
			err = fxt_runnable_observe(m, cpu, r->ticks);
	}
	return err ? err : fxt_phase_doubt(m, task, r->ticks);
}

/*
 * Reads the thread that a CPU runs while a chosen thread leaves its queue.  It has run since
 * the chosen thread came, if no switch has come since.
 */
static int running_event(struct fxt_machine *m, const struct fxt_record *r)
{
	struct fxt_task *task;
	struct fxt_cpu *cpu;
	__u64 number, tid;

	if (fxt_arg_number(fxt_record_arg(r, "cpu"), &number) || number >= FXT_MACHINE_CPUS ||
	    fxt_arg_number(fxt_record_arg(r, "thread"), &tid))
		return 0;
	cpu = m->cpus[number];
	if (!cpu || cpu->current || !fxt_queue_watched(m, cpu))
		return 0;
	task = tid ? fxt_task_live(m, tid) : &cpu->idle;
	return task ? fxt_chain_mend(m, cpu, task, r->ticks) : -ENOMEM;
}

/*
 * Reads whether only chosen threads were recorded, and whether with all switches of a CPU
 * while a chosen thread waits for it.
 */
static void chosen_read(struct fxt_machine *m, const struct fxt_record *r)
{
	if (!fxt_record_arg(r, "chosen_threads"))
		return;
	m->chosen_queues = (m->chosen_queues || !m->chosen_threads) && fxt_record_arg(r, "chosen_queues");
	m->chosen_threads = true;
}

static void host_event(struct fxt_machine *m, const struct fxt_record *r)
{
	const struct fxt_arg *throttling = fxt_record_arg(r, "throttling"), *machine = fxt_record_arg(r, "machine");

	chosen_read(m, r);
	if (machine && machine->type == FXT_ARG_STRING && !m->calls.own)
		fxt_wait_calls_machine(&m->calls, &machine->string);
	m->throttling = m->throttling || fxt_arg_equal(throttling, "queues") || fxt_arg_equal(throttling, "threads");
	m->no_throttling = m->no_throttling || fxt_arg_equal(throttling, "unknown");
	m->throttles_queues = m->throttles_queues || fxt_arg_equal(throttling, "queues");
}

/* Reads that another thread ran on the CPU than its switches show. */
static int current_event(struct fxt_machine *m, const struct fxt_record *r)
{
	struct fxt_task *task = r->thread.thread ? fxt_task_live(m, r->thread.thread) : NULL;
	struct fxt_cpu *cpu;
	__u32 number;

	if (fxt_provider_cpu(r->provider, &number))
		return 0;
	cpu = fxt_cpu_get(m, number);
	if (!cpu || (r->thread.thread && !task))
		return -ENOMEM;
	return fxt_chain_show(m, cpu, task ? task : &cpu->idle, r->ticks);
}

static int recorder_event(struct fxt_machine *m, const struct fxt_record *r)
{
	if (fxt_text_equal(&r->name, "lost"))
		return lost_event(m, r);
	if (fxt_text_equal(&r->name, "running"))
		return running_event(m, r);
	if (fxt_text_equal(&r->name, "unchosen"))
		return unchosen_event(m, r);
	if (fxt_text_equal(&r->name, "current"))
		return current_event(m, r);
	if (fxt_text_equal(&r->name, "processor"))
		return processor_event(m, r);
	if (fxt_text_equal(&r->name, "object"))
		return fxt_wait_names_event(&m->wait_names, &m->tasks, r);
	if (fxt_text_equal(&r->name, "quota"))
		return fxt_limits_event(&m->limits, r);
	if (fxt_text_equal(&r->name, "thread_state"))
		return fxt_listed_event(m, r);
	if (fxt_text_equal(&r->name, "host"))
		host_event(m, r);
	else if (fxt_text_equal(&r->name, "listed"))
		fxt_listed_begin(m, r->ticks);
	return 0;
}

/*
 * Returns whether a CPU wrote an event of the thread that it ran: an event of the kernel.
 * Events of programs may belong to other threads.
 */
static bool shows(const struct fxt_record *r, __u32 *cpu)
{
	static const char *const categories[] = { "syscalls", "syscalls of 32 bits", "mark", "kernel log" };
	size_t i;

	if (r->event.type != FXT_EVENT_INSTANT && r->event.type != FXT_EVENT_DURATION_BEGIN &&
	    r->event.type != FXT_EVENT_DURATION_END)
		return false;
	for (i = 0; i < sizeof(categories) / sizeof(categories[0]); i++)
		if (fxt_text_equal(&r->category, categories[i]))
			return r->thread.thread && r->thread.thread < FXT_KOID_TRACK(0, 0) &&
			       !fxt_provider_cpu(r->provider, cpu);
	return false;
}

/* Checks by an event which thread a CPU runs.  A thread that has called exec has ended, and its call ends later. */
static int thread_event(struct fxt_machine *m, const struct fxt_record *r)
{
	struct fxt_task *task;
	struct fxt_cpu *cpu;
	__u32 number;

	if (!shows(r, &number))
		return 0;
	task = fxt_tasks_get(&m->tasks, r->thread.thread);
	if (r->event.type == FXT_EVENT_DURATION_END && (!task || task->phase == FXT_PHASE_DEAD))
		return 0;
	task = fxt_task_live(m, r->thread.thread);
	cpu = fxt_cpu_get(m, number);
	return task && cpu ? fxt_chain_show(m, cpu, task, r->ticks) : -ENOMEM;
}

int fxt_machine_event(struct fxt_machine *m, const struct fxt_record *r)
{
	int err = 0;

	if (fxt_text_equal(&r->category, "fxtrec")) {
		err = recorder_event(m, r);
		return err ? err : FXT_OBSERVE(m, event, r);
	}
	err = thread_event(m, r);
	if (err)
		return err;
	if (fxt_text_equal(&r->category, "sched")) {
		struct fxt_migrate_view view;

		if (!fxt_migrate_view_get(&view, r))
			return fxt_machine_migrate(m, &view, r->ticks);
		if (fxt_text_equal(&r->name, "blocked"))
			err = blocked_event(m, r);
		else
			err = fxt_throttle_event(m, r);
	} else if (fxt_text_equal(&r->category, "irq")) {
		err = fxt_handlers_event(m, r);
	} else if (fxt_text_equal(&r->category, "power")) {
		err = fxt_handlers_idle(m, r);
	}
	return err ? err : FXT_OBSERVE(m, event, r);
}
