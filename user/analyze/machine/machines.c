// SPDX-License-Identifier: GPL-2.0-only
/* The machines of recordings that are read together. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/machine/machines.h"
#include "util/array.h"
#include "util/quantity.h"

/* Adds facts of an input that earlier inputs lack. */
static void facts_merge(struct fxt_facts *to, const struct fxt_facts *from)
{
	if (!to->host)
		to->host = from->host;
	if (!to->run)
		to->run = from->run;
	if (!to->clock)
		to->clock = from->clock;
	to->timed_by = from->timed_by;
	to->processors = to->processors || from->processors;
	to->wakeups = to->wakeups || from->wakeups;
	to->chosen_threads = to->chosen_threads || from->chosen_threads;
	if (!to->booted) {
		to->booted = from->booted;
		to->boot = from->boot;
	}
}

/*
 * Finds the machine of an input.  An input without facts belongs to the first machine that
 * has no other input of the same file.
 */
static __u32 machine_find(const struct fxt_machines *ms, const struct fxt_holes_input *input)
{
	__u32 i;

	for (i = 0; i < ms->count; i++)
		if (ms->of[i].file != input->file && fxt_facts_same(&ms->of[i].facts, &input->facts))
			break;
	return i;
}

static int machines_find(struct fxt_machines *ms, struct fxt_holes_input *inputs, __u32 count)
{
	struct fxt_machines_one *one;
	__u32 i;

	for (i = 0; i < count; i++) {
		ms->by_input[i] = machine_find(ms, &inputs[i]);
		if (ms->by_input[i] == ms->count) {
			if (fxt_array_more(ms->of, ms->count))
				return -ENOMEM;
			ms->of[ms->count++] = (struct fxt_machines_one){ 0 };
		}
		inputs[i].machine = ms->by_input[i];
		one = &ms->of[inputs[i].machine];
		one->file = inputs[i].file;
		facts_merge(&one->facts, &inputs[i].facts);
		fxt_time_span_merge(&one->span, &inputs[i].span);
		fxt_times_merge(&one->whole, &inputs[i].whole);
	}
	return 0;
}

static int hole_add(void *arg, __u32 machine, __u64 from, __u64 to)
{
	struct fxt_machines *ms = arg;
	struct fxt_machines_one *one = &ms->of[machine];
	int err = fxt_array_more(one->holes, one->hole_count);

	if (err)
		return err;
	one->holes[one->hole_count++] = (struct fxt_hole){ from, to };
	return 0;
}

/* Finds the machine with that host's name, or else with that number.  Returns 0, -ESRCH or -EEXIST. */
static int named_find(const struct fxt_machines *ms, const char *name, __u32 *number)
{
	__u64 host = fxt_facts_hash(name, strlen(name)), named;
	__u32 i, found = 0;

	for (i = 0; i < ms->count; i++)
		if (ms->of[i].facts.host == host) {
			*number = i;
			found++;
		}
	if (found)
		return found > 1 ? -EEXIST : 0;
	if (!ms->count || fxt_quantity_count(name, ms->count, &named))
		return -ESRCH;
	*number = named;
	return 0;
}

/* Keeps only one of the machines, before they are initialized. */
static int machine_choose(struct fxt_machines *ms, __u32 inputs, const char *name)
{
	__u32 number, i;
	int err = named_find(ms, name, &number);

	if (err)
		return err;
	for (i = 0; i < inputs; i++)
		ms->by_input[i] = ms->by_input[i] == number ? 0 : FXT_MACHINES_NONE;
	for (i = 0; i < ms->count; i++)
		if (i != number)
			free(ms->of[i].holes);
	ms->of[0] = ms->of[number];
	ms->count = 1;
	return 0;
}

int fxt_machines_init(struct fxt_machines *ms, struct fxt_spill *spill,
		      struct fxt_holes_input *inputs, __u32 count, const char *chosen)
{
	__u32 i;
	int err;

	*ms = (struct fxt_machines){ .by_input = calloc(count, sizeof(*ms->by_input)) };
	err = ms->by_input ? machines_find(ms, inputs, count) : -ENOMEM;
	if (!err)
		err = fxt_holes_find(inputs, count, hole_add, ms);
	if (!err && chosen)
		err = machine_choose(ms, count, chosen);
	for (i = 0; i < ms->count && !err; i++) {
		err = fxt_machine_init(&ms->of[i].m, spill);
		ms->of[i].m.tasks.machine = i;
		ms->of[i].m.tasks.keys = &ms->keys;
		if (!err)
			fxt_origin_init(&ms->of[i].origin, &ms->of[i].m);
	}
	return err;
}

void fxt_machines_recorded(struct fxt_machines *ms, __u32 input, const struct fxt_cpus *cpus, bool wakeups)
{
	struct fxt_machines_one *one = &ms->of[ms->by_input[input]];

	if (ms->by_input[input] == FXT_MACHINES_NONE)
		return;
	one->m.wakes = one->m.wakes || wakeups || one->facts.wakeups;
	if (one->facts.processors)
		return;
	fxt_cpus_merge(&one->recorded, cpus);
	one->m.recorded = &one->recorded;
	one->m.chosen_threads = one->facts.chosen_threads;
}

void fxt_machines_uninit(struct fxt_machines *ms)
{
	__u32 i;

	for (i = 0; i < ms->count; i++) {
		if (ms->of[i].m.cpus)
			fxt_machine_uninit(&ms->of[i].m);
		free(ms->of[i].holes);
	}
	free(ms->of);
	free(ms->by_input);
}

bool fxt_machines_window(struct fxt_machines *ms, const struct fxt_window *window)
{
	bool any = false;
	__u32 i;

	for (i = 0; i < ms->count; i++) {
		struct fxt_machines_one *one = &ms->of[i];
		const struct fxt_times *times = fxt_time_span_times(&one->span);
		__u64 end = times->last;

		/* Without scheduling, the trace lasts to the end of the programs' last event. */
		if (!one->span.scheduled.known && one->span.ends > end)
			end = one->span.ends;
		fxt_window_resolve(window, one->whole.first, one->whole.last, &one->from, &one->to);
		one->shown = one->from < one->to && one->from <= end && one->to > times->first;
		fxt_machine_span(&one->m, times->first, end, one->from, one->to);
		any = any || one->shown;
	}
	return any;
}

int fxt_machines_lose(struct fxt_machines_one *one, const struct fxt_record *r)
{
	int err = 0;

	while (!err && r->timed && one->hole_at < one->hole_count && r->ticks >= one->holes[one->hole_at].from) {
		const struct fxt_hole *hole = &one->holes[one->hole_at++];

		err = fxt_machine_lose(&one->m, hole->from, hole->to);
	}
	return err;
}

bool fxt_machines_mixed(const struct fxt_machines *ms)
{
	__u32 i;

	for (i = 0; i < ms->count; i++)
		if (ms->of[i].origin.mixed)
			return true;
	return false;
}
