// SPDX-License-Identifier: GPL-2.0-only
/* Scheduling records: compact where that is lossless, else as ftrace events. */
#include <errno.h>
#include <stdlib.h>

#include "convert/perfetto/write_bundle.h"
#include "model/cpu.h"
#include "model/sched_view.h"

/* The CPU's state; NULL: 0 in err where the format can't hold that CPU, or -ENOMEM. */
static struct fxt_pf_cpu *cpu_of(struct fxt_pf_file *f, __u32 cpu, int *err)
{
	*err = 0;
	if (cpu >= FXT_PF_CPUS) {
		fxt_note(&f->c->unheld, "scheduling records of CPUs from 1024", 1);
		return NULL;
	}
	if (f->cpus[cpu])
		return f->cpus[cpu];
	f->cpus[cpu] = calloc(1, sizeof(*f->cpus[cpu]));
	if (f->cpus[cpu]) {
		f->cpus[cpu]->cpu = cpu;
		f->cpu_count++;
	} else {
		*err = -ENOMEM;
	}
	return f->cpus[cpu];
}

static void switch_compact(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu,
			   const struct fxt_switch_view *v, __u64 ns)
{
	struct fxt_pf_column *c = &cpu->switches;
	__u64 time = fxt_pf_time(f, ns);

	c->time[c->count] = time - c->last;
	c->last = time;
	c->state[c->count] = fxt_switch_view_prev_state(v);
	c->pid[c->count] = fxt_pf_id(f, v->next);
	c->prio[c->count] = v->next_prio;
	c->comm[c->count] = fxt_pf_bundle_comm(f, cpu, v->next);
	c->count++;
}

static void switch_full(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu,
			const struct fxt_switch_view *v, __u64 ns)
{
	struct fxt_pf_full *full = fxt_pf_bundle_full(f, cpu, ns);
	Pf__SchedSwitch *sw = &full->sw;

	pf__sched_switch__init(sw);
	full->event.sched_switch = sw;
	full->event.has_pid = sw->has_prev_pid = sw->has_prev_prio = sw->has_prev_state = true;
	sw->has_next_pid = sw->has_next_prio = true;
	full->event.pid = sw->prev_pid = fxt_pf_id(f, v->prev);
	sw->prev_prio = v->prev_prio;
	sw->prev_state = fxt_switch_view_prev_state(v);
	sw->next_pid = fxt_pf_id(f, v->next);
	sw->next_prio = v->next_prio;
	sw->prev_comm = cpu->comms[fxt_pf_bundle_comm(f, cpu, v->prev)]->text;
	sw->next_comm = cpu->comms[fxt_pf_bundle_comm(f, cpu, v->next)]->text;
}

/* The id of a thread that ended may be reused. */
static void dead_note(struct fxt_pf_file *f, const struct fxt_switch_view *v)
{
	struct fxt_pf_thread *thread;

	if (v->preempted || (v->state != FXT_LINUX_X && v->state != FXT_LINUX_Z))
		return;
	thread = fxt_pf_thread(f, v->prev);
	if (thread)
		thread->alive = false;
}

int fxt_pf_switch(struct fxt_pf_file *f, const struct fxt_record *r)
{
	struct fxt_switch_view v;
	struct fxt_pf_cpu *cpu;
	bool follows;
	int err;

	fxt_switch_view_get(&v, r);
	cpu = cpu_of(f, v.cpu, &err);
	if (!cpu)
		return err;
	/* In the compact form, the thread switched out is the one switched in before. */
	follows = cpu->running_known && cpu->running == v.prev && cpu->running_prio == v.prev_prio;
	err = fxt_pf_bundle_ready(f, cpu, r->ticks, follows ? FXT_PF_SWITCH : FXT_PF_FULL);
	if (err)
		return err;
	if (follows)
		switch_compact(f, cpu, &v, r->ticks);
	else
		switch_full(f, cpu, &v, r->ticks);
	cpu->running_known = true;
	cpu->running = v.next;
	cpu->running_prio = v.next_prio;
	dead_note(f, &v);
	return 0;
}

static __u32 flags(const struct fxt_wakeup_view *v)
{
	static const __u32 contexts[] = { 0, FXT_PF_FLAG_SOFTIRQ, FXT_PF_FLAG_HARDIRQ, FXT_PF_FLAG_NMI };

	return contexts[v->context] | (v->on_cpu ? FXT_PF_FLAG_ON_CPU : 0);
}

static void waking_compact(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu,
			   const struct fxt_wakeup_view *v, __u64 ns)
{
	struct fxt_pf_column *c = &cpu->wakings;
	__u64 time = fxt_pf_time(f, ns);

	c->time[c->count] = time - c->last;
	c->last = time;
	c->pid[c->count] = fxt_pf_id(f, v->thread);
	c->prio[c->count] = v->prio;
	c->target[c->count] = v->target;
	c->comm[c->count] = fxt_pf_bundle_comm(f, cpu, v->thread);
	c->flags[c->count] = flags(v);
	cpu->flagged |= flags(v) != 0;
	c->count++;
}

