// SPDX-License-Identifier: GPL-2.0-only
/* Bandwidth throttling: the threads that may not run. */
#include <errno.h>
#include <string.h>

#include "analyze/machine/phase.h"
#include "analyze/machine/throttle.h"

/* Finds or adds a control group.  Returns NULL without memory. */

static struct fxt_bandwidth *group_get(struct fxt_machine *m, __u64 id)
{
	struct fxt_bandwidth *group = fxt_map_get(&m->bandwidths, id);

	if (group)
		return group;
	group = fxt_map_new(&m->bandwidths, id, sizeof(*group));
	if (group) {
		group->next = m->first_bandwidth;
		m->first_bandwidth = group;
	}
	return group;
}

static bool is_on(const struct fxt_bandwidth *group, __u32 cpu)
{
	return cpu / 64 < group->words && group->cpus[cpu / 64] >> cpu % 64 & 1;
}

/* Marks a group as throttled on a CPU, or not.  Returns 0 or -ENOMEM. */
static int mark(struct fxt_machine *m, struct fxt_bandwidth *group, __u32 cpu, bool on)
{
	if (is_on(group, cpu) == on)
		return 0;
	if (cpu / 64 >= group->words) {
		size_t words = 2 * (cpu / 64 + 1);
		__u64 *cpus = fxt_arena_copy(&m->cpu_memory, group->cpus, group->words * sizeof(*cpus), words * sizeof(*cpus));

		if (!cpus)
			return -ENOMEM;
		group->cpus = cpus;
		group->words = words;
	}
	group->cpus[cpu / 64] ^= 1ULL << cpu % 64;
	group->count += on ? 1 : -1;
	return 0;
}

static int begin(struct fxt_machine *m, struct fxt_task *task, __u64 ns)
{
	task->throttled = true;
	task->throttled_since = ns;
	return task->queued ? fxt_queue_change(m, task, false, ns) : 0;
}

int fxt_throttle_end(struct fxt_machine *m, struct fxt_task *task, __u64 ns)
{
	struct fxt_throttled t = {
		.task = task,
		.cpu = task->cpu,
		.begin = task->throttled_since,
		.end = fxt_phase_known(m, task, task->phase, task->since, ns),
	};

	task->throttled = false;
	t.from = t.begin > m->from ? t.begin : m->from;
	t.to = t.end < m->to ? t.end : m->to;
	if (t.from > t.to)
		t.to = t.from;
	task->throttled_ns += t.to - t.from;
	return t.begin < t.end ? FXT_OBSERVE(m, throttled, &t) : 0;
}

/*
 * Returns whether a waiting thread may not run.  Bandwidth doesn't apply to real-time and
 * deadline threads, which have priorities below FXT_PRIO_FAIR.
 */
static bool stops(const struct fxt_machine *m, const struct fxt_task *task)
{
	return fxt_phase_waits(task->phase) && task->bandwidth && task->prio >= FXT_PRIO_FAIR &&
	       (m->throttles_queues || task->stopping) && is_on(task->bandwidth, task->cpu);
}

int fxt_throttle_settle(struct fxt_machine *m, struct fxt_task *task, __u64 ns)
{
	bool now = stops(m, task);
	int err;

	if (now == task->throttled)
		return 0;
	if (now)
		return begin(m, task, ns);
	err = fxt_throttle_end(m, task, ns);
	return err || !fxt_phase_waits(task->phase) ? err : fxt_queue_change(m, task, true, ns);
}

/* Settles the members of a group: those on one CPU, or all (FXT_MACHINE_CPUS).  Returns 0 or -errno. */
static int members_settle(struct fxt_machine *m, struct fxt_bandwidth *group, __u32 cpu, bool released, __u64 ns)
{
	struct fxt_task *task;
	int err = 0;

	for (task = group->members; task && !err; task = task->member_next) {
		if (cpu != FXT_MACHINE_CPUS && task->cpu != cpu)
			continue;
		if (released)
			task->stopping = false;
		err = fxt_throttle_settle(m, task, ns);
	}
	return err;
}

