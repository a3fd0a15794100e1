// SPDX-License-Identifier: GPL-2.0-only
/* Stacks of threads that go to sleep: a probe on sched_switch, which runs before the probe that records the switch. */
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>

#include "compat/probe.h"
#include "event.h"
#include "filter.h"
#include "fxt/stack.h"
#include "stack.h"

static u32 stack_states;

/* Buffer for interrupts off, never used by an NMI: only sched_switch uses it. */
static struct fxt_stack_record __percpu *stack_record;

/* Records the stack of prev, which is still the current task, on its own stack. */
static noinline void record(const struct task_struct *prev)
{
	struct fxt_stack_record *r = this_cpu_ptr(stack_record);
	u64 *frames = &r->word[FXT_STACK_HEAD_WORDS];
	struct fxt_event e;
	unsigned int count;
	u32 bytes;

	BUILD_BUG_ON(sizeof(*frames) != sizeof(unsigned long));
	count = stack_trace_save((unsigned long *)frames, FXT_STACK_FRAMES, 0);
	if (!fxt_event_begin(&e))
		return;
	bytes = fxt_stack_head(r->word, count, prev->tgid, prev->pid, prev->in_iowait, e.ticks);
	fxt_event_end(&e, fxt_event_put(e.area, r->word, bytes, e.ticks));
}

static notrace void probe_stack(void *data, bool preempt, struct task_struct *prev,
				 struct task_struct *next, unsigned int prev_state)
{
	if (fxt_stack_wanted(stack_states, preempt, prev_state, prev->exit_state) &&
	    fxt_filter_keeps(prev->pid))
		record(prev);
}

static struct fxt_probe stack_probes[] = {
	FXT_PROBE(sched_switch, probe_stack),
};

void fxt_stack_choose(u32 states)
{
	stack_states = states;
}

static int alloc_stack_records(void)
{
	stack_record = alloc_percpu(struct fxt_stack_record);
	return stack_record ? 0 : -ENOMEM;
}

static void free_stack_records(void)
{
	free_percpu(stack_record);
	stack_record = NULL;
}

const struct fxt_family fxt_stacks_family = {
	.probes = stack_probes,
	.count = ARRAY_SIZE(stack_probes),
	.init = alloc_stack_records,
	.uninit = free_stack_records,
};
