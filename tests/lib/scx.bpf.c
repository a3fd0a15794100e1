// SPDX-License-Identifier: GPL-2.0-only
/*
 * A scheduler in eBPF for sched_ext (the kernel's Documentation/scheduler/sched-ext.rst), as a load to be recorded: all
 * threads wait in one queue for all CPUs, first in, first out, and change their CPUs often.
 */
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#define GLOBAL_QUEUE	(1ULL << 63 | 1)	/* SCX_DSQ_GLOBAL */
#define SLICE_NS	5000000

/* Defined because libbpf wants a structure where the kernel has one. */
struct task_struct {
};

/* The kernel's members that this scheduler has: libbpf finds them by name. */
struct sched_ext_ops {
	void (*enqueue)(struct task_struct *task, __u64 flags);
	char name[128];
};

extern void scx_bpf_dsq_insert(struct task_struct *task, __u64 queue, __u64 slice, __u64 flags) __ksym;

char LICENSE[] SEC("license") = "GPL";

SEC("struct_ops/enqueue")
void BPF_PROG(enqueue, struct task_struct *task, __u64 flags)
{
	scx_bpf_dsq_insert(task, GLOBAL_QUEUE, SLICE_NS, flags);
}

SEC(".struct_ops")
struct sched_ext_ops fxt_queue = {
	.enqueue = (void *)enqueue,
	.name = "fxt_queue",
};
