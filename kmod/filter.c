// SPDX-License-Identifier: GPL-2.0-only
/* Which threads are chosen: decided anew whenever one is born, renamed or moved, never at an event. */
#include <linux/binfmts.h>
#include <linux/bitmap.h>
#include <linux/cgroup.h>
#include <linux/cpumask.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <trace/events/cgroup.h>

#include "compat/probe.h"
#include "filter.h"
#include "fxt/glob.h"
#include "probe.h"

DEFINE_STATIC_KEY_FALSE(fxt_filter_threads);
DEFINE_STATIC_KEY_FALSE(fxt_filter_cpus);
DEFINE_PER_CPU(bool, fxt_cpu_excluded);
unsigned long *fxt_filter_chosen;

/* Those of the chosen who are so by their id, or by who made them. */
static unsigned long *followed;
static struct fxtrec_filter filter;
static struct cgroup *cgroup;

bool fxt_filter_any(void)
{
	return filter.flags != 0;
}

static bool named(const char *comm)
{
	struct fxt_thread_name name = {};

	if (!(filter.flags & FXTREC_FILTER_COMM))
		return false;
	strscpy((char *)name.word, comm, sizeof(name));
	return fxt_glob_matches(&filter.comm, &name);
}

static bool within(struct task_struct *task)
{
	bool is;

	if (!cgroup)
		return false;
	rcu_read_lock();
	is = cgroup_is_descendant(task_dfl_cgroup(task), cgroup);
	rcu_read_unlock();
	return is;
}

/* Others' bits in the same word change meanwhile: atomic. */
static void assign(unsigned long *bits, u32 tid, bool on)
{
	if (on)
		set_bit(tid, bits);
	else
		clear_bit(tid, bits);
}

/* Whether the task, called comm, is chosen from now on.  Idle threads never are. */
static void decide(struct task_struct *task, const char *comm)
{
	if (task->pid)
		assign(fxt_filter_chosen, task->pid,
		       test_bit(task->pid, followed) || named(comm) || within(task));
}

/*
 * Every thread's birth comes by here, io_uring's workers included, before it is
 * in any event: so whoever had its id before is not taken for it.
 */
static void probe_born(void *data, struct task_struct *task)
{
	bool inherits = filter.flags & FXTREC_FILTER_INHERIT &&
			(test_bit(current->pid, followed) || named(current->comm));

	assign(followed, task->pid, inherits);
	decide(task, task->comm);
}

/* Comes before the task has the new name. */
static void probe_rename(void *data, struct task_struct *task, const char *comm)
{
	decide(task, comm);
}

/* A thread that calls exec takes over its process's id. */
static void probe_exec(void *data, struct task_struct *task, pid_t old_pid,
		       struct linux_binprm *binprm)
{
	if (task->pid == old_pid)
		return;
	assign(followed, task->pid, test_bit(old_pid, followed));
	decide(task, task->comm);
}

/* Comes after the move, of one thread or of a whole process. */
static void probe_attach(void *data, struct cgroup *to, const char *path,
			 struct task_struct *leader, bool threadgroup)
{
	struct task_struct *task;

	if (!threadgroup)
		return decide(leader, leader->comm);
	rcu_read_lock();
	for_each_thread(leader, task)
		decide(task, task->comm);
	rcu_read_unlock();
}

static struct fxt_probe probes[] = {
	FXT_PROBE(sched_wakeup_new, probe_born),
	FXT_PROBE(task_rename, probe_rename),
	FXT_PROBE(sched_process_exec, probe_exec),
	FXT_PROBE(cgroup_attach_task, probe_attach),
};

static int threads_init(void)
{
	fxt_filter_chosen = vzalloc(FXTREC_TIDS_MAX / BITS_PER_BYTE);
	followed = vzalloc(FXTREC_TIDS_MAX / BITS_PER_BYTE);
	if (!fxt_filter_chosen || !followed)
		return -ENOMEM;
	if (filter.flags & FXTREC_FILTER_CGROUP) {
		struct cgroup *found = cgroup_get_from_fd(filter.cgroup);

		if (IS_ERR(found))
			return PTR_ERR(found);
		cgroup = found;
	}
	static_branch_enable(&fxt_filter_threads);
	return 0;
}

static void cpus_init(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(fxt_cpu_excluded, cpu) =
			cpu >= FXTREC_CPUS_MAX || !(filter.cpus[cpu / 64] >> cpu % 64 & 1);
	static_branch_enable(&fxt_filter_cpus);
}

/* Copies it once; a structure that is larger may have nothing in what isn't known. */
static int filter_get(const void __user *from)
{
	u32 size;
	int err;

	if (get_user(size, (const u32 __user *)from))
		return -EFAULT;
	if (size < offsetofend(struct fxtrec_filter, flags) || size > PAGE_SIZE)
		return -EINVAL;
	err = copy_struct_from_user(&filter, sizeof(filter), from, size);
	if (err)
		return err;
	if (!filter.flags || filter.flags & ~FXTREC_FILTER_ALL || filter.reserved)
		return -EINVAL;
	return 0;
}

int fxt_filter_init(u64 address)
{
	int err;

	if (!address)
		return 0;
	err = filter_get(u64_to_user_ptr(address));
	if (!err && filter.flags & FXTREC_FILTER_THREADS)
		err = threads_init();
	if (err) {
		fxt_filter_uninit();
		return err;
	}
	if (filter.flags & FXTREC_FILTER_CPUS)
		cpus_init();
	return 0;
}

/* Who is alive once all is followed is decided here; who is born later, at birth. */
int fxt_filter_register(void)
{
	struct task_struct *process, *task;
	int err;

	if (!static_key_enabled(&fxt_filter_threads))
		return 0;
	err = fxt_probe_register(probes, ARRAY_SIZE(probes));
	if (err)
		return err;
	rcu_read_lock();
	for_each_process_thread(process, task)
		decide(task, task->comm);
	rcu_read_unlock();
	return 0;
}

void fxt_filter_unregister(void)
{
	if (static_key_enabled(&fxt_filter_threads))
		fxt_probe_unregister(probes, ARRAY_SIZE(probes));
}

void fxt_filter_uninit(void)
{
	static_branch_disable(&fxt_filter_threads);
	static_branch_disable(&fxt_filter_cpus);
	if (cgroup)
		cgroup_put(cgroup);
	cgroup = NULL;
	vfree(fxt_filter_chosen);
	vfree(followed);
	fxt_filter_chosen = followed = NULL;
	memset(&filter, 0, sizeof(filter));
}

int fxt_filter_follow(const struct fxtrec_follow *follow)
{
	struct task_struct *task;

	if (!fxt_filter_chosen || !follow->tid || follow->tid >= FXTREC_TIDS_MAX ||
	    follow->on > 1 || follow->reserved)
		return -EINVAL;
	assign(followed, follow->tid, follow->on);
	rcu_read_lock();
	task = pid_task(find_pid_ns(follow->tid, &init_pid_ns), PIDTYPE_PID);
	if (task)
		decide(task, task->comm);
	else
		clear_bit(follow->tid, fxt_filter_chosen);
	rcu_read_unlock();
	return 0;
}
