// SPDX-License-Identifier: GPL-2.0-only
/* Writes scheduling records: in the compact form where that is lossless, else as ftrace events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/perfetto/write/bundle.h"
#include "model/cpu.h"
#include "model/sched_view.h"

struct fxt_pf_cpu *fxt_pf_cpu(struct fxt_pf_file *f, __u32 cpu, int *err)
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

void fxt_pf_event_running(struct fxt_pf_file *f, const struct fxt_pf_cpu *cpu, struct fxt_pf_event *e)
{
	e->pid = cpu->running_known ? fxt_pf_id(f, cpu->running) : 0;
}

static void switch_compact(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu,
			   const struct fxt_switch_view *v, __u64 ns)
{
	struct fxt_pf_column *c = &cpu->switches;
	__u64 time = fxt_pf_time(f, ns);

	c->time[c->count] = time - c->last;
	c->last = time;
	c->state[c->count] = fxt_switch_view_prev_state(v, f->numbers);
	c->pid[c->count] = fxt_pf_id(f, v->next);
	c->prio[c->count] = v->next_prio;
	c->comm[c->count] = fxt_pf_bundle_comm(f, cpu, v->next);
	c->count++;
}

/* Adds a thread's name of the bundle as a text of an event. */
static void name_put(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, struct fxt_pf_message *m, __u32 field,
		     __u64 tid)
{
	const char *name = fxt_pf_bundle_name(cpu, fxt_pf_bundle_comm(f, cpu, tid));

	fxt_pf_message_text(m, field, name, strlen(name));
}

static void switch_full(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu,
			const struct fxt_switch_view *v, __u64 ns, bool broken)
{
	struct fxt_pf_message m;
	struct fxt_pf_event e = { .ns = ns, .field = FXT_PF_SCHED_SWITCH,
				  .flags = FXT_PF_FLAG_UNCHOSEN(v->unchosen) | (broken ? FXT_PF_FLAG_BROKEN : 0) };

	m.length = 0;
	e.pid = fxt_pf_id(f, v->prev);
	name_put(f, cpu, &m, 1, v->prev);
	fxt_pf_message_number(&m, 2, e.pid);
	fxt_pf_message_number(&m, 3, (__s64)v->prev_prio);
	fxt_pf_message_number(&m, 4, fxt_switch_view_prev_state(v, f->numbers));
	name_put(f, cpu, &m, 5, v->next);
	fxt_pf_message_number(&m, 6, fxt_pf_id(f, v->next));
	fxt_pf_message_number(&m, 7, (__s64)v->next_prio);
	fxt_pf_bundle_add(f, cpu, &e, &m);
}

/* Notes a thread's end, as its id may be reused. */
static void dead_note(struct fxt_pf_file *f, const struct fxt_switch_view *v)
{
	struct fxt_pf_thread *thread;

	if (v->preempted || (v->state != FXT_LINUX_X && v->state != FXT_LINUX_Z))
		return;
	thread = fxt_pf_thread(f, v->prev);
	if (thread)
		thread->alive = thread->announced = false;
}

/*
 * Marks a loss in the bundle of a switch where the switch before it is missing without a reported loss: else Perfetto
 * shows the CPU's earlier thread as running up to the trace's end.  1: marked; 0; -errno.
 */
static int break_say(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, const struct fxt_switch_view *v)
{
	int err;

	if (!cpu->running_known || cpu->running == v->prev || v->unchosen || cpu->lost)
		return 0;
	err = fxt_pf_bundle_flush(f, cpu);
	cpu->lost = true;
	return err ? err : 1;
}

int fxt_pf_switch(struct fxt_pf_file *f, const struct fxt_record *r)
{
	struct fxt_switch_view v;
	struct fxt_pf_cpu *cpu;
	bool follows;
	int err, broken;

	fxt_switch_view_get(&v, r);
	cpu = fxt_pf_cpu(f, v.cpu, &err);
	if (!cpu)
		return err;
	/* The compact form has no flags, and the outgoing thread is the previous incoming one. */
	follows = !v.unchosen && cpu->running_known && cpu->running == v.prev && cpu->running_prio == v.prev_prio;
	broken = break_say(f, cpu, &v);
	if (broken < 0)
		return broken;
	err = fxt_pf_bundle_ready(f, cpu, r->ticks, follows ? FXT_PF_SWITCH : FXT_PF_FULL);
	if (err)
		return err;
	if (follows)
		switch_compact(f, cpu, &v, r->ticks);
	else
		switch_full(f, cpu, &v, r->ticks, broken);
	cpu->running_known = true;
	cpu->running = v.next;
	cpu->running_prio = v.next_prio;
	cpu->running_input = r->input;
	dead_note(f, &v);
	err = fxt_pf_sleep_end(f, v.next, r->ticks);
	if (err)
		return err;
	fxt_pf_sleep_begin(f, v.prev, r->ticks);
	return cpu->blocking || v.reason.bits ? fxt_pf_blocked_put(f, cpu, &v, r->ticks) : 0;
}

