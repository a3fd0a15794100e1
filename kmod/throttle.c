// SPDX-License-Identifier: GPL-2.0-only
/* Bandwidth throttling: kprobes on the kernel's functions that throttle control groups and threads. */
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "compat/cgroup.h"
#include "recording.h"
#include "sched.h"
#include "thread.h"
#include "throttle.h"

/* Facts of the recording's kernel; the kind is FXT_THROTTLING_UNKNOWN while nothing is recorded. */
static struct fxtrec_throttle throttle_known;

#if defined(CONFIG_KPROBES) && defined(CONFIG_CGROUP_SCHED)
/*
 * Returns the id of a group's cgroup; 0 for a session's group, which has none.  The group's first member is its state.
 */
static u64 group_id(const struct task_group *group)
{
	const struct cgroup *cgroup = ((const struct cgroup_subsys_state *)group)->cgroup;

	return cgroup ? cgroup_id(cgroup) : 0;
}

u64 fxt_cgroup_id(const struct task_struct *task)
{
	u64 id = 0;

	if (READ_ONCE(throttle_known.kind) != FXT_THROTTLING_QUEUES)
		return 0;
	rcu_read_lock();
	id = cgroup_id(task_css((struct task_struct *)task, cpu_cgrp_id)->cgroup);
	rcu_read_unlock();
	return id;
}

/* Copies a member of a structure at an offset that the tool found.  Yields false where the address isn't mapped. */
#define MEMBER(to, structure, offset) \
	(!copy_from_kernel_nofault(to, (const char *)(structure) + throttle_known.offset, sizeof(*(to))))

/*
 * Records that a group is throttled on a CPU, or no longer.  Runs with the queue's lock held, before the kernel counts.
 */
static void group_throttle(struct pt_regs *regs, bool throttled)
{
	const struct task_group *group = (void *)regs_get_kernel_argument(regs, 0);
	const void *queue = (void *)regs_get_kernel_argument(regs, 1), *const *queues, *of_group;
	struct fxtrec_area *area;
	u64 *w, ticks, head;
	unsigned long flags;
	int cpu, count;

	if (!MEMBER(&cpu, queue, queue_cpu) || (unsigned int)cpu >= nr_cpu_ids ||
	    !MEMBER(&queues, group, group_queues))
		return;
	if (throttle_known.queues_percpu)
		of_group = (const char *)queues + per_cpu_offset(cpu);
	else if (copy_from_kernel_nofault(&of_group, &queues[cpu], sizeof(of_group)))
		return;
	if (!MEMBER(&count, of_group, throttle_count) || count != !throttled)
		return;
	local_irq_save(flags);
	if (fxt_sched_slot_reserve(&area, &w, &ticks, &head)) {
		fxt_throttle_group(w, ticks, throttled, group_id(group), cpu);
		fxt_sched_slot_commit(area, head, FXT_THROTTLE_GROUP_BYTES);
	}
	local_irq_restore(flags);
}

static int enter_throttle_down(struct kprobe *probe, struct pt_regs *regs)
{
	group_throttle(regs, true);
	return 0;
}

static int enter_unthrottle_up(struct kprobe *probe, struct pt_regs *regs)
{
	group_throttle(regs, false);
	return 0;
}

/*
 * Records that the current thread is throttled.  Runs where the thread is about to enter
 * user space, before the kernel tests whether to throttle it.
 */
static int enter_throttle_work(struct kprobe *probe, struct pt_regs *regs)
{
	struct fxtrec_area *area;
	u64 *w, ticks, head;
	unsigned long flags;
	int count;

	if (!MEMBER(&count, current->se.cfs_rq, throttle_count) || !count)
		return 0;
	local_irq_save(flags);
	if (fxt_sched_slot_reserve(&area, &w, &ticks, &head)) {
		fxt_throttle_thread(w, ticks, true, current->tgid, current->pid, group_id(current->sched_task_group));
		fxt_sched_slot_commit(area, head, FXT_THROTTLE_THREAD_BYTES);
	}
	local_irq_restore(flags);
	return 0;
}

/* Names a task again.  Runs before the scheduler moves the task to its new group. */
static int enter_move_task(struct kprobe *probe, struct pt_regs *regs)
{
	const struct task_struct *task = (void *)regs_get_kernel_argument(regs, 0);
	u64 before = group_id(task->sched_task_group), id = fxt_cgroup_id(task);

	/* Session groups, which have no control group, are below the root. */
	if (id != before && !(id == 1 && !before))
		fxt_thread_rename(task);
	return 0;
}

/* Probes of kernels that throttle queues, then of both kinds, then of kernels that throttle threads. */
static struct kprobe throttle_probes[] = {
	{ .symbol_name = "sched_move_task", .pre_handler = enter_move_task },
	{ .symbol_name = "tg_unthrottle_up", .pre_handler = enter_unthrottle_up },
	{ .symbol_name = "tg_throttle_down", .pre_handler = enter_throttle_down },
	{ .symbol_name = "throttle_cfs_rq_work", .pre_handler = enter_throttle_work },
};

static struct kprobe *probes_of(u32 kind)
{
	return kind == FXT_THROTTLING_QUEUES ? throttle_probes : throttle_probes + 1;
}

static int probes_register(u32 kind)
{
	struct kprobe *probes = probes_of(kind);
	int i, err = 0;

	for (i = 0; i < 3 && !err; i++) {
		/*
		 * register_kprobe() has set the address in an earlier recording, and refuses a probe with
		 * both name and address.
		 */
		probes[i].addr = NULL;
		probes[i].flags = 0;
		err = register_kprobe(&probes[i]);
	}
	if (err)
		for (i--; i-- > 0;)
			unregister_kprobe(&probes[i]);
	return err;
}

static void probes_unregister(u32 kind)
{
	int i;

	for (i = 3; i-- > 0;)
		unregister_kprobe(&probes_of(kind)[i]);
}
#else
static int probes_register(u32 kind)
{
	return -EOPNOTSUPP;
}

static void probes_unregister(u32 kind)
{
}

u64 fxt_cgroup_id(const struct task_struct *task)
{
	return 0;
}
#endif

int fxt_throttle_register(struct fxtrec_throttle *throttle)
{
	lockdep_assert_held(&fxt_recording_lock);
	if (!throttle)
		return 0;
	if (throttle->queues_percpu > 1 ||
	    (throttle->kind != FXT_THROTTLING_QUEUES && throttle->kind != FXT_THROTTLING_THREADS))
		return -EINVAL;
	throttle_known = *throttle;
	if (probes_register(throttle->kind))
		throttle_known.kind = FXT_THROTTLING_UNKNOWN;
	throttle->kind = throttle_known.kind;
	return 0;
}

void fxt_throttle_unregister(void)
{
	if (throttle_known.kind != FXT_THROTTLING_UNKNOWN)
		probes_unregister(throttle_known.kind);
	WRITE_ONCE(throttle_known.kind, FXT_THROTTLING_UNKNOWN);
}
