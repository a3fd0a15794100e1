// SPDX-License-Identifier: GPL-2.0-only
/* The hot path: probes on sched_switch, sched_waking and sched_wakeup_new. */
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "clock.h"
#include "recording.h"
#include "sched.h"
#include "tracepoint.h"

/* A record that is being written: its place, time, and whose ring it is in. */
struct sched_slot {
	struct fxtrec_producer *p;
	u64 *w;
	u64 ticks;
	u64 head;
};

/* Enters this CPU's ring; false where the record is dropped, and counted. */
static __always_inline bool slot_open(struct sched_slot *s)
{
	struct fxtrec_area *area;

	preempt_disable_notrace();
	area = this_cpu_read(fxt_cpu.area);
	if (unlikely(!area))
		goto out;
	s->p = &area->ring[FXTREC_RING_SCHED];
	if (unlikely(!fxt_sched_enter(s->p))) {
		fxt_sched_nested(s->p, fxt_clock());
		goto out;
	}
	s->ticks = fxt_clock();
	if (fxt_sched_reserve(area, s->ticks, &s->head)) {
		s->w = FXT_AREA_AT(area, s->head - s->p->bias);
		return true;
	}
	fxt_sched_leave(s->p);
out:
	preempt_enable_notrace();
	return false;
}

static __always_inline void slot_close(struct sched_slot *s, u32 bytes)
{
	fxt_sched_commit(s->p, s->head, bytes);
	fxt_sched_leave(s->p);
	preempt_enable_notrace();
}

static __always_inline struct fxt_sched_thread thread_of(const struct task_struct *task)
{
	return (struct fxt_sched_thread){ task->pid, task->prio };
}

static void probe_switch(void *data, bool preempt, struct task_struct *prev,
			 struct task_struct *next, unsigned int prev_state)
{
	enum fxt_linux_state state = FXT_LINUX_S;
	struct sched_slot s;

	if (!slot_open(&s))
		return;
	if (unlikely(prev_state != FXT_TASK_INTERRUPTIBLE))
		state = fxt_linux_state(prev_state, prev->exit_state);
	slot_close(&s, fxt_sched_switch(s.w, s.p->cpu, s.ticks, thread_of(prev), thread_of(next),
					preempt, state));
}

static void probe_waking(void *data, struct task_struct *task)
{
	struct sched_slot s;

	if (!slot_open(&s))
		return;
	slot_close(&s, fxt_sched_waking(s.w, task_cpu(task), s.ticks, thread_of(task),
					READ_ONCE(task->on_cpu), current->pid));
}

static void probe_wakeup_new(void *data, struct task_struct *task)
{
	struct sched_slot s;

	if (!slot_open(&s))
		return;
	slot_close(&s, fxt_sched_wakeup_new(s.w, task_cpu(task), s.ticks, thread_of(task),
					    current->pid));
}

static struct fxt_probe probes[] = {
	{ "sched_waking", probe_waking },
	{ "sched_wakeup_new", probe_wakeup_new },
	{ "sched_switch", probe_switch },
};

int fxt_sched_register(void)
{
	return fxt_tracepoint_register(probes, ARRAY_SIZE(probes));
}

void fxt_sched_unregister(void)
{
	fxt_tracepoint_unregister(probes, ARRAY_SIZE(probes));
}