static __u32 flags(const struct fxt_wakeup_view *v)
{
	static const __u32 contexts[] = { 0, FXT_PF_FLAG_SOFTIRQ, FXT_PF_FLAG_HARDIRQ, FXT_PF_FLAG_NMI };

	return contexts[fxt_context_level(v->context)] | (fxt_context_is_timer(v->context) ? FXT_PF_FLAG_TIMER : 0) |
	       (v->on_cpu ? FXT_PF_FLAG_ON_CPU : 0);
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
			const struct fxt_wakeup_view *v, __u64 ns, __u32 more)
{
	struct fxt_pf_message m;
	struct fxt_pf_event e = {
		.ns = ns,
		.pid = v->waker_known ? fxt_pf_id(f, v->waker) : 0,
		.flags = more | flags(v) | (v->waker_known ? 0 : FXT_PF_FLAG_NO_WAKER),
		.field = v->new ? FXT_PF_SCHED_WAKEUP_NEW : FXT_PF_SCHED_WAKING,
	};

	m.length = 0;
	name_put(f, cpu, &m, 1, v->thread);
	fxt_pf_message_number(&m, 2, fxt_pf_id(f, v->thread));
	fxt_pf_message_number(&m, 3, (__s64)v->prio);
	fxt_pf_message_number(&m, 5, v->target);
	fxt_pf_bundle_add(f, cpu, &e, &m);
}

/* Repeats a first wakeup of a thread that wasn't announced, as Perfetto has no state for it: for Perfetto only. */
static int first_repeat(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, const struct fxt_wakeup_view *v, __u64 ns)
{
	const struct fxt_pf_thread *thread = fxt_pf_thread(f, v->thread);
	struct fxt_wakeup_view again = *v;
	int err;

	if (!v->new || !v->waker_known || (thread && thread->announced))
		return 0;
	err = fxt_pf_bundle_ready(f, cpu, ns, FXT_PF_FULL);
	again.new = false;
	if (!err)
		wakeup_full(f, cpu, &again, ns, FXT_PF_FLAG_REPEATED);
	return err;
}

int fxt_pf_wakeup(struct fxt_pf_file *f, const struct fxt_record *r)
{
	struct fxt_wakeup_view v;
	struct fxt_pf_cpu *cpu;
	bool compact;
	int err;

	fxt_wakeup_view_get(&v, r);
	cpu = fxt_pf_cpu(f, v.cpu, &err);
	if (!cpu)
		return err;
	err = first_repeat(f, cpu, &v, r->ticks);
	if (err)
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
		wakeup_full(f, cpu, &v, r->ticks, 0);
	return fxt_pf_sleep_end(f, v.thread, r->ticks);
}

int fxt_pf_migrate(struct fxt_pf_file *f, const struct fxt_migrate_view *v, __u64 ns)
{
	struct fxt_pf_message m;
	struct fxt_pf_event e = { .ns = ns, .field = FXT_PF_SCHED_MIGRATE_TASK };
	struct fxt_pf_cpu *cpu;
	int err;

	cpu = fxt_pf_cpu(f, v->cpu, &err);
	if (!cpu)
		return err;
	err = fxt_pf_bundle_ready(f, cpu, ns, FXT_PF_FULL);
	if (err)
		return err;
	m.length = 0;
	fxt_pf_event_running(f, cpu, &e);
	name_put(f, cpu, &m, 1, v->thread);
	fxt_pf_message_number(&m, 2, fxt_pf_id(f, v->thread));
	fxt_pf_message_number(&m, 3, (__s64)v->prio);
	fxt_pf_message_number(&m, 4, v->from);
	fxt_pf_message_number(&m, 5, v->to);
	fxt_pf_bundle_add(f, cpu, &e, &m);
	return 0;
}

/* Writes a full buffer: the bundle's events came before it. */
int fxt_pf_lost(struct fxt_pf_file *f, const struct fxt_record *r)
{
	__u32 number = r->of_provider.id - FXT_PROVIDER_CPU(0);
	struct fxt_pf_cpu *cpu;
	int err = 0;

	if (r->of_provider.event || number > UINT16_MAX || fxt_provider_cpu(r->provider, &number)) {
		fxt_note(&f->c->unheld, "provider events of other providers than CPUs", 1);
		return 0;
	}
	cpu = fxt_pf_cpu(f, number, &err);
	if (!cpu)
		return err;
	if (!fxt_pf_bundle_empty(cpu))
		err = fxt_pf_bundle_flush(f, cpu);
	cpu->lost = true;
	return err;
}

int fxt_pf_newtask(struct fxt_pf_file *f, __u32 number, __u64 ns, __u64 tid, bool thread,
		   __u64 creator)
{
	struct fxt_pf_event e = { .ns = ns, .field = FXT_PF_TASK_NEWTASK, .pid = fxt_pf_id(f, creator) };
	struct fxt_pf_thread *known = fxt_pf_thread(f, tid);
	struct fxt_pf_message m;
	struct fxt_pf_cpu *cpu;
	int err;

	cpu = fxt_pf_cpu(f, number, &err);
	if (!cpu)
		return err;
	err = fxt_pf_bundle_ready(f, cpu, ns, FXT_PF_FULL);
	if (err)
		return err;
	if (known)
		known->announced = true;
	m.length = 0;
	fxt_pf_message_number(&m, 1, fxt_pf_id(f, tid));
	name_put(f, cpu, &m, 2, tid);
	fxt_pf_message_number(&m, 3, thread ? FXT_PF_CLONE_THREAD : 0);
	fxt_pf_bundle_add(f, cpu, &e, &m);
	return 0;
}

int fxt_pf_current(const struct fxt_pf_file *f, __u32 cpu, __u32 input, __u64 *tid)
{
	if (cpu >= FXT_PF_CPUS || !f->cpus[cpu] || !f->cpus[cpu]->running_known || f->cpus[cpu]->running_input != input)
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
