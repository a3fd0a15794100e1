// SPDX-License-Identifier: GPL-2.0-only
/* The hot path: probes on sched_switch, sched_waking, sched_wakeup_new and sched_migrate_task. */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <trace/events/timer.h>

#include "clock.h"
#include "compat/probe.h"
#include "filter.h"
#include "recording.h"
#include "sched.h"
#include "sleeper.h"
#include "thread.h"
#include "timer.h"
#include "probe.h"
#include "delay.h"

/*
 * All probes run with preemption off: the scheduler disables it where it hits these
 * tracepoints, whatever the tracepoint code of a kernel does.
 */

static __always_inline struct fxt_sched_thread thread_of(const struct task_struct *task)
{
	return (struct fxt_sched_thread){ (u32)task->pid, task->prio };
}

/* Reads a dead thread's exit state.  The parent may change it from Z to X at the same time: either value is right. */
static __always_inline int exit_state(const struct task_struct *task)
{
	return data_race(task->exit_state);
}

static __always_inline u32 switch_write(u64 *w, u64 ticks, bool preempt, const struct task_struct *prev,
					const struct task_struct *next, unsigned int prev_state)
{
	enum fxt_linux_state state = fxt_linux_state(prev_state, exit_state(prev));
	u32 bytes = fxt_sched_switch(w, smp_processor_id(), ticks, thread_of(prev), thread_of(next), preempt, state);
	u32 add = fxt_reasons.size && !preempt ? fxt_sleeper_any(w + bytes / 8, prev, state) : 0;

	w[0] += add;
	return bytes + fxt_reason_bytes(add);
}

/*
 * Records any switch.  The tail call has all of the probe's arguments, so that the hot path
 * need not save or move a register.
 */
static noinline __noclone notrace void switch_any(void *data, bool preempt,
						  struct task_struct *prev,
						  struct task_struct *next, unsigned int prev_state)
{
	struct fxtrec_area *area;
	u64 *w, ticks, head;

	if (exit_state(prev))
		fxt_thread_end(prev);
	if (fxt_sched_slot_reserve(&area, &w, &ticks, &head))
		fxt_sched_slot_commit(area, head, switch_write(w, ticks, preempt, prev, next, prev_state));
}

/* Records a switch with one or two threads that a filter doesn't choose. */
static noinline notrace void switch_unchosen(enum fxt_unchosen unchosen, bool preempt,
					   const struct task_struct *prev, const struct task_struct *next,
					   unsigned int prev_state)
{
	struct fxtrec_area *area;
	u64 *w, ticks, head;

	if (exit_state(prev))
		fxt_thread_end(prev);
	if (fxt_sched_slot_reserve(&area, &w, &ticks, &head))
		fxt_sched_slot_commit(area, head,
		       fxt_sched_switch_unchosen(w, switch_write(w, ticks, preempt, prev, next, prev_state),
						 unchosen));
}

/* Returns the bits of the interrupts that this CPU handles on top of a task. */
static __always_inline unsigned int interrupts(void)
{
	unsigned int bits = preempt_count() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET);

	/* PREEMPT_RT counts softirqs elsewhere. */
	return IS_ENABLED(CONFIG_PREEMPT_RT) ? bits | in_serving_softirq() : bits;
}

static enum fxt_waker_context context(void)
{
	return in_nmi() ? FXT_CONTEXT_NMI :
	       in_hardirq() ? FXT_CONTEXT_HARDIRQ :
	       in_serving_softirq() ? FXT_CONTEXT_SOFTIRQ : FXT_CONTEXT_TASK;
}

/* Records any wakeup.  A thread wakes itself with interrupts on, and an interrupt may wake another thread. */
static noinline __noclone notrace void waking_any(void *data, struct task_struct *task)
{
	struct fxtrec_area *area;
	u64 *w, ticks, head;
	unsigned long flags;

	local_irq_save(flags);
	if (fxt_sched_slot_reserve(&area, &w, &ticks, &head))
		fxt_sched_slot_commit(area, head, fxt_sched_waking(w, task_cpu(task), ticks, thread_of(task),
						    READ_ONCE(task->on_cpu), current->pid,
						    fxt_timer_context(context())));
	local_irq_restore(flags);
}

static notrace void probe_wakeup_new(void *data, struct task_struct *task)
{
	struct fxtrec_area *area;
	u64 *w, ticks, head;

	if (!fxt_sched_slot_reserve(&area, &w, &ticks, &head))
		return;
	fxt_sched_slot_commit(area, head, fxt_sched_wakeup_new(w, task_cpu(task), ticks, thread_of(task),
						current->pid));
}

