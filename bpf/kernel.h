/* SPDX-License-Identifier: GPL-2.0-only */
/* Members of kernel structures that the programs read; CO-RE finds the offsets. */
#ifndef FXT_BPF_KERNEL_H
#define FXT_BPF_KERNEL_H

#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

typedef _Bool bool;

#include "compat/arch.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct list_head {
	struct list_head *next;
};

struct signal_struct {
	struct list_head thread_head;
};

struct kernfs_node {
	__u64 id;
};

struct cgroup_subsys_state {
	struct cgroup *cgroup;
};

/* Since 6.1: 7f203bc89eb6 ("cgroup: Replace cgroup->ancestor_ids[] with ->ancestors[]"). */
struct cgroup {
	int level;
	struct kernfs_node *kn;
	struct cgroup *ancestors[];
};

enum cgroup_subsys_id { cpu_cgrp_id = 1 };	/* CO-RE finds the kernel's own value, too */

struct css_set {
	struct cgroup_subsys_state *subsys[16];
	struct cgroup *dfl_cgrp;
};

struct cfs_rq {
	struct rq *rq;
	struct task_group *tg;
	int throttle_count;
};

struct rq {
	struct cfs_rq cfs;	/* queue of the root group */
	int cpu;
};

struct task_group {
	struct cgroup_subsys_state css;
	struct cfs_rq **cfs_rq;	/* queues by CPU; in 7.2, a per-CPU pointer to the queues themselves */
};

struct sched_entity {
	struct cfs_rq *cfs_rq;
	unsigned char sched_delayed;	/* since 6.12: 152e11f6df29 ("sched/fair: Implement delayed dequeue") */
};

struct maple_tree {
	void *ma_root;
};

struct mm_struct {
	struct maple_tree mm_mt;
	unsigned long arg_start, arg_end;
};

struct super_block {
	__u32 s_dev;
	unsigned long s_magic;
};

struct inode {
	unsigned short i_mode;
	struct super_block *i_sb;
	unsigned long i_ino;
	__u32 i_rdev;
};

struct proto_ops {
	int family;
};

struct socket {
	const struct proto_ops *ops;
};

struct qstr {
	const unsigned char *name;
};

struct dentry {
	struct qstr d_name;
};

struct path {
	struct dentry *dentry;
};

struct address_space {
	struct inode *host;
};

struct file {
	struct inode *f_inode;
	struct address_space *f_mapping;
	struct path f_path;
	void *private_data;
};

struct vm_area_struct {
	struct mm_struct *vm_mm;
	unsigned long vm_start;
	unsigned long vm_end;
	unsigned long vm_flags;
	unsigned long vm_pgoff;
	struct file *vm_file;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

/* Locks of the kernel, by their owners. */
typedef struct {
	long counter;
} atomic_long_t;

struct mutex {
	atomic_long_t owner;
};

struct rw_semaphore {
	atomic_long_t owner;
};

struct task_struct {
	struct thread_info thread_info;
	unsigned int flags;
	struct files_struct *files;
	unsigned long blocker;	/* since 6.16, with CONFIG_DETECT_HUNG_TASK_BLOCKER */
	struct mm_struct *mm;
	struct sched_entity se;
	/* Both are an int up to 6.x, a u8 in 7.2: CO-RE adapts the size of a load if both are unsigned. */
	unsigned int on_cpu;
	unsigned int on_rq;
	unsigned int __state;
	int prio;
	int exit_state;
	int pid;
	int tgid;
	__u64 start_time;	/* CLOCK_MONOTONIC */
	unsigned long nvcsw;
	unsigned long nivcsw;
	unsigned int in_iowait : 1;
	int softirq_disable_cnt;	/* PREEMPT_RT */
	char comm[16];
	struct pid *thread_pid;
	struct list_head thread_node;
	struct signal_struct *signal;
	struct css_set *cgroups;
	struct task_group *sched_task_group;
	bool throttled;		/* since 6.18: e1fad12dcb66 ("sched/fair: Switch to task based throttle model") */
};

struct hrtimer;

struct hrtimer_clock_base {
	struct hrtimer *running;
};

struct rt_mutex_base {
	struct task_struct *owner;	/* lowest bit is a flag */
};

struct spinlock {
	struct rt_mutex_base lock;	/* PREEMPT_RT */
};

struct hrtimer_cpu_base {
	unsigned int softirq_activated : 1;	/* a softirq runs callbacks, or is about to */
	struct spinlock softirq_expiry_lock;	/* PREEMPT_RT */
	struct hrtimer_clock_base clock_base[8];
};

struct irqaction {
	const char *name;
};

#pragma clang attribute pop

struct seq_file;

/* Contexts of iterators, which no kernel changes: libbpf searches the kernel's types once for each relocated structure. */
struct bpf_iter_meta {
	struct seq_file *seq;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

/*
 * Bits of preempt_count from 6.1 to 7.2; FXT_PREEMPT_SOFTIRQ, the lowest bit of its field,
 * is set while a softirq is served.
 */
#define FXT_PREEMPT_SOFTIRQ	0x00000100u
#define FXT_PREEMPT_HARDIRQ	0x000f0000u
#define FXT_PREEMPT_NMI		0x00f00000u

/* Binary logarithm of the bytes of a page.  Set before the programs are loaded. */
extern const volatile __u32 fxt_page_shift;

/* Bytes from a CPU's run queue to its preempt_count; 0: not known.  Set before the programs are loaded. */
extern const volatile __s64 fxt_preempt_from_queue;

/*
 * A kernel without CONFIG_KALLSYMS_ALL resolves no symbol of a variable, and refuses a program
 * that has one even if the program doesn't use it.  Such a kernel gets the plain object, which
 * has no symbols; so does a recorder that isn't root's, and a kernel that has neither variable.
 */
enum fxt_preempt_source { FXT_PREEMPT_BY_SYMBOL, FXT_PREEMPT_BY_QUEUE };

static __always_inline __u32 fxt_preempt(enum fxt_preempt_source source)
{
	const struct task_struct *current;

	if (source == FXT_PREEMPT_BY_SYMBOL)
		return fxt_preempt_by_symbol();
	current = bpf_get_current_task_btf();
	return fxt_preempt_by_queue(bpf_core_field_exists(current->se.cfs_rq->rq) ? current->se.cfs_rq->rq : 0,
				    fxt_preempt_from_queue);
}

/* Returns the bits of the interrupts that this CPU handles on top of a task; 0 where no source of them is known. */
static __always_inline __u32 fxt_interrupts(enum fxt_preempt_source source)
{
	__u32 count = fxt_preempt(source);
	const struct task_struct *current;

	if (bpf_core_field_exists(((struct task_struct *)0)->softirq_disable_cnt)) {
		current = bpf_get_current_task_btf();
		count |= current->softirq_disable_cnt & FXT_PREEMPT_SOFTIRQ;
	}
	return count & (FXT_PREEMPT_SOFTIRQ | FXT_PREEMPT_HARDIRQ | FXT_PREEMPT_NMI);
}

#endif
