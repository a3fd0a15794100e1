// SPDX-License-Identifier: GPL-2.0-only
/* The state machine from its first record to its last. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/machine/machine_put.h"
#include "analyze/machine/chain.h"
#include "analyze/machine/throttle.h"

int fxt_machine_init(struct fxt_machine *m, struct fxt_spill *spill)
{
	*m = (struct fxt_machine){ .spill = spill };
	fxt_tasks_init(&m->tasks, spill);
	m->listed.memory.spill = spill;
	m->cpus = calloc(FXT_MACHINE_CPUS, sizeof(struct fxt_cpu *));
	return m->cpus ? 0 : -ENOMEM;
}

void fxt_machine_window(struct fxt_machine *m, __u64 from, __u64 to)
{
	__u32 i;

	m->from = from > m->begin ? from : m->begin;
	m->to = to < m->end ? to : m->end;
	/* The last event is in the trace, though no time follows it. */
	m->events_to = to > m->end ? m->end + 1 : to;
	if (m->to < m->from)
		m->to = m->from;
	for (i = 0; i < m->seen_count; i++)
		m->seen[i]->switches = 0;
}

void fxt_machine_span(struct fxt_machine *m, __u64 begin, __u64 end, __u64 from, __u64 to)
{
	m->begin = m->now = begin;
	m->end = end;
	fxt_machine_window(m, from, to);
}

void fxt_machine_uninit(struct fxt_machine *m)
{
	__u32 i;

	for (i = 0; i < m->seen_count; i++) {
		fxt_gaps_uninit(&m->seen[i]->gaps, m->spill);
		fxt_gaps_uninit(&m->seen[i]->breaks, m->spill);
	}
	fxt_gaps_uninit(&m->gaps, m->spill);
	fxt_gaps_uninit(&m->shared, m->spill);
	fxt_map_uninit(&m->bandwidths, free);
	fxt_map_uninit(&m->listed, free);
	fxt_limits_uninit(&m->limits);
	fxt_map_uninit(&m->idle_states, NULL);
	fxt_wait_names_uninit(&m->wait_names);
	fxt_map_uninit(&m->sleep_texts, NULL);
	fxt_tasks_uninit(&m->tasks);
	fxt_arena_uninit(&m->cpu_memory);
	free(m->seen);
	free(m->cpus);
}

unsigned int fxt_machine_observe(struct fxt_machine *m, const struct fxt_observer_ops *ops, void *state)
{
	unsigned int i;

#define LIST(op)						\
	for (i = 0; m->observed.op[i].call; i++)		\
		;						\
	m->observed.op[i].call = ops->op;			\
	m->observed.op[i].state = state;
	FXT_OBSERVED(LIST)
	return m->observers++;
}

/* Applies a name, and the control group of a thread. */
static int object_put(struct fxt_machine *m, const struct fxt_record *r)
{
	int err = fxt_tasks_name(&m->tasks, r);
	struct fxt_task *task;
	__u64 group;

	if (err || r->object.type != FXT_OBJECT_THREAD || fxt_arg_number(fxt_record_arg(r, "cgroup_id"), &group))
		return err;
	task = fxt_tasks_get(&m->tasks, r->object.koid);
	return task && task->phase != FXT_PHASE_DEAD ? fxt_throttle_assign(m, task, group, m->now) : 0;
}

/* Puts a record that isn't brief. */
static __attribute__((noinline)) int record_put(struct fxt_machine *m, const struct fxt_record *r)
{
	union fxt_sched_view view;
	int err;

	switch (r->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
	case FXT_KIND_LEGACY_SWITCH:
		fxt_switch_view_get(&view.change, r);
		return fxt_machine_switch(m, &view.change, r->ticks);
	case FXT_KIND_WAKEUP:
		fxt_wakeup_view_get(&view.wakeup, r);
		return fxt_machine_wakeup(m, &view.wakeup, r->ticks);
	case FXT_KIND_KERNEL_OBJECT:
		err = object_put(m, r);
		return err ? err : FXT_OBSERVE(m, name, r);
	case FXT_KIND_EVENT:
		return fxt_machine_event(m, r);
	default:
		return FXT_OBSERVE(m, event, r);
	}
}

int fxt_machine_put_view(struct fxt_machine *m, enum fxt_kind kind, const union fxt_sched_view *view, __u64 ns)
{
	if (ns > m->now)
		m->now = ns;
	if (kind == FXT_KIND_EVENT)
		return fxt_machine_migrate(m, &view->migrate, ns);
	return kind == FXT_KIND_WAKEUP ? fxt_machine_wakeup(m, &view->wakeup, ns) :
					 fxt_machine_switch(m, &view->change, ns);
}

int fxt_machine_put(struct fxt_machine *m, const struct fxt_record *r)
{
	if (r->view)
		return fxt_machine_put_view(m, r->kind, r->view, r->ticks);
	if (r->timed && r->ticks > m->now)
		m->now = r->ticks;
	return record_put(m, r);
}

/*
 * Returns the phase of a thread that continues at the end.  The origin of a wakeup isn't known if the trace ends
 * before the thread runs; nor is a sleep in a trace without wakeups; nor a wait for a CPU that lacks switches.
 */
static enum fxt_phase at_end(const struct fxt_machine *m, const struct fxt_task *task)
{
	bool known = task->phase == FXT_PHASE_RUN;

	if (fxt_phase_waits(task->phase))
		known = fxt_chain_is_whole(m, m->cpus[task->cpu]);
	else if (!known)
		known = m->wakes && !task->woken;
	return known ? task->phase : FXT_PHASE_UNKNOWN;
}

static int task_close(struct fxt_machine *m, struct fxt_task *task)
{
	enum fxt_phase was = at_end(m, task);
	int err;

	/* The thread may have moved without an event, as other threads have. */
	task->strayed = m->strays;
	err = fxt_phase_end(m, task, was, m->end, false);

	return err ? err : fxt_task_finish(m, task, m->end);
}

static int tasks_close(struct fxt_machine *m)
{
	struct fxt_task *task;
	__u64 at = 0;
	int err = 0;

	while (!err && (task = fxt_tasks_next(&m->tasks, &at)))
		if (task->phase != FXT_PHASE_DEAD)
			err = task_close(m, task);
	return err;
}

int fxt_machine_end(struct fxt_machine *m)
{
	__u32 i;
	int err;

	fxt_machine_cpus_sort(m);
	err = FXT_OBSERVE(m, end);
	for (i = 0; i < m->seen_count && !err; i++) {
		err = fxt_chain_close(m, m->seen[i]);
		if (!err)
			err = fxt_stretch_end(m, m->seen[i], m->seen[i]->current, m->end);
	}
	return err ? err : tasks_close(m);
}
