// SPDX-License-Identifier: GPL-2.0-only
/* Lists the states of all threads at one moment: an iterator. */
#include "kernel.h"
#include "filter.h"
#include <bpf/bpf_core_read.h>

#include "fxt/state.h"

/* Reads the fields in the order of fxt/state.h, which neither processor nor compiler may change. */
static __always_inline void fields_read(struct fxt_state_fields *f, const struct task_struct *task)
{
	f->may_delay = bpf_core_field_exists(task->se.sched_delayed);
	f->on_cpu = task->on_cpu;
	FXT_LOAD_BARRIER();
	f->delayed = f->may_delay ? task->se.sched_delayed : 0;
	FXT_LOAD_BARRIER();
	f->queued = task->on_rq;
	FXT_LOAD_BARRIER();
	f->state = task->__state;
	f->exit_state = task->exit_state;
	f->left = task->nvcsw || task->nivcsw;
	FXT_LOAD_BARRIER();
}

SEC("iter/task")
int fxt_states(struct bpf_iter__task *ctx)
{
	const struct task_struct *task = ctx->task;
	__u64 record[FXT_STATE_BYTES / 8];
	struct fxt_state_fields f;
	__u32 cpu;

	if (!task)
		return 0;
	cpu = task->thread_info.cpu;
	if (!fxt_filter_chooses(task->pid) || FXT_FILTER_QUEUE_OUT(cpu))
		return 0;
	fields_read(&f, task);
	if (fxt_state_write(record, &f, fxt_clock(), task->pid, cpu))
		bpf_seq_write(ctx->meta->seq, record, sizeof(record));
	return 0;
}