/* Records a migration; the kernel hits sched_migrate_task before the thread has its new CPU. */
static notrace void probe_migrate(void *data, struct task_struct *task, int dest_cpu)
{
	struct fxtrec_area *area;
	u64 *w, ticks, head;
	unsigned long flags;

	local_irq_save(flags);
	if (fxt_sched_slot_reserve(&area, &w, &ticks, &head)) {
		fxt_sched_migrate(w, ticks, thread_of(task), task_cpu(task), dest_cpu);
		fxt_sched_slot_commit(area, head, FXT_SCHED_MIGRATE_BYTES);
	}
	local_irq_restore(flags);
}

static __always_inline void reason_commit(struct fxtrec_producer *p, u64 *w, u64 head, u32 add)
{
	w[0] += add;
	fxt_sched_commit(p, head, FXT_SCHED_SWITCH_BYTES + fxt_reason_bytes(add));
}

static noinline __noclone notrace void reason_any(struct fxtrec_producer *p, u64 *w, u64 head,
						  const struct task_struct *prev)
{
	reason_commit(p, w, head, fxt_sleeper_write(w + FXT_SCHED_SWITCH_BYTES / 8, prev, 0));
}

/* Adds the reason to the switch at w of a thread that sleeps, and commits the record.  Tail calls save no register. */
static noinline __noclone notrace void reason_add(struct fxtrec_producer *p, u64 *w, u64 head,
						  const struct task_struct *prev)
{
	u32 add = fxt_sleeper_frequent(w + FXT_SCHED_SWITCH_BYTES / 8, prev);

	if (unlikely(!add))
		return reason_any(p, w, head, prev);
	reason_commit(p, w, head, add);
}

/* Records a switch on the fast path: from a thread that sleeps, or that yields and is not dead. */
static __always_inline void probe_switch(enum fxt_linux_clock clock, void *data, bool preempt,
					 struct task_struct *prev, struct task_struct *next,
					 unsigned int prev_state)
{
	struct fxtrec_area *area = this_cpu_read(fxt_cpu.area);
	struct fxtrec_producer *p = &area->ring[FXTREC_RING_SCHED];
	u64 *w, head, header = p->switch_header[FXT_LINUX_S];

	if (unlikely(prev_state != FXT_TASK_INTERRUPTIBLE)) {
		if (prev_state || exit_state(prev))
			return switch_any(data, preempt, prev, next, prev_state);
		header = p->switch_header[FXT_LINUX_R];
	}
	if (unlikely(preempt) || unlikely(!fxt_sched_reserve_fast(p, &head)))
		return switch_any(data, preempt, prev, next, prev_state);
	w = FXT_AREA_AT(area, head - p->bias);
	w[0] = header;
	fxt_sched_switch_fill(w, thread_of(prev), thread_of(next));
	w[1] = fxt_clock_read(clock);
	if (prev_state && fxt_reasons.size)
		return reason_add(p, w, head, prev);
	fxt_sched_commit(p, head, FXT_SCHED_SWITCH_BYTES);
}

/* Records a wakeup on the fast path: a task wakes a thread of the default priority that has left its CPU. */
static __always_inline void probe_waking(enum fxt_linux_clock clock, void *data,
					 struct task_struct *task)
{
	struct fxtrec_area *area = this_cpu_read(fxt_cpu.area);
	struct fxtrec_producer *p = &area->ring[FXTREC_RING_SCHED];
	u64 *w, head;

	/* For a thread that is just leaving its CPU, either value of on_cpu is right. */
	if (unlikely(task->prio != FXT_PRIO_DEFAULT) || unlikely(data_race(task->on_cpu)) ||
	    unlikely(interrupts()) || unlikely(!fxt_sched_reserve_fast(p, &head)))
		return waking_any(data, task);
	w = FXT_AREA_AT(area, head - p->bias);
	fxt_sched_waking_fill(w, task_cpu(task), (u32)task->pid, (u32)current->pid);
	w[1] = fxt_clock_read(clock);
	fxt_sched_commit(p, head, FXT_SCHED_WAKING_BYTES);
}

/*
 * Filters a switch.  A filter keeps wakeups and migrations of chosen threads, switches from and
 * to a chosen thread, and all switches of a CPU while a chosen thread waits in its queue.  Delays
 * are measured for every thread, which may become chosen during a delay, and on every CPU.
 */