static void wakeup_full(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu,
			const struct fxt_wakeup_view *v, __u64 ns)
{
	struct fxt_pf_full *full = fxt_pf_bundle_full(f, cpu, ns);
	Pf__SchedWakeup *wakeup = &full->wakeup;

	pf__sched_wakeup__init(wakeup);
	if (v->new)
		full->event.sched_wakeup_new = wakeup;
	else
		full->event.sched_waking = wakeup;
	full->event.has_pid = v->waker_known;
	full->event.pid = v->waker_known ? fxt_pf_id(f, v->waker) : 0;
	full->event.common_flags = flags(v);
	full->event.has_common_flags = full->event.common_flags;
	wakeup->has_pid = wakeup->has_prio = wakeup->has_target_cpu = true;
	wakeup->comm = cpu->comms[fxt_pf_bundle_comm(f, cpu, v->thread)]->text;
	wakeup->pid = fxt_pf_id(f, v->thread);
	wakeup->prio = v->prio;
	wakeup->target_cpu = v->target;
}

int fxt_pf_wakeup(struct fxt_pf_file *f, const struct fxt_record *r)
{
	struct fxt_wakeup_view v;
	struct fxt_pf_cpu *cpu;
	bool compact;
	int err;

	fxt_wakeup_view_get(&v, r);
	cpu = cpu_of(f, v.cpu, &err);
	if (!cpu)
		return err;
	/* In the compact form, the waker is the running thread, and priorities have 16 bits. */
	compact = !v.new && v.waker_known && cpu->running_known && cpu->running == v.waker &&
		  v.prio == (__u16)v.prio;
	err = fxt_pf_bundle_ready(f, cpu, r->ticks, compact ? FXT_PF_WAKING : FXT_PF_FULL);
	if (err)
		return err;
	if (compact)
		waking_compact(f, cpu, &v, r->ticks);
	else
		wakeup_full(f, cpu, &v, r->ticks);
	return 0;
}

int fxt_pf_migrate(struct fxt_pf_file *f, const struct fxt_migrate_view *v, __u64 ns)
{
	Pf__SchedMigrateTask *migrate;
	struct fxt_pf_full *full;
	struct fxt_pf_cpu *cpu;
	int err;

	cpu = cpu_of(f, v->cpu, &err);
	if (!cpu)
		return err;
	err = fxt_pf_bundle_ready(f, cpu, ns, FXT_PF_FULL);
	if (err)
		return err;
	full = fxt_pf_bundle_full(f, cpu, ns);
	migrate = &full->migrate;
	pf__sched_migrate_task__init(migrate);
	full->event.sched_migrate_task = migrate;
	full->event.has_pid = cpu->running_known;
	full->event.pid = cpu->running_known ? fxt_pf_id(f, cpu->running) : 0;
	migrate->has_pid = migrate->has_prio = migrate->has_orig_cpu = migrate->has_dest_cpu = true;
	migrate->comm = cpu->comms[fxt_pf_bundle_comm(f, cpu, v->thread)]->text;
	migrate->pid = fxt_pf_id(f, v->thread);
	migrate->prio = v->prio;
	migrate->orig_cpu = v->from;
	migrate->dest_cpu = v->to;
	return 0;
}

/* A full buffer: the bundle's events came before. */
int fxt_pf_lost(struct fxt_pf_file *f, const struct fxt_record *r)
{
	__u32 number = r->of_provider.id - FXT_PROVIDER_CPU(0);
	struct fxt_pf_cpu *cpu;
	int err = 0;

	if (r->of_provider.event || number > UINT16_MAX || fxt_provider_cpu(r->provider, &number)) {
		fxt_note(&f->c->unheld, "provider events of other providers than CPUs", 1);
		return 0;
	}
	cpu = cpu_of(f, number, &err);
	if (!cpu)
		return err;
	if (!fxt_pf_bundle_empty(cpu))
		err = fxt_pf_bundle_flush(f, cpu);
	cpu->lost = true;
	return err;
}

int fxt_pf_newtask(struct fxt_pf_file *f, __u32 number, __u64 ns, __u64 tid,
		   bool thread)
{
	struct fxt_pf_full *full;
	struct fxt_pf_cpu *cpu;
	int err;

	cpu = cpu_of(f, number, &err);
	if (!cpu)
		return err;
	err = fxt_pf_bundle_ready(f, cpu, ns, FXT_PF_FULL);
	if (err)
		return err;
	full = fxt_pf_bundle_full(f, cpu, ns);
	pf__task_newtask__init(&full->task);
	full->event.task_newtask = &full->task;
	full->event.has_pid = full->task.has_pid = full->task.has_clone_flags = true;
	full->event.pid = fxt_pf_id(f, cpu->running);
	full->task.pid = fxt_pf_id(f, tid);
	full->task.clone_flags = thread ? FXT_PF_CLONE_THREAD : 0;
	full->task.comm = cpu->comms[fxt_pf_bundle_comm(f, cpu, tid)]->text;
	return 0;
}

int fxt_pf_current(const struct fxt_pf_file *f, __u32 cpu, __u64 *tid)
{
	if (cpu >= FXT_PF_CPUS || !f->cpus[cpu] || !f->cpus[cpu]->running_known)
		return -ENOENT;
	*tid = f->cpus[cpu]->running;
	return 0;
}

int fxt_pf_sched_flush(struct fxt_pf_file *f)
{
	int err = 0;
	__u32 i;

	for (i = 0; i < FXT_PF_CPUS && !err; i++)
		if (f->cpus[i])
			err = fxt_pf_bundle_flush(f, f->cpus[i]);
	return err;
}

void fxt_pf_sched_free(struct fxt_pf_file *f)
{
	__u32 i;

	for (i = 0; i < FXT_PF_CPUS; i++)
		if (f->cpus[i])
			fxt_pf_bundle_free(f, f->cpus[i]);
}
