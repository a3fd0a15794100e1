/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts that are specific to x86. */
#ifndef FXT_BPF_COMPAT_X86_H
#define FXT_BPF_COMPAT_X86_H

#include <linux/types.h>
#include <bpf/bpf_core_read.h>

/* Stores are seen in order, so only the compiler must not move them. */
#define FXT_STORE_BARRIER()	asm volatile("" ::: "memory")
#define FXT_RELEASE(x, v)	({ FXT_STORE_BARRIER(); FXT_WRITE(x, v); })
/* Loads are done in order, too. */
#define FXT_LOAD_BARRIER()	asm volatile("" ::: "memory")

struct thread_info {
	__u32 status;
	__u32 cpu;
} __attribute__((preserve_access_index));

/* From 6.2 (64701838bf05) to 6.14 (46e8fff6d45f); other kernels have a separate variable. */
struct pcpu_hot {
	int preempt_count;
} __attribute__((preserve_access_index));

/* libbpf searches all modules for a symbol that the kernel lacks, which only root may do: see kernel.h. */
#ifndef FXT_PLAIN
extern const int __preempt_count __ksym __weak;
extern const struct pcpu_hot pcpu_hot __ksym __weak;
#endif

/* The registers of user space: fxt/regs.h. */
struct pt_regs___kernel {
	unsigned long r10, r8, bx, cx, dx, si, di, orig_ax;
} __attribute__((preserve_access_index));

#define TS_COMPAT	0x0002

/* Returns whether a thread is in a system call of the 32-bit ABI. */
static __always_inline int fxt_in_compat_syscall(const struct thread_info *info)
{
	return info->status & TS_COMPAT;
}

/* Returns this CPU's preempt_count from its variable. */
static __always_inline __u32 fxt_preempt_by_symbol(void)
{
#ifdef FXT_PLAIN
	return 0;
#else
	if (bpf_core_type_exists(struct pcpu_hot))
		return ((const struct pcpu_hot *)bpf_this_cpu_ptr(&pcpu_hot))->preempt_count;
	return *(const int *)bpf_this_cpu_ptr(&__preempt_count);
#endif
}

/*
 * Returns this CPU's preempt_count from its distance, in bytes, to the CPU's run queue: the
 * distance between two per-CPU variables is the same on all CPUs.
 */
static __always_inline __u32 fxt_preempt_by_queue(const void *queue, __s64 distance)
{
	__u32 count = 0;

	if (distance && queue)
		bpf_probe_read_kernel(&count, sizeof(count), queue + distance);
	return count;
}

#endif
