/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts that are specific to arm64. */
#ifndef FXT_BPF_COMPAT_ARM64_H
#define FXT_BPF_COMPAT_ARM64_H

#include <linux/types.h>
#include <bpf/bpf_core_read.h>

/*
 * eBPF has a store-release only since 6.15.  An exchange exists on every kernel, and is fully ordered
 * (Documentation/atomic_t.txt): all that precedes it in the program is seen before its store, and all that follows
 * is seen after.  As a barrier it exchanges a word of the stack, which the compiler must not know to be private.
 */
#define FXT_RELEASE(x, v)	((void)__sync_lock_test_and_set(&(x), v))
#define FXT_STORE_BARRIER()						\
({									\
	__u64 word_ = 0, *at_ = &word_;					\
									\
	asm volatile("" : "+r"(at_) :: "memory");			\
	__sync_lock_test_and_set(at_, 1);				\
	asm volatile("" ::: "memory");					\
})
#define FXT_LOAD_BARRIER()	FXT_STORE_BARRIER()

struct thread_info {
	unsigned long flags;
	__u64 preempt_count;	/* upper half is need_resched, inverted */
	__u32 cpu;
} __attribute__((preserve_access_index));

/* The registers of user space: fxt/regs.h. */
struct user_pt_regs___kernel {
	__u64 regs[31];
} __attribute__((preserve_access_index));

struct pt_regs___kernel {
	struct user_pt_regs___kernel user_regs;
	__u64 orig_x0;
	__s32 syscallno;
} __attribute__((preserve_access_index));

#define TIF_32BIT	22

/* Returns whether a thread is in a system call of the 32-bit ABI: a thread has one ABI as long as its program runs. */
static __always_inline int fxt_in_compat_syscall(const struct thread_info *info)
{
	return info->flags >> TIF_32BIT & 1;
}

/* Return this CPU's preempt_count, which is its thread's; thread_info is the first member of a task_struct. */
static __always_inline __u32 fxt_preempt_by_symbol(void)
{
	return ((const struct thread_info *)bpf_get_current_task_btf())->preempt_count;
}

static __always_inline __u32 fxt_preempt_by_queue(const void *queue, __s64 distance)
{
	return ((const struct thread_info *)bpf_get_current_task_btf())->preempt_count;
}

#endif
