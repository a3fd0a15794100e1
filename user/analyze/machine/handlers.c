// SPDX-License-Identifier: GPL-2.0-only
/* Handlers of interrupts that run on CPUs, and the states of idle CPUs. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analyze/machine/chain.h"
#include "analyze/machine/handlers.h"
#include "fxt/events.h"

/* Ends a CPU's stretch where a handler or an idle state starts or ends, and lists the CPU as one that has had some. */
static int handling_change(struct fxt_machine *m, struct fxt_cpu *cpu, __u64 ns)
{
	int err = fxt_chain_check(m, cpu, ns);

	if (!cpu->handling_next) {
		cpu->handling_next = m->handling ? m->handling : cpu;
		m->handling = cpu;
	}
	return err ? err : fxt_stretch_end(m, cpu, cpu->current, ns);
}

int fxt_handlers_lose(struct fxt_machine *m, struct fxt_cpu *cpu, __u64 ns)
{
	int err = fxt_cpu_interrupt(cpu) ? fxt_chain_check(m, cpu, ns) : 0;

	if (!err && fxt_cpu_interrupt(cpu))
		err = fxt_stretch_end(m, cpu, cpu->current, ns);
	memset(cpu->interrupt, 0, sizeof(cpu->interrupt));
	return err;
}

int fxt_handlers_lose_all(struct fxt_machine *m, __u64 ns)
{
	struct fxt_cpu *cpu;
	int err = 0;

	while (!err && (cpu = m->handling)) {
		m->handling = cpu->handling_next == cpu ? NULL : cpu->handling_next;
		cpu->handling_next = NULL;
		err = fxt_handlers_lose(m, cpu, ns);
	}
	return err;
}

int fxt_handlers_event(struct fxt_machine *m, const struct fxt_record *r)
{
	__u64 track = (r->thread.thread - FXT_KOID_TRACK(0, 0)) >> 16;
	bool begins = r->event.type == FXT_EVENT_DURATION_BEGIN;
	enum fxt_interrupt kind;
	struct fxt_cpu *cpu;
	int err;

	if (r->thread.thread < FXT_KOID_TRACK(0, 0) || track > FXT_TRACK_SOFTIRQ ||
	    (!begins && r->event.type != FXT_EVENT_DURATION_END))
		return 0;
	kind = track == FXT_TRACK_IRQ ? FXT_INTERRUPT_IRQ : FXT_INTERRUPT_SOFTIRQ;
	cpu = fxt_cpu_get(m, r->thread.thread & 0xffff);
	err = cpu ? handling_change(m, cpu, r->ticks) : -ENOMEM;
	if (err)
		return err;
	cpu->interrupt[kind] = begins ? fxt_tasks_text(&m->tasks, &r->name) : NULL;
	return begins && !cpu->interrupt[kind] ? -ENOMEM : 0;
}

int fxt_handlers_states(struct fxt_machine *m, __u64 cpu, const struct fxt_text *names)
{
	const char *text = fxt_tasks_text(&m->tasks, names);

	return !text || fxt_map_put(&m->idle_states, cpu + 1, (void *)text) ? -ENOMEM : 0;
}

/* Returns the name of an idle state of a CPU, "state 3" if it isn't known; NULL: -ENOMEM. */
static const char *idle_name(struct fxt_machine *m, const struct fxt_cpu *cpu, __u64 state)
{
	const char *name = fxt_map_get(&m->idle_states, cpu->id + 1);
	char text[32];
	__u64 i;

	for (i = 0; name && i < state; i++) {
		name = strchr(name, ' ');
		name += !!name;
	}
	if (!name || !*name || *name == ' ' || *name == '?') {
		snprintf(text, sizeof(text), "state %llu", state);
		return fxt_tasks_string(&m->tasks, text);
	}
	return fxt_tasks_text(&m->tasks, &(struct fxt_text){ .bytes = name, .length = strcspn(name, " ") });
}

int fxt_handlers_idle(struct fxt_machine *m, const struct fxt_record *r)
{
	struct fxt_cpu *cpu = r->event.id < FXT_MACHINE_CPUS ? m->cpus[r->event.id] : NULL;
	const struct fxt_arg *state = fxt_record_arg(r, "state");
	bool begins = state && state->type == FXT_ARG_INT32 && state->int32 >= 0;
	int err;

	/* Handlers run as part of the idle thread: its state ends no later than its run. */
	if (r->event.type != FXT_EVENT_COUNTER || !fxt_text_equal(&r->name, "cpu_idle") || !cpu)
		return 0;
	err = handling_change(m, cpu, r->ticks);
	if (err)
		return err;
	cpu->interrupt[FXT_INTERRUPT_IDLE] = begins && cpu->current == &cpu->idle ? idle_name(m, cpu, state->int32) : NULL;
	return begins && cpu->current == &cpu->idle && !cpu->interrupt[FXT_INTERRUPT_IDLE] ? -ENOMEM : 0;
}
