// SPDX-License-Identifier: GPL-2.0-only
/* Collects the facts that a recording reports about its machine, its clock and its losses. */
#include <errno.h>
#include <string.h>

#include "analyze/machine/origin.h"
#include "model/uncounted.h"

static int text_set(struct fxt_origin *o, const char **to, const struct fxt_record *r, const char *name)
{
	const struct fxt_arg *arg = fxt_record_arg(r, name);

	if (*to || !arg || arg->type != FXT_ARG_STRING)
		return 0;
	*to = fxt_tasks_text(&o->m->tasks, &arg->string);
	return *to ? 0 : -ENOMEM;
}

static bool text_differs(const char *text, const struct fxt_record *r, const char *name)
{
	const struct fxt_arg *arg = fxt_record_arg(r, name);

	return arg && arg->type == FXT_ARG_STRING && !fxt_text_equal(&arg->string, text);
}

static int host_read(struct fxt_origin *o, const struct fxt_record *r)
{
	int err;

	/* A machine may change its name. */
	if (o->run && fxt_record_arg(r, "boot"))
		o->mixed |= text_differs(o->run, r, "boot");
	else if (o->host)
		o->mixed |= text_differs(o->host, r, "host");
	err = text_set(o, &o->host, r, "host");

	if (!err)
		err = text_set(o, &o->run, r, "boot");
	if (!err)
		err = text_set(o, &o->release, r, "release");
	return err ? err : text_set(o, &o->arch, r, "machine");
}

/* Counts losses of records other than scheduling, which are observed as losses. */
static void other_lost(struct fxt_origin *o, const struct fxt_record *r)
{
	struct fxt_lost lost;

	if (!fxt_lost_read(&lost, r) && lost.ring != FXTREC_RING_SCHED)
		o->lost_others += lost.records;
}

static int event(void *state, const struct fxt_record *r)
{
	struct fxt_origin *o = state;
	__u64 cpu;

	if (fxt_uncounted_full(r, NULL))
		o->full_buffers++;
	if (r->kind != FXT_KIND_EVENT || !fxt_text_equal(&r->category, "fxtrec"))
		return 0;
	other_lost(o, r);
	if (fxt_text_equal(&r->name, "host"))
		return host_read(o, r);
	if (fxt_text_equal(&r->name, "backend"))
		return text_set(o, &o->backend, r, "backend");
	if (fxt_text_equal(&r->name, "processor")) {
		/* Each part of a recording lists all processors, in the order of their numbers. */
		if (!fxt_arg_number(fxt_record_arg(r, "cpu"), &cpu) && cpu >= o->processor) {
			o->processors++;
			o->processor = cpu + 1;
		}
		return text_set(o, &o->model, r, "model");
	}
	if (fxt_text_equal(&r->name, "clock")) {
		int err = text_set(o, &o->clock, r, "clock");

		/* The reader has converted the ticks. */
		if (o->clock && !strcmp(o->clock, "tsc"))
			o->clock = "mono";
		return err;
	}
	return 0;
}

static int loss(void *state, const struct fxt_loss_span *span)
{
	struct fxt_origin *o = state;
	struct fxt_origin_loss *lost;

	if (span->to < o->m->from || span->from >= o->m->events_to)
		return 0;
	lost = fxt_arena_alloc(&o->m->tasks.memory, sizeof(*lost));
	if (!lost)
		return -ENOMEM;
	lost->span = *span;
	*o->last = lost;
	o->last = &lost->next;
	o->lost_count++;
	if (span->between)
		o->between += span->to - span->from;
	o->lost_events += span->events;
	o->lost_more |= !span->events;
	return 0;
}

static const struct fxt_observer_ops facts = {
	.event = event,
};

static const struct fxt_observer_ops ops = {
	.event = event,
	.loss = loss,
};

bool fxt_origins_reasons(const struct fxt_origins *os)
{
	__u32 i;

	for (i = 0; i < os->count && !os->of[i]->m->reasons; i++)
		;
	return i < os->count;
}

void fxt_origin_init(struct fxt_origin *o, struct fxt_machine *m)
{
	*o = (struct fxt_origin){ .m = m };
	o->last = &o->first;
	fxt_machine_observe(m, &ops, o);
}

void fxt_origin_facts(struct fxt_origin *o, struct fxt_machine *m)
{
	*o = (struct fxt_origin){ .m = m };
	fxt_machine_observe(m, &facts, o);
}
