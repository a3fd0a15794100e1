// SPDX-License-Identifier: GPL-2.0-only
/* The hot path: programs on sched_switch, sched_waking, sched_wakeup_new and sched_migrate_task. */
#include "kernel.h"
#include "env.h"
#include "delay.h"
#include "sched.h"
#include "sleeper.h"
#include "thread.h"
#include "timer.h"
#include <bpf/bpf_tracing.h>

#define UNLIKELY(x)	__builtin_expect(!!(x), 0)

/* Arguments of sched_switch: each is a word of the context. */
enum switch_argument { PREEMPT, PREV, NEXT, PREV_STATE };

static __always_inline const struct task_struct *task_of(const __u64 *ctx, unsigned int argument)
{
	return (const struct task_struct *)ctx[argument];
}

static __always_inline struct fxt_sched_thread thread_of(const struct task_struct *task)
{
	return (struct fxt_sched_thread){ (__u32)task->pid, task->prio };
}

static __always_inline __u32 current_tid(void)
{
	const struct task_struct *current = bpf_get_current_task_btf();

	return current->pid;
}

/* Space for the arguments of a reason. */
struct reason_words {
	__u64 w[FXT_REASON_WORDS_MAX];
};

/*
 * Writes the reason of the current thread, which leaves its CPU: a global function, so that the verifier visits
 * it once, and not for each call.
 */
__noinline __u32 fxt_reason_any(struct reason_words *to, __u32 state)
{
	const struct task_struct *task = bpf_get_current_task_btf();

	return to ? fxt_sleeper_any(to->w, task, (enum fxt_linux_state)state) : 0;
}

static __always_inline __u32 reason_any(__u64 *w, enum fxt_linux_state state)
{
	return fxt_reason_any((struct reason_words *)w, state);
}

/* Has a stack frame of its own, beside those of reserve(), since the verifier limits the sum of nested frames. */
static __noinline __u32 switch_write(const __u64 *ctx, __u64 *w, __u32 cpu, __u64 ticks)
{
	const struct task_struct *prev = task_of(ctx, PREV), *next = task_of(ctx, NEXT);
	enum fxt_linux_state state = fxt_linux_state(ctx[PREV_STATE], prev->exit_state);
	__u32 bytes = fxt_sched_switch(w, cpu, ticks, thread_of(prev), thread_of(next), ctx[PREEMPT] & 1, state);
	__u32 add = fxt_reasons.size && !(ctx[PREEMPT] & 1) ? reason_any(w + bytes / 8, state) : 0;

	w[0] += add;
	/* The verifier doesn't know that a reason has 72 bytes at most. */
	return bytes + (fxt_reason_bytes(add) & 127);
}

/*
 * Names a thread that leaves its CPU while it ends, if the thread was created before creations
 * were recorded: it may have left the kernel's list of threads before the list was read.
 */
static __noinline int end_of(const __u64 *ctx)
{
	const struct task_struct *task = task_of(ctx, PREV);

	if (task->start_time < FXT_READ(fxt_created_since_ns))
		fxt_thread_emit(task, task->comm, FXT_READ(fxt_created_since));
	return 0;
}

/* Records any switch. */
static __noinline int switch_any(const __u64 *ctx)
{
	struct fxtrec_area *area;
	__u64 ticks, head, *w;

	if (task_of(ctx, PREV)->exit_state)
		end_of(ctx);
	w = reserve(&area, &ticks, &head);
	if (w)
		commit(area, head, switch_write(ctx, w, area->ring[FXTREC_RING_SCHED].cpu, ticks));
	return unknown_zero();
}

/* Records a switch with one or two threads that a filter doesn't choose. */
static __noinline int switch_unchosen(const __u64 *ctx, enum fxt_unchosen unchosen)
{
	struct fxtrec_area *area;
	__u64 ticks, head, *w;

	if (task_of(ctx, PREV)->exit_state)
		end_of(ctx);
	w = reserve(&area, &ticks, &head);
	if (w)
		commit(area, head, fxt_sched_switch_unchosen(w, switch_write(ctx, w, area->ring[FXTREC_RING_SCHED].cpu,
									     ticks), unchosen));
	return 0;
}

/* Returns the innermost context, from FXT_PREEMPT_* bits. */
static __always_inline enum fxt_waker_context context(__u32 interrupts)
{
	return interrupts & FXT_PREEMPT_NMI ? FXT_CONTEXT_NMI :
	       interrupts & FXT_PREEMPT_HARDIRQ ? FXT_CONTEXT_HARDIRQ :
	       interrupts & FXT_PREEMPT_SOFTIRQ ? FXT_CONTEXT_SOFTIRQ : FXT_CONTEXT_TASK;
}

