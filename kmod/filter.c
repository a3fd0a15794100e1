// SPDX-License-Identifier: GPL-2.0-only
/* The filter in the module: probes on creation, renaming and moving of threads. */
#include <linux/atomic.h>
#include <linux/binfmts.h>
#include <linux/bitmap.h>
#include <linux/cpumask.h>
#include <linux/lockdep.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "compat/cgroup.h"
#include "compat/probe.h"
#include "filter.h"
#include "info.h"
#include "recording.h"
#include "probe.h"

DEFINE_STATIC_KEY_FALSE(fxt_filter_threads);
DEFINE_STATIC_KEY_FALSE(fxt_filter_cpus);
struct fxt_filter_set *fxt_filter_sets;
struct fxt_filter_queues *fxt_filter_queues;
struct fxt_filter_cpu __percpu *fxt_filter_cpu;

static struct fxtrec_filter filter;
static struct cgroup *cgroup;
static u32 followed_process;

static void bits_set(u64 *word, u64 bits)
{
	atomic64_or(bits, (atomic64_t *)word);
}

static void bits_clear(u64 *word, u64 bits)
{
	atomic64_andnot(bits, (atomic64_t *)word);
}

#define FXT_FILTER_FLAGS	filter.flags
#define FXT_FILTER_GLOB		(&filter.comm)
#define FXT_FILTER_SET_BITS(word, bits)		bits_set(word, bits)
#define FXT_FILTER_CLEAR_BITS(word, bits)	bits_clear(word, bits)
#define FXT_FILTER_PROCESS	READ_ONCE(followed_process)
#define FXT_FILTER_NAME(name, comm)	strscpy((char *)(name)->word, comm, sizeof(*(name)))

#include "fxt/chosen.h"

bool fxt_filter_any(void)
{
	return filter.flags != 0;
}

static bool in_cgroup(struct task_struct *task)
{
	bool in;

	if (!cgroup)
		return false;
	rcu_read_lock();
	in = cgroup_is_descendant(task_dfl_cgroup(task), cgroup);
	rcu_read_unlock();
	return in;
}

static void decide(struct task_struct *task, const char *comm)
{
	struct fxt_info_slot s;

	if (!fxt_chosen_decide(task->pid, comm, in_cgroup(task)) || !fxt_info_reserve(&s, FXT_CHOSEN_END_BYTES))
		return;
	fxt_chosen_end_write(s.w, s.ticks, task->pid, task->tgid);
	fxt_info_commit(&s);
}

static void probe_created(void *data, struct task_struct *task)
{
	fxt_chosen_created(task->pid, current->pid, current->tgid, current->comm);
	fxt_chosen_decide(task->pid, task->comm, in_cgroup(task));
}

/* Runs before the task has the new name. */
static void filter_rename(void *data, struct task_struct *task, const char *comm)
{
	decide(task, comm);
}

static void probe_exec(void *data, struct task_struct *task, pid_t old_pid,
		       struct linux_binprm *binprm)
{
	if (task->pid == old_pid)
		return;
	fxt_chosen_exec(task->pid, old_pid);
	decide(task, task->comm);
}

/* Runs after a thread or a whole process was moved. */
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
	FXT_PROBE(sched_wakeup_new, probe_created),
	FXT_PROBE(task_rename, filter_rename),
	FXT_PROBE(sched_process_exec, probe_exec),
	FXT_PROBE(cgroup_attach_task, probe_attach),
};

/*
 * Returns the number of probes.  The last probe serves only a filter of a cgroup: not every kernel has its tracepoint.
 */
static unsigned int probe_count(void)
{
	return ARRAY_SIZE(probes) - !cgroup;
}

static int threads_init(void)
{
	fxt_filter_sets = vzalloc(FXT_FILTER_SETS * sizeof(*fxt_filter_sets));
	fxt_filter_queues = vzalloc(sizeof(*fxt_filter_queues));
	/* Other CPUs write to it: no line of the cache has two of them. */
	fxt_filter_cpu = __alloc_percpu(sizeof(*fxt_filter_cpu), SMP_CACHE_BYTES);
	if (!fxt_filter_sets || !fxt_filter_queues || !fxt_filter_cpu)
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
		per_cpu(fxt_cpu, cpu).excluded =
			!(filter.cpus[cpu / 64] >> cpu % 64 & 1);
	static_branch_enable(&fxt_filter_cpus);
}

