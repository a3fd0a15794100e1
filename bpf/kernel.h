/* SPDX-License-Identifier: GPL-2.0-only */
/* The members of kernel structures that the programs read; CO-RE finds the offsets. */
#ifndef FXT_BPF_KERNEL_H
#define FXT_BPF_KERNEL_H

#include <linux/types.h>

typedef _Bool bool;

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_info {
	__u32 status;
	__u32 cpu;
};

struct list_head {
	struct list_head *next;
};

struct signal_struct {
	struct list_head thread_head;
};

struct kernfs_node {
	__u64 id;
};

/* Since 6.1: 7f203bc89eb6 ("cgroup: Replace cgroup->ancestor_ids[] with ->ancestors[]"). */
struct cgroup {
	int level;
	struct kernfs_node *kn;
	struct cgroup *ancestors[];
};

struct css_set {
	struct cgroup *dfl_cgrp;
};

struct task_struct {
	struct thread_info thread_info;
	/* An int up to 6.x, a u8 in 7.2: CO-RE adapts the size of a load if both are unsigned. */
	unsigned int on_cpu;
	int prio;
	int exit_state;
	int pid;
	int tgid;
	unsigned long nvcsw;
	unsigned long nivcsw;
	unsigned int in_iowait : 1;
	char comm[16];
	struct list_head thread_node;
	struct signal_struct *signal;
	struct css_set *cgroups;
};

struct irqaction {
	const char *name;
};

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

#pragma clang attribute pop

#endif