static __noinline int waking_any(const struct task_struct *task, __u32 interrupts)
{
	struct fxtrec_area *area;
	__u64 ticks, head, *w = reserve(&area, &ticks, &head);

	if (w)
		commit(area, head, fxt_sched_waking(w, task->thread_info.cpu, ticks,
						    thread_of(task), task->on_cpu, current_tid(),
						    fxt_timer_context(context(interrupts))));
	return unknown_zero();
}

static __always_inline int record_wakeup_new(__u64 *ctx)
{
	const struct task_struct *task = task_of(ctx, 0);
	struct fxtrec_area *area;
	__u64 ticks, head, *w = reserve(&area, &ticks, &head);

	if (w)
		commit(area, head, fxt_sched_wakeup_new(w, task->thread_info.cpu, ticks,
							thread_of(task), current_tid()));
	return 0;
}

SEC("?tp_btf/sched_wakeup_new")
int fxt_wakeup_new(__u64 *ctx)
{
	return record_wakeup_new(ctx);
}

/* Records a migration; the kernel hits sched_migrate_task before the thread has its new CPU. */
static __always_inline int record_migrate(__u64 *ctx)
{
	const struct task_struct *task = task_of(ctx, 0);
	struct fxtrec_area *area;
	__u64 ticks, head, *w = reserve(&area, &ticks, &head);

	if (!w)
		return 0;
	fxt_sched_migrate(w, ticks, thread_of(task), task->thread_info.cpu, ctx[1]);
	commit(area, head, FXT_SCHED_MIGRATE_BYTES);
	return 0;
}

SEC("?tp_btf/sched_migrate_task")
int fxt_migrate(__u64 *ctx)
{
	return record_migrate(ctx);
}

/*
 * Records a switch on the fast path: from a thread that sleeps, or that yields and is not dead.
 * It reads the clock early: each value that is live across the call needs a saved register.
 */
static __always_inline int record_switch(__u64 *ctx, enum fxt_slot_source slots,
					 enum fxt_linux_clock clock)
{
	struct fxtrec_area *area = fxt_area_by(slots);
	struct fxtrec_producer *p;
	__u64 *w, head, header, ticks;
	__u32 reason = 0;

	if (UNLIKELY(!area))
		return late_count();
	ticks = fxt_clock_read(clock);
	p = &area->ring[FXTREC_RING_SCHED];
	header = FXT_READ(p->switch_header[FXT_LINUX_S]);
	if (ctx[PREV_STATE] != FXT_TASK_INTERRUPTIBLE) {
		if (UNLIKELY(ctx[PREV_STATE] || task_of(ctx, PREV)->exit_state))
			return switch_any(ctx);
		header = FXT_READ(p->switch_header[FXT_LINUX_R]);
	}
	if (UNLIKELY(ctx[PREEMPT] || !fxt_sched_reserve_fast(p, &head)))
		return switch_any(ctx);
	w = FXT_AREA_AT(area, head - p->bias);
	w[1] = ticks;
	fxt_sched_switch_fill(w, thread_of(task_of(ctx, PREV)), thread_of(task_of(ctx, NEXT)));
	if (fxt_reasons.size && ctx[PREV_STATE]) {
		reason = fxt_sleeper_frequent(w + FXT_SCHED_SWITCH_BYTES / 8, task_of(ctx, PREV));
		if (UNLIKELY(!reason))
			reason = reason_any(w + FXT_SCHED_SWITCH_BYTES / 8, FXT_LINUX_S);
	}
	w[0] = header + reason;
	fxt_sched_commit(p, head, FXT_SCHED_SWITCH_BYTES + fxt_reason_bytes(reason));
	return 0;
}

/* Records a wakeup on the fast path: a task wakes a thread of the default priority that has left its CPU. */
static __always_inline int record_waking(__u64 *ctx, enum fxt_slot_source slots,
					 enum fxt_linux_clock clock,
					 enum fxt_preempt_source source)
{
	const struct task_struct *task = task_of(ctx, 0);
	__u32 interrupts = fxt_interrupts(source);
	struct fxtrec_area *area;
	struct fxtrec_producer *p;
	__u64 *w, head, waker, ticks;

	if (UNLIKELY(task->prio != FXT_PRIO_DEFAULT || task->on_cpu || interrupts))
		return waking_any(task, interrupts);
	area = fxt_area_by(slots);
	if (UNLIKELY(!area))
		return late_count();
	waker = current_tid();
	ticks = fxt_clock_read(clock);
	p = &area->ring[FXTREC_RING_SCHED];
	if (UNLIKELY(!fxt_sched_reserve_fast(p, &head)))
		return waking_any(task, 0);
	w = FXT_AREA_AT(area, head - p->bias);
	w[1] = ticks;
	fxt_sched_waking_fill(w, task->thread_info.cpu, (__u32)task->pid, waker);
	fxt_sched_commit(p, head, FXT_SCHED_WAKING_BYTES);
	return 0;
}