int fxt_filter_init(const struct fxtrec_filter *given)
{
	int err = 0;

	if (!given)
		return 0;
	if (!given->flags || given->flags & ~FXTREC_FILTER_ALL || given->reserved)
		return -EINVAL;
	filter = *given;
	if (filter.flags & FXTREC_FILTER_THREADS)
		err = threads_init();
	if (err) {
		fxt_filter_uninit();
		return err;
	}
	if (filter.flags & FXTREC_FILTER_CPUS)
		cpus_init();
	return 0;
}

/* Registers the probes, which decide about new threads; then decides about the existing threads. */
int fxt_filter_register(void)
{
	struct task_struct *process, *task;
	int err;

	lockdep_assert_held(&fxt_recording_lock);
	if (!static_key_enabled(&fxt_filter_threads))
		return 0;
	err = fxt_probe_register(probes, probe_count());
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
		fxt_probe_unregister(probes, probe_count());
}

void fxt_filter_uninit(void)
{
	static_branch_disable(&fxt_filter_threads);
	static_branch_disable(&fxt_filter_cpus);
	if (cgroup)
		cgroup_put(cgroup);
	cgroup = NULL;
	vfree(fxt_filter_sets);
	vfree(fxt_filter_queues);
	free_percpu(fxt_filter_cpu);
	fxt_filter_sets = NULL;
	fxt_filter_queues = NULL;
	fxt_filter_cpu = NULL;
	memset(&filter, 0, sizeof(filter));
}

/* Follows a thread from a process's list.  Returns 1 if the thread lives, else 0. */
static int follow_listed(struct task_struct *task)
{
	if (task->exit_state)
		return 0;
	fxt_chosen_assign(FXT_FILTER_FOLLOWED, task->pid, 1);
	/* If the thread has ended, another thread may have its id. */
	if (!READ_ONCE(task->thread_pid))
		fxt_chosen_assign(FXT_FILTER_FOLLOWED, task->pid, 0);
	decide(task, task->comm);
	return 1;
}

/*
 * Follows all threads of a process: the existing threads from its list, and new threads by
 * the probe of creation.  Returns the number of living threads.
 */
static int follow_process(struct task_struct *leader)
{
	struct task_struct *task;
	int living = 0;

	/* Pairs with the locks between a new thread's entry into the list and its probe. */
	smp_store_mb(followed_process, leader->tgid);
	for_each_thread(leader, task)
		living += follow_listed(task);
	WRITE_ONCE(followed_process, 0);
	return living;
}

int fxt_filter_follow(const struct fxtrec_follow *follow)
{
	struct task_struct *task;
	int living = 0;

	lockdep_assert_held(&fxt_recording_lock);
	if (!fxt_filter_sets || !follow->tid || follow->tid >= FXTREC_TIDS_MAX || follow->on > 1 ||
	    follow->flags & ~FXTREC_FOLLOW_PROCESS || follow->flags > follow->on)
		return -EINVAL;
	if (!follow->flags)
		fxt_chosen_assign(FXT_FILTER_FOLLOWED, follow->tid, follow->on);
	rcu_read_lock();
	task = pid_task(find_pid_ns(follow->tid, &init_pid_ns), PIDTYPE_PID);
	if (task && follow->flags)
		living = follow_process(task);
	else if (task)
		decide(task, task->comm);
	else
		fxt_chosen_assign(FXT_FILTER_CHOSEN, follow->tid, 0);
	rcu_read_unlock();
	return living;
}

int fxt_filter_followed(unsigned long below)
{
	unsigned long size = min_t(unsigned long, below, FXTREC_TIDS_MAX), last;

	lockdep_assert_held(&fxt_recording_lock);
	if (!fxt_filter_sets)
		return -EINVAL;
	last = find_last_bit((unsigned long *)fxt_filter_sets[FXT_FILTER_FOLLOWED].word, size);
	return last < size ? last : 0;
}
