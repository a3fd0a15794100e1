// SPDX-License-Identifier: GPL-2.0-only
/* The hot path: programs on sched_switch, sched_waking and sched_wakeup_new. */
#include "kernel.h"
#include "env.h"
#include <bpf/bpf_tracing.h>

/* A record that is being written: its place, time, and whose ring it is in. */
struct sched_slot {
	struct fxtrec_producer *p;
	__u64 *w;
	__u64 ticks;
	__u64 head;
};

/* Enters this CPU's ring; 0 where the record is dropped, and counted. */
static __always_inline int slot_open(struct sched_slot *s)
{
	struct fxtrec_area *area = fxt_area();

	if (!area)
		return 0;
	s->p = &area->ring[FXTREC_RING_SCHED];
	if (!fxt_sched_enter(s->p)) {
		fxt_sched_nested(s->p, fxt_clock());
		return 0;
	}
	s->ticks = fxt_clock();
	if (fxt_sched_reserve(area, s->ticks, &s->head)) {
		s->w = FXT_AREA_AT(area, s->head - s->p->bias);
		return 1;
	}
	fxt_sched_leave(s->p);
	return 0;
}

static __always_inline void slot_close(struct sched_slot *s, __u32 bytes)
{
	fxt_sched_commit(s->p, s->head, bytes);
	fxt_sched_leave(s->p);
}

static __always_inline struct fxt_sched_thread thread_of(const struct task_struct *task)
{
	return (struct fxt_sched_thread){ task->pid, task->prio };
}

static __always_inline const struct task_struct *current(void)
{
	return bpf_get_current_task_btf();
}

SEC("tp_btf/sched_switch")
int BPF_PROG(fxt_switch, bool preempt, struct task_struct *prev, struct task_struct *next,
	     unsigned int prev_state)
{
	enum fxt_linux_state state = FXT_LINUX_S;
	struct sched_slot s;

	if (!slot_open(&s))
		return 0;
	if (prev_state != FXT_TASK_INTERRUPTIBLE)
		state = fxt_linux_state(prev_state, prev->exit_state);
	slot_close(&s, fxt_sched_switch(s.w, s.p->cpu, s.ticks, thread_of(prev), thread_of(next),
					preempt, state));
	return 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(fxt_waking, struct task_struct *task)
{
	struct sched_slot s;

	if (!slot_open(&s))
		return 0;
	slot_close(&s, fxt_sched_waking(s.w, task->thread_info.cpu, s.ticks, thread_of(task),
					task->on_cpu, current()->pid));
	return 0;
}

SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(fxt_wakeup_new, struct task_struct *task)
{
	struct sched_slot s;

	if (!slot_open(&s))
		return 0;
	slot_close(&s, fxt_sched_wakeup_new(s.w, task->thread_info.cpu, s.ticks, thread_of(task),
					    current()->pid));
	return 0;
}
