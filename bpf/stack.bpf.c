// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks of threads that go to sleep: a program on sched_switch, which runs before the program that records the switch.
 */
#include "kernel.h"
#include "event.h"
#include "filter.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#include "fxt/stack.h"

/* States with a stack, set before the programs are loaded. */
const volatile __u32 fxt_stack_states;

/* Buffer for interrupts off; only sched_switch uses it. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct fxt_stack_record);
} stack_scratch SEC(".maps");

SEC("?tp_btf/sched_switch")
int BPF_PROG(fxt_stack, bool preempt, struct task_struct *prev, struct task_struct *next,
	     unsigned int prev_state)
{
	struct fxt_stack_record *r;
	struct fxtrec_area *area;
	__u32 zero = 0, bytes;
	__u64 ticks;
	long got;

	if (!fxt_stack_wanted(fxt_stack_states, preempt, prev_state, prev->exit_state) ||
	    !fxt_filter_keeps(prev->pid))
		return 0;
	area = fxt_area();
	r = bpf_map_lookup_elem(&stack_scratch, &zero);
	if (!area || !r)
		return 0;
	got = bpf_get_stack(ctx, &r->word[FXT_STACK_HEAD_WORDS], 8 * FXT_STACK_FRAMES, 0);
	ticks = fxt_clock();
	bytes = fxt_stack_head(r->word, got > 0 ? (__u64)got / 8 : 0, prev->tgid, prev->pid,
			       BPF_CORE_READ_BITFIELD(prev, in_iowait), ticks);
	if (bytes > sizeof(*r))
		return 0;
	return fxt_event_end(fxt_event_put(area, r->word, bytes, ticks));
}
