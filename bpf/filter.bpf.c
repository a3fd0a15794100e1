// SPDX-License-Identifier: GPL-2.0-only
/* Which threads are chosen: decided anew whenever one is born, renamed or moved, never at an event. */
#include "kernel.h"
#include "filter.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#include "fxt/glob.h"

#define ANCESTORS_MAX	64
#define THREADS_MAX	(1u << 20)

/* Others' bits in the same word change meanwhile: atomic. */
static __always_inline void assign(enum filter_bits which, __u32 tid, int on)
{
	struct filter_set *set = filter_set(which);
	__u64 *word;

	if (!set)
		return;
	word = &set->word[tid / 64 % (FXTREC_TIDS_MAX / 64)];
	if (on)
		__sync_fetch_and_or(word, 1ULL << (tid & 63));
	else
		__sync_fetch_and_and(word, ~(1ULL << (tid & 63)));
}

static __always_inline int followed(__u32 tid)
{
	const struct filter_set *set = filter_set(FILTER_FOLLOWED);

	return set && filter_has(set, tid);
}

/* By a name in the kernel's memory. */
static __always_inline int named(const char *comm)
{
	struct fxt_thread_name name = {};

	if (!(fxt_filter.flags & FXTREC_FILTER_COMM))
		return 0;
	bpf_probe_read_kernel_str(&name, sizeof(name), comm);
	return fxt_glob_matches((const struct fxtrec_glob *)&fxt_filter.comm, &name);
}

static __always_inline int within(const struct task_struct *task)
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

/* Whether the thread, called comm, is chosen from now on.  Idle threads never are. */
static __always_inline void choose(__u32 tid, const char *comm, int inside)
{
	if (tid)
		assign(FILTER_CHOSEN, tid, followed(tid) || named(comm) || inside);
}

static __always_inline void decide(const struct task_struct *task, const char *comm)
{
	choose(BPF_CORE_READ(task, pid), comm, within(task));
}

/*
 * Every thread's birth comes by here, io_uring's workers included, before it is
 * in any event: so whoever had its id before is not taken for it.
 */
SEC("?tp_btf/sched_wakeup_new")
int BPF_PROG(fxt_filter_born, struct task_struct *task)
{
	const struct task_struct *current = bpf_get_current_task_btf();

	assign(FILTER_FOLLOWED, task->pid,
	       fxt_filter.flags & FXTREC_FILTER_INHERIT &&
	       (followed(current->pid) || named(current->comm)));
	decide(task, task->comm);
	return 0;
}

/* Comes before the task has the new name. */
SEC("?tp_btf/task_rename")
int BPF_PROG(fxt_filter_rename, struct task_struct *task, const char *comm)
{
	decide(task, comm);
	return 0;
}

/* A thread that calls exec takes over its process's id. */
SEC("?tp_btf/sched_process_exec")
int BPF_PROG(fxt_filter_exec, struct task_struct *task, int old_pid)
{
	if (task->pid == old_pid)
		return 0;
	assign(FILTER_FOLLOWED, task->pid, followed(old_pid));
	decide(task, task->comm);
	return 0;
}

struct walk {
	const void *node, *end;
	int inside;
};

/*
 * The next thread of a process, for bpf_loop().  What is no program is relocated in
 * every recording, and each kernel structure that is looked for takes as long as
 * loading a program does: only the task's is read here.
 */
static long decide_next(__u32 i, struct walk *walk)
{
	const void *node = walk->node;
	const struct task_struct *task;

	if (!node || node == walk->end)
		return 1;
	task = node - bpf_core_field_offset(struct task_struct, thread_node);
	choose(BPF_CORE_READ(task, pid),
	       (const void *)task + bpf_core_field_offset(struct task_struct, comm), walk->inside);
	/* A list's first word is its next node. */
	bpf_probe_read_kernel(&walk->node, sizeof(walk->node), node);
	return 0;
}

/* Comes after the move, of one thread or of a whole process. */
SEC("?tp_btf/cgroup_attach_task")
int BPF_PROG(fxt_filter_attach, void *to, const char *path, struct task_struct *leader,
	     bool threadgroup)
{
	struct walk walk = {};
	int inside;

	if (!threadgroup) {
		decide(leader, leader->comm);
		return 0;
	}
	inside = within(leader);
	/*
	 * Copied by a helper, it may be anything: verifiers before 6.7 look at a callback
	 * with one constant, and take it for the other, too.
	 */
	bpf_probe_read_kernel(&walk.inside, sizeof(walk.inside), &inside);
	walk.end = __builtin_preserve_access_index(&leader->signal->thread_head);
	walk.node = BPF_CORE_READ(leader, signal, thread_head.next);
	bpf_loop(THREADS_MAX, decide_next, &walk, 0);
	return 0;
}

/* Who is alive once all is followed. */
SEC("?iter/task")
int fxt_filter_living(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;

	if (task)
		decide(task, task->comm);
	return 0;
}
