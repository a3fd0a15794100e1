// SPDX-License-Identifier: GPL-2.0-only
/* Adds losses for events that the inputs lack. */
#include <errno.h>
#include <stdlib.h>

#include "convert/hosts.h"
#include "convert/missing.h"
#include "model/cpu.h"
#include "model/holes.h"
#include "model/loss.h"

int fxt_missing_put(struct fxt_reading *reading, int provider, __u32 cpu, __u64 from, __u64 to, const char *cause)
{
	const struct fxt_loss loss = { .cpu = cpu, .from = from + 1 < to ? from + 1 : to, .to = to, .cause = cause };
	static struct fxt_record r;
	char name[FXT_LOSS_NAME];
	int err;

	fxt_loss_build_thread(&r, &loss, loss.from, name);
	err = fxt_reading_put(reading, &r, loss.from, provider);
	if (err)
		return err;
	fxt_loss_build_event(&r, &loss);
	return fxt_reading_put(reading, &r, loss.from, provider);
}

/*
 * Puts a loss on each CPU of the machine; the reading maps ids of all machines but the first, and would move the times.
 */
static int hole_put(void *conversion, __u32 machine, __u64 from, __u64 to)
{
	struct fxt_conversion *c = conversion;
	struct fxt_reading *g = &c->reading;
	const struct fxt_provider *p;
	int err = 0, i;
	__u32 cpu;

	g->host = machine ? c->hosts->list[machine].id : (struct fxt_host_id){ 0 };
	g->host.shift = 0;
	for (i = 0; (p = fxt_sorter_provider_at(c->reading.sorter, i)) && !err; i++)
		if (p->host == machine && !fxt_provider_cpu(p, &cpu))
			err = fxt_missing_put(g, i, cpu - machine * FXT_HOST_CPUS, from - !!from, to, "missing part");
	return err;
}

int fxt_missing_parts(struct fxt_conversion *c)
{
	const struct fxt_inputs *read = &c->reading.inputs;
	struct fxt_holes_input *inputs;
	__u32 i;
	int err;

	if (read->count < 2)
		return 0;
	inputs = calloc(read->count, sizeof(*inputs));
	if (!inputs)
		return -ENOMEM;
	for (i = 0; i < read->count; i++)
		inputs[i] = (struct fxt_holes_input){
			.machine = read->of[i].machines->id.number, .file = i,
			.facts = read->of[i].machines->facts, .span = read->of[i].span,
		};
	err = fxt_holes_find(inputs, read->count, hole_put, c);
	free(inputs);
	return err;
}
