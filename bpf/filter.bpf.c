// SPDX-License-Identifier: GPL-2.0-only
/* The filter in eBPF: programs on creation, renaming and moving of threads. */
#include "kernel.h"
#include "filter.h"
#include "info.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#define FXT_FILTER_FLAGS	fxt_filter.flags
#define FXT_FILTER_GLOB		((const struct fxtrec_glob *)&fxt_filter.comm)
#define FXT_FILTER_SET_BITS(word, bits)		__sync_fetch_and_or(word, bits)
#define FXT_FILTER_CLEAR_BITS(word, bits)	__sync_fetch_and_and(word, ~(bits))
#define FXT_FILTER_PROCESS	FXT_READ(fxt_filter_process)
#define FXT_FILTER_NAME(name, comm)	bpf_probe_read_kernel_str(name, sizeof(*(name)), comm)

#include "fxt/chosen.h"

#define ANCESTORS_MAX	64
#define THREADS_MAX	(1u << 20)

static __always_inline int in_cgroup(const struct task_struct *task)
{
	const struct cgroup *cgroup;
	int i, level;

	if (!(fxt_filter.flags & FXTREC_FILTER_CGROUP))
		return 0;
	cgroup = BPF_CORE_READ(task, cgroups, dfl_cgrp);
	level = BPF_CORE_READ(cgroup, level);
	for (i = 0; i < ANCESTORS_MAX && i <= level; i++) {
		const struct cgroup *ancestor;

		bpf_probe_read_kernel(&ancestor, sizeof(ancestor),
				      __builtin_preserve_access_index(&cgroup->ancestors[0]) + i);
		if (BPF_CORE_READ(ancestor, kn, id) == fxt_filter_cgroup)
			return 1;
	}
	return 0;
}

__noinline int fxt_filter_end(__u32 tid, __u32 tgid)
{
	struct fxt_info_slot s;

	if (!fxt_info_reserve(&s, FXT_CHOSEN_END_BYTES))
		return 0;
	fxt_chosen_end_write(s.w, s.ticks, tid, tgid);
	return fxt_info_commit();
}

static __always_inline void decide(const struct task_struct *task, const char *comm)
{
	__u32 tid = BPF_CORE_READ(task, pid);

	if (fxt_chosen_decide(tid, comm, in_cgroup(task)))
		fxt_filter_end(tid, BPF_CORE_READ(task, tgid));
}

SEC("?tp_btf/sched_wakeup_new")
int BPF_PROG(fxt_filter_created, struct task_struct *task)
{
	const struct task_struct *current = bpf_get_current_task_btf();

	fxt_chosen_created(task->pid, current->pid, current->tgid, current->comm);
	fxt_chosen_decide(task->pid, task->comm, in_cgroup(task));
	return 0;
}

/* Runs before the task has the new name. */
SEC("?tp_btf/task_rename")
int BPF_PROG(fxt_filter_rename, struct task_struct *task, const char *comm)
{
	decide(task, comm);
	return 0;
}

SEC("?tp_btf/sched_process_exec")
int BPF_PROG(fxt_filter_exec, struct task_struct *task, int old_pid)
{
	if (task->pid == old_pid)
		return 0;
	fxt_chosen_exec(task->pid, old_pid);
	decide(task, task->comm);
	return 0;
}

struct cursor {
	const void *node, *end;
	int in_cgroup;
};

/*
 * Decides about the next thread of a process; for bpf_loop().  libbpf relocates a function
 * that is no program in every recording, and each kernel structure that it names takes as
 * long to find as a program takes to load: so it names only the task's structure.
 */
static long decide_next(__u32 i, struct cursor *c)
{
	const void *node = c->node;
	const struct task_struct *task;
	__u32 tid;

	if (!node || node == c->end)
		return 1;
	task = node - bpf_core_field_offset(struct task_struct, thread_node);
	tid = BPF_CORE_READ(task, pid);
	if (fxt_chosen_decide(tid, (const void *)task + bpf_core_field_offset(struct task_struct, comm),
			      c->in_cgroup))
		fxt_filter_end(tid, BPF_CORE_READ(task, tgid));
	/* The first word of a list node is its next pointer. */
	bpf_probe_read_kernel(&c->node, sizeof(c->node), node);
	return 0;
}

/* Runs after a thread or a whole process was moved. */
SEC("?tp_btf/cgroup_attach_task")
int BPF_PROG(fxt_filter_attach, void *to, const char *path, struct task_struct *leader,
	     bool threadgroup)
{
	struct cursor c = {};
	int in;

	if (!threadgroup) {
		decide(leader, leader->comm);
		return 0;
	}
	in = in_cgroup(leader);
	/*
	 * Copied by a helper, so that the verifier doesn't know the value: verifiers before 6.7
	 * check a callback with only one constant, and assume that constant for all calls.
	 */
	bpf_probe_read_kernel(&c.in_cgroup, sizeof(c.in_cgroup), &in);
	c.end = __builtin_preserve_access_index(&leader->signal->thread_head);
	c.node = BPF_CORE_READ(leader, signal, thread_head.next);
	bpf_loop(THREADS_MAX, decide_next, &c, 0);
	return 0;
}

/* Follows a living thread of the process that is being followed.  Returns whether the thread is one. */
static __always_inline int follow(const struct task_struct *task)
{
	if (!fxt_filter_process || task->tgid != fxt_filter_process || task->exit_state)
		return 0;
	fxt_chosen_assign(FXT_FILTER_FOLLOWED, task->pid, 1);
	if (task->thread_pid)
		return 1;
	/* Another thread may have the id of a thread that has ended. */
	fxt_chosen_assign(FXT_FILTER_FOLLOWED, task->pid, 0);
	return 0;
}

/* Decides about the existing threads, after the programs above are attached. */
SEC("?iter/task")
int fxt_filter_existing(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;

	if (!task)
		return 0;
	fxt_filter_process_threads += follow(task);
	decide(task, task->comm);
	return 0;
}
