// SPDX-License-Identifier: GPL-2.0-only
/* System calls, and threads that exit inside one. */
#include "kernel.h"
#include "event.h"
#include "filter.h"
#include <bpf/bpf_tracing.h>

#include "fxt/syscall.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct fxt_syscalls);
} syscalls SEC(".maps");

static __always_inline __u16 *slice_of(__u32 tid)
{
	__u32 zero = 0;
	struct fxt_syscalls *s = bpf_map_lookup_elem(&syscalls, &zero);

	return s ? &s->open_slices[tid & (FXT_SYSCALL_THREADS - 1)] : 0;
}

SEC("?tp_btf/sys_enter")
int BPF_PROG(fxt_sys_enter, void *regs, long number)
{
	const struct task_struct *current = bpf_get_current_task_btf();
	__u16 name = fxt_syscall_name(number, fxt_in_compat_syscall(&current->thread_info));
	__u32 tid = current->pid;
	__u16 *slice = slice_of(tid);
	struct fxt_event e;

	/* An end is kept if its begin was. */
	return slice && fxt_filter_keeps(tid) && fxt_event_begin(&e) ?
	       fxt_event_end(fxt_syscall_enter(e.area, slice, name, current->tgid, tid, e.ticks)) : 0;
}

SEC("?tp_btf/sys_exit")
int BPF_PROG(fxt_sys_exit, void *regs, long ret)
{
	const struct task_struct *current = bpf_get_current_task_btf();
	__u32 tid = current->pid;
	__u16 *slice = slice_of(tid);
	struct fxt_event e;

	return slice && fxt_event_begin(&e) ?
	       fxt_event_end(fxt_syscall_exit(e.area, slice, ret, current->tgid, tid, e.ticks)) : 0;
}

static __always_inline int slice_close(const struct task_struct *task, __u32 tid)
{
	__u16 *slice = slice_of(tid);
	struct fxt_event e;

	return slice && fxt_event_begin(&e) ?
	       fxt_event_end(fxt_syscall_close(e.area, slice, task->tgid, tid, e.ticks)) : 0;
}

SEC("?tp_btf/sched_process_exit")
int BPF_PROG(fxt_process_exit, struct task_struct *task)
{
	return slice_close(task, task->pid);
}

SEC("?tp_btf/sched_process_exec")
int BPF_PROG(fxt_process_exec, struct task_struct *task, int old_pid)
{
	return old_pid == task->pid ? 0 : slice_close(task, old_pid);
}