/*
 * Filters a switch.  A filter keeps wakeups and migrations of chosen threads, switches from and
 * to a chosen thread, and all switches of a CPU while a chosen thread waits in its queue.  Delays
 * are measured for every thread, which may become chosen during a delay, and on every CPU.
 */
static __always_inline int filter_switch(__u64 *ctx, enum fxt_linux_clock clock)
{
	const struct task_struct *prev = task_of(ctx, PREV), *next = task_of(ctx, NEXT);
	enum fxt_unchosen unchosen;
	int kept = 1;

	fxt_delay_switch(clock, ctx[PREEMPT] & 1, prev, next, ctx[PREV_STATE]);
	unchosen = fxt_filter_switch(prev->pid, next->pid);
	if (FXT_FILTER_THREADS)
		kept = fxt_queue_switch(bpf_get_smp_processor_id(), prev->pid, next->pid, unchosen,
					ctx[PREEMPT] & 1 || !ctx[PREV_STATE], prev->exit_state);
	if (!FXT_FILTER_CPU_OUT && kept) {
		if (unchosen == FXT_UNCHOSEN_NONE)
			record_switch(ctx, FXT_SLOT_BY_TABLE, clock);
		else
			switch_unchosen(ctx, unchosen);
	}
	if (FXT_FILTER_THREADS)
		fxt_queue_run(bpf_get_smp_processor_id(), next->pid);
	return 0;
}

static __always_inline int keeps_waking(const __u64 *ctx, enum fxt_linux_clock clock)
{
	const struct task_struct *task = task_of(ctx, 0);

	fxt_delay_waking(clock, task);
	if (FXT_FILTER_THREADS && fxt_filter_chooses(task->pid))
		fxt_queue_woken(task->pid, task->thread_info.cpu);
	return fxt_filter_keeps_move(task->pid, task->thread_info.cpu, task->thread_info.cpu);
}

/* Records the thread that a CPU runs, if known, while another thread leaves its queue. */
static __noinline int record_running(__u32 cpu)
{
	__u32 running = fxt_queue_running(cpu);
	struct fxtrec_area *area;
	__u64 ticks, head, *w;

	if (!running)
		return 0;
	w = reserve(&area, &ticks, &head);
	if (!w)
		return 0;
	fxt_sched_running(w, ticks, running - 1, cpu);
	commit(area, head, FXT_SCHED_RUNNING_BYTES);
	return 0;
}

SEC("?tp_btf/sched_wakeup_new")
int fxt_filter_wakeup_new(__u64 *ctx)
{
	return keeps_waking(ctx, fxt_clock_chosen) ? record_wakeup_new(ctx) : 0;
}

SEC("?tp_btf/sched_migrate_task")
int fxt_filter_migrate(__u64 *ctx)
{
	const struct task_struct *task = task_of(ctx, 0);
	__u32 from = task->thread_info.cpu, was = 0;

	if (!fxt_filter_keeps_move(task->pid, from, ctx[1]))
		return 0;
	if (FXT_FILTER_THREADS && fxt_queue_has(task->pid, from)) {
		record_running(from);
		was = fxt_queue_enter(task->pid, ctx[1]);
	}
	record_migrate(ctx);
	fxt_queue_leave(was);
	return 0;
}

/* Programs for each clock, with and without filters and delays; the loader picks one set. */
#define SWITCH(clock, name)						\
SEC("?tp_btf/sched_switch")						\
int fxt_switch_##name(__u64 *ctx)					\
{									\
	return record_switch(ctx, FXT_SLOT_BY_NUMBER, clock);		\
}									\
SEC("?tp_btf/sched_switch")						\
int fxt_filter_switch_##name(__u64 *ctx)				\
{									\
	return filter_switch(ctx, clock);				\
}
SWITCH(FXT_CLOCK_MONO, mono)
SWITCH(FXT_CLOCK_BOOT, boot)

#define WAKING(clock, name, source)						\
SEC("?tp_btf/sched_waking")							\
int fxt_waking_##name(__u64 *ctx)						\
{										\
	return record_waking(ctx, FXT_SLOT_BY_NUMBER, clock, source);			\
}										\
SEC("?tp_btf/sched_waking")							\
int fxt_filter_waking_##name(__u64 *ctx)					\
{										\
	return keeps_waking(ctx, clock) ?						\
	       record_waking(ctx, FXT_SLOT_BY_TABLE, clock, source) : 0;		\
}
WAKING(FXT_CLOCK_MONO, mono, FXT_PREEMPT_BY_SYMBOL)
WAKING(FXT_CLOCK_BOOT, boot, FXT_PREEMPT_BY_SYMBOL)
WAKING(FXT_CLOCK_MONO, mono_by_queue, FXT_PREEMPT_BY_QUEUE)
WAKING(FXT_CLOCK_BOOT, boot_by_queue, FXT_PREEMPT_BY_QUEUE)