void fxt_throttle_leave(struct fxt_task *task)
{
	struct fxt_task *before = task->member_before, *next = task->member_next;

	if (!task->bandwidth)
		return;
	if (!before)
		task->bandwidth->members = next;
	task->member_before = task->member_next = NULL;
	task->bandwidth = NULL;
	task->stopping = false;
	if (before)
		before->member_next = next;
	if (next)
		next->member_before = before;
}

static int join(struct fxt_machine *m, struct fxt_task *task, __u64 id)
{
	struct fxt_bandwidth *group = group_get(m, id);
	struct fxt_task *next = group ? group->members : NULL;

	if (!group)
		return -ENOMEM;
	if (next)
		next->member_before = task;
	task->bandwidth = group;
	task->member_before = NULL;
	task->member_next = next;
	group->members = task;
	return 0;
}

int fxt_throttle_assign(struct fxt_machine *m, struct fxt_task *task, __u64 id, __u64 ns)
{
	bool stopping = task->stopping;
	int err = 0;

	if (task->bandwidth != fxt_map_get(&m->bandwidths, id) || !task->bandwidth) {
		fxt_throttle_leave(task);
		if (id)
			err = join(m, task, id);
		task->stopping = stopping;
	}
	return err ? err : fxt_throttle_settle(m, task, ns);
}

int fxt_throttle_lose(struct fxt_machine *m, __u64 ns)
{
	struct fxt_bandwidth *group;
	int err = 0;

	for (group = m->first_bandwidth; group && !err; group = group->next) {
		if (!group->count)
			continue;
		memset(group->cpus, 0, group->words * sizeof(*group->cpus));
		group->count = 0;
		err = members_settle(m, group, FXT_MACHINE_CPUS, true, ns);
	}
	return err;
}

/* Reads that a group is throttled on a CPU from now on, or no longer. */
static int group_event(struct fxt_machine *m, const struct fxt_record *r, bool on)
{
	struct fxt_bandwidth *group;
	__u64 id, cpu;
	int err;

	if (fxt_arg_number(fxt_record_arg(r, "cgroup_id"), &id) || fxt_arg_number(fxt_record_arg(r, "cpu"), &cpu) ||
	    cpu >= FXT_MACHINE_CPUS)
		return 0;
	group = group_get(m, id);
	err = group ? mark(m, group, cpu, on) : -ENOMEM;
	return err ? err : members_settle(m, group, cpu, !on, r->ticks);
}

/* Reads that a thread will stop when it leaves its CPU, or may continue. */
static int thread_event(struct fxt_machine *m, const struct fxt_record *r, bool on)
{
	struct fxt_task *task = fxt_task_live(m, r->thread.thread);
	__u64 id;
	int err;

	if (!task)
		return -ENOMEM;
	if (fxt_arg_number(fxt_record_arg(r, "cgroup_id"), &id) || !id)
		return 0;
	task->stopping = on;
	err = fxt_throttle_assign(m, task, id, r->ticks);
	/* The thread runs on that CPU, so its group is throttled there. */
	if (!err && on)
		err = mark(m, task->bandwidth, task->cpu, true);
	return err ? err : fxt_throttle_settle(m, task, r->ticks);
}

int fxt_throttle_event(struct fxt_machine *m, const struct fxt_record *r)
{
	if (fxt_text_equal(&r->name, "throttle_group"))
		return group_event(m, r, true);
	if (fxt_text_equal(&r->name, "unthrottle_group"))
		return group_event(m, r, false);
	if (fxt_text_equal(&r->name, "throttle_thread"))
		return thread_event(m, r, true);
	if (fxt_text_equal(&r->name, "unthrottle_thread"))
		return thread_event(m, r, false);
	return 0;
}
