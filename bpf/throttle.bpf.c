// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bandwidth throttling: programs on the kernel's functions that throttle a control group on a CPU and end
 * that, that throttle a thread, and that move a thread to another group.  The programs are kprobes, since
 * attaching by a trampoline (fentry) waits, without a way to interrupt it, until each task of the machine
 * has left its CPU once.  On a kernel that has no kprobes and throttles threads, three tracepoints serve
 * instead: a switch shows a throttled thread, and timers and calls from other CPUs end the throttling.
 */
#include <asm/ptrace.h>

#include "kernel.h"
#include "sched.h"
#include "thread.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#include "fxt/throttle.h"

/* Set if a group's queues are per-CPU memory; before the programs are loaded. */
const volatile __u32 fxt_queues_percpu;

/*
 * Returns a group's queue on the CPU of a run queue.  The distance of per-CPU memory from its
 * pointer is the same for all groups: that of the root group's queue, which is in the run queue.
 */
static __always_inline const struct cfs_rq *queue_of(const struct task_group *group, const struct rq *queue, __u32 cpu)
{
	const struct task_group *root = BPF_CORE_READ(queue, cfs.tg);
	struct cfs_rq *const *queues = BPF_CORE_READ(group, cfs_rq), *found = 0;

	if (fxt_queues_percpu)
		return (const void *)queues + ((const void *)&queue->cfs - (const void *)BPF_CORE_READ(root, cfs_rq));
	bpf_probe_read_kernel(&found, sizeof(found), queues + cpu);
	return found;
}

/* Counts an event that can't be recorded as lost. */
static __noinline int lose(void)
{
	struct fxtrec_area *area = fxt_area();

	if (area)
		fxt_sched_nested(&area->ring[FXTREC_RING_SCHED], fxt_clock());
	return 0;
}

/*
 * Records that a group is throttled on a CPU, or no longer.  Runs with the queue's lock held, before the kernel
 * counts: the kernel calls the function for each group below a throttled one, too, and throttle_count is the number of
 * throttled groups among the group and its ancestors.
 */
static __noinline int group_throttle(const struct task_group *group, const struct rq *queue, int throttled)
{
	__u32 cpu = BPF_CORE_READ(queue, cpu);
	const struct cfs_rq *of = queue_of(group, queue, cpu);
	struct fxtrec_area *area;
	__u64 ticks, head, *w;

	if (BPF_CORE_READ(of, tg) != group)
		return lose();
	if (BPF_CORE_READ(of, throttle_count) != !throttled)
		return 0;
	w = reserve(&area, &ticks, &head);
	if (!w)
		return 0;
	fxt_throttle_group(w, ticks, throttled, BPF_CORE_READ(group, css.cgroup, kn, id), cpu);
	commit(area, head, FXT_THROTTLE_GROUP_BYTES);
	return 0;
}

static __always_inline int thread_record(const struct task_struct *task, int throttled)
{
	struct fxtrec_area *area;
	__u64 ticks, head, *w = reserve(&area, &ticks, &head);

	if (!w)
		return 0;
	fxt_throttle_thread(w, ticks, throttled, BPF_CORE_READ(task, tgid), BPF_CORE_READ(task, pid),
			    BPF_CORE_READ(task, sched_task_group, css.cgroup, kn, id));
	commit(area, head, FXT_THROTTLE_THREAD_BYTES);
	return 0;
}

/*
 * Records that the current thread is throttled.  Runs where the thread is about to enter
 * user space, before the kernel tests whether to throttle it.
 */
static __noinline int thread_throttle(void)
{
	const struct task_struct *task = bpf_get_current_task_btf();

	return BPF_CORE_READ(task, se.cfs_rq, throttle_count) ? thread_record(task, 1) : 0;
}

/*
 * Names a task again.  Runs before the scheduler moves the task to its new group.  Session
 * groups, which have no control group, are below the root.
 */
static __noinline int thread_move(const struct task_struct *task)
{
	__u64 before = BPF_CORE_READ(task, sched_task_group, css.cgroup, kn, id), id = fxt_cgroup_id(task);

	return id == before || (id == 1 && !before) ? 0 : fxt_thread_emit(task, task->comm, fxt_clock());
}

SEC("?kprobe/tg_throttle_down")
int BPF_KPROBE(fxt_group_throttle, struct task_group *group, struct rq *queue)
{
	return group_throttle(group, queue, 1);
}

SEC("?kprobe/tg_unthrottle_up")
int BPF_KPROBE(fxt_group_unthrottle, struct task_group *group, struct rq *queue)
{
	return group_throttle(group, queue, 0);
}

SEC("?kprobe/throttle_cfs_rq_work")
int BPF_KPROBE(fxt_thread_throttle)
{
	return thread_throttle();
}

SEC("?kprobe/sched_move_task")
int BPF_KPROBE(fxt_thread_move, struct task_struct *task)
{
	return thread_move(task);
}

/* Threads that a CPU has throttled.  Used with interrupts off, on that CPU. */
#define STOPPED_MAX	256u
struct stopped {
	__u32 count;
	const struct task_struct *task[STOPPED_MAX];
};
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct stopped);
} throttle_stopped SEC(".maps");

static __always_inline struct stopped *stopped_threads(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&throttle_stopped, &zero);
}

/* Records that the outgoing thread is throttled; counts a lost event if the list has no space for the thread. */
SEC("?tp_btf/sched_switch")
int BPF_PROG(fxt_throttle_switch, bool preempt, struct task_struct *prev, struct task_struct *next,
	     unsigned int prev_state)
{
	struct stopped *stopped;

	if ((prev_state && !preempt) || !prev->throttled)
		return 0;
	stopped = stopped_threads();
	if (stopped && stopped->count < STOPPED_MAX) {
		stopped->task[stopped->count & (STOPPED_MAX - 1)] = prev;
		stopped->count++;
		return thread_record(prev, 1);
	}
	return lose();
}

/* State of the loop over throttled threads.  The loop changes no member, so that the verifier sees equal iterations. */
struct stopped_cursor {
	struct stopped *stopped;
	__u32 count;		/* number of threads before the loop */
};

/*
 * Tests the thread before that of the last iteration; for bpf_loop().  All threads after it
 * were tested, so the last thread of the list can replace it.
 */
static long release_next(__u32 i, struct stopped_cursor *c)
{
	struct stopped *stopped = c->stopped;
	__u32 at = (c->count - 1 - i) & (STOPPED_MAX - 1);
	const struct task_struct *task = stopped->task[at];

	if (BPF_CORE_READ(task, throttled))
		return 0;
	thread_record(task, 0);
	stopped->task[at] = stopped->task[--stopped->count & (STOPPED_MAX - 1)];
	return 0;
}

/*
 * Records the ends of throttling.  Runs after a timer's function, or a function that another
 * CPU called, which may have ended the throttling of threads.
 */
static __noinline int release(void)
{
	struct stopped_cursor c = { .stopped = stopped_threads() };

	if (!c.stopped || !c.stopped->count)
		return 0;
	c.count = c.stopped->count;
	bpf_loop(c.count, release_next, &c, 0);
	return 0;
}

SEC("?tp_btf/hrtimer_expire_exit")
int fxt_throttle_timer(void *ctx)
{
	return release();
}

SEC("?tp_btf/csd_function_exit")
int fxt_throttle_call(void *ctx)
{
	return release();
}