static __always_inline void filter_switch(enum fxt_linux_clock clock, void *data, bool preempt,
					  struct task_struct *prev, struct task_struct *next,
					  unsigned int prev_state)
{
	enum fxt_unchosen unchosen;
	bool kept = true;

	fxt_delay_switch(clock, preempt, prev, next, prev_state);
	unchosen = fxt_filter_switch(prev->pid, next->pid);
	if (FXT_FILTER_THREADS)
		kept = fxt_queue_switch(smp_processor_id(), prev->pid, next->pid, unchosen, preempt || !prev_state,
					exit_state(prev));
	if (!FXT_FILTER_CPU_OUT && kept) {
		if (unchosen == FXT_UNCHOSEN_NONE)
			probe_switch(clock, data, preempt, prev, next, prev_state);
		else
			switch_unchosen(unchosen, preempt, prev, next, prev_state);
	}
	if (FXT_FILTER_THREADS)
		fxt_queue_run(smp_processor_id(), next->pid);
}

static __always_inline bool keeps_waking(enum fxt_linux_clock clock,
					 const struct task_struct *task)
{
	fxt_delay_waking(clock, task);
	if (FXT_FILTER_THREADS && fxt_filter_chooses(task->pid))
		fxt_queue_woken(task->pid, task_cpu(task));
	return fxt_filter_keeps_move(task->pid, task_cpu(task), task_cpu(task));
}

static notrace void filter_wakeup_new(void *data, struct task_struct *task)
{
	if (keeps_waking(fxt_clock_chosen, task))
		probe_wakeup_new(data, task);
}

/* Records the thread that a CPU runs, if known, while another thread leaves its queue. */
static void record_running(u32 cpu)
{
	u32 running = fxt_queue_running(cpu);
	struct fxtrec_area *area;
	u64 *w, ticks, head;

	if (!running || !fxt_sched_slot_reserve(&area, &w, &ticks, &head))
		return;
	fxt_sched_running(w, ticks, running - 1, cpu);
	fxt_sched_slot_commit(area, head, FXT_SCHED_RUNNING_BYTES);
}

static notrace void filter_migrate(void *data, struct task_struct *task, int dest_cpu)
{
	unsigned long flags;
	u32 was = 0;

	if (!fxt_filter_keeps_move(task->pid, task_cpu(task), dest_cpu))
		return;
	local_irq_save(flags);
	if (FXT_FILTER_THREADS && fxt_queue_has(task->pid, task_cpu(task))) {
		record_running(task_cpu(task));
		was = fxt_queue_enter(task->pid, dest_cpu);
	}
	probe_migrate(data, task, dest_cpu);
	fxt_queue_leave(was);
	local_irq_restore(flags);
}

/* Probes for each clock, without and with filters and delays. */
#define PROBES(clock, name)									\
static notrace void probe_switch_##name(void *data, bool preempt, struct task_struct *prev,	\
					struct task_struct *next, unsigned int prev_state)	\
{												\
	probe_switch(clock, data, preempt, prev, next, prev_state);				\
}												\
static notrace void probe_waking_##name(void *data, struct task_struct *task)			\
{												\
	probe_waking(clock, data, task);							\
}												\
static notrace void filter_switch_##name(void *data, bool preempt, struct task_struct *prev,	\
					 struct task_struct *next, unsigned int prev_state)	\
{												\
	filter_switch(clock, data, preempt, prev, next, prev_state);				\
}												\
static notrace void filter_waking_##name(void *data, struct task_struct *task)			\
{												\
	if (keeps_waking(clock, task))								\
		probe_waking(clock, data, task);						\
}
PROBES(FXT_CLOCK_MONO, mono)
PROBES(FXT_CLOCK_BOOT, boot)
PROBES(FXT_CLOCK_TSC, tsc)

#define SET(kind, name) {					\
	FXT_PROBE(timer_expire_exit, fxt_timer_probe_end),	\
	FXT_PROBE(timer_expire_entry, fxt_timer_probe_begin),	\
	FXT_PROBE(sched_waking, kind##_waking_##name),		\
	FXT_PROBE(sched_wakeup_new, kind##_wakeup_new),		\
	FXT_PROBE(sched_migrate_task, kind##_migrate),		\
	FXT_PROBE(sched_switch, kind##_switch_##name),		\
}
#define SETS(kind) {						\
	[FXT_CLOCK_MONO] = SET(kind, mono),			\
	[FXT_CLOCK_BOOT] = SET(kind, boot),			\
	[FXT_CLOCK_TSC] = SET(kind, tsc),			\
}
static struct fxt_probe all_events[][6] = SETS(probe);
static struct fxt_probe filtered_events[][6] = SETS(filter);
static struct fxt_probe *sched_probes;

int fxt_sched_register(void)
{
	sched_probes = (fxt_filter_any() || fxt_delay_any() ? filtered_events : all_events)[fxt_clock_chosen];
	return fxt_probe_register(sched_probes, ARRAY_SIZE(all_events[0]));
}

void fxt_sched_unregister(void)
{
	fxt_probe_unregister(sched_probes, ARRAY_SIZE(all_events[0]));
}
