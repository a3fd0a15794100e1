// SPDX-License-Identifier: GPL-2.0-only
/*
 * eBPF programs to compare with: nothing, only the clock, bare records to an array, events to a ring buffer; and a
 * count.
 */
#include <linux/bpf.h>
#include <stdbool.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_info {
	__u32 cpu;
};

struct task_struct {
	struct thread_info thread_info;
	int prio;
	int pid;
};

#pragma clang attribute pop

/* The contents of both kinds of event: 32 bytes. */
struct event {
	__u64 ticks;
	__u32 kind;
	__u32 cpu;
	__u32 tid[2];
	__s32 prio[2];
};

#define AREA_EVENTS	(1u << 17)
#define CPUS		64

struct area {
	__u64 head;
	__u64 reserved[7];
	struct event event[AREA_EVENTS];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct area);
} areas SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 128 << 20);
} ring SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

char LICENSE[] SEC("license") = "GPL";

static __always_inline void fill_switch(struct event *e, struct task_struct *prev,
					struct task_struct *next, unsigned int state)
{
	e->ticks = bpf_ktime_get_ns();
	e->kind = state;
	e->cpu = bpf_get_smp_processor_id();
	e->tid[0] = prev->pid;
	e->tid[1] = next->pid;
	e->prio[0] = prev->prio;
	e->prio[1] = next->prio;
}

static __always_inline void fill_waking(struct event *e, struct task_struct *task)
{
	e->ticks = bpf_ktime_get_ns();
	e->kind = ~0u;
	e->cpu = task->thread_info.cpu;
	e->tid[0] = task->pid;
	e->tid[1] = bpf_get_current_pid_tgid();
	e->prio[0] = task->prio;
	e->prio[1] = 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(empty_switch)
{
	return 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(empty_waking)
{
	return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(clock_switch)
{
	return bpf_ktime_get_ns() == 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(clock_waking)
{
	return bpf_ktime_get_ns() == 0;
}

static __always_inline int count(void)
{
	__u32 key = 0;
	__u64 *events = bpf_map_lookup_elem(&counts, &key);

	if (events)
		++*events;
	return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(count_switch)
{
	return count();
}

SEC("tp_btf/sched_waking")
int BPF_PROG(count_waking)
{
	return count();
}

/* Doesn't check for space: the oldest records are overwritten. */
static __always_inline struct event *array_next(void)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct area *area = bpf_map_lookup_elem(&areas, &cpu);

	return area ? &area->event[area->head++ & (AREA_EVENTS - 1)] : 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(array_switch, bool preempt, struct task_struct *prev, struct task_struct *next,
	     unsigned int state)
{
	struct event *e = array_next();

	if (e)
		fill_switch(e, prev, next, state);
	return 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(array_waking, struct task_struct *task)
{
	struct event *e = array_next();

	if (e)
		fill_waking(e, task);
	return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(ringbuf_switch, bool preempt, struct task_struct *prev, struct task_struct *next,
	     unsigned int state)
{
	struct event *e = bpf_ringbuf_reserve(&ring, sizeof(*e), 0);

	if (!e)
		return 0;
	fill_switch(e, prev, next, state);
	bpf_ringbuf_submit(e, BPF_RB_NO_WAKEUP);
	return 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(ringbuf_waking, struct task_struct *task)
{
	struct event *e = bpf_ringbuf_reserve(&ring, sizeof(*e), 0);

	if (!e)
		return 0;
	fill_waking(e, task);
	bpf_ringbuf_submit(e, BPF_RB_NO_WAKEUP);
	return 0;
}
