// SPDX-License-Identifier: GPL-2.0-only
/* The CPUs of ftrace's text: their streams, and what they lost. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "convert/skip.h"
#include "formats/ftrace/read.h"
#include "model/loss.h"
#include "util/array.h"

struct fxt_ftrace_cpu *fxt_ftrace_cpu_new(struct fxt_ftrace_parser *p, __u32 cpu)
{
	return fxt_array_reach(p->cpus, p->cpu_room, cpu) ? NULL : &p->cpus[cpu];
}

int fxt_ftrace_cpu_provider(struct fxt_ftrace_parser *p, __u32 cpu)
{
	struct fxt_ftrace_cpu *c = fxt_ftrace_cpu(p, cpu);
	char name[32];
	int bytes;

	if (!c)
		return -ENOMEM;
	if (c->provider)
		return c->provider - 1;
	bytes = snprintf(name, sizeof(name), "fxtrec cpu %u", cpu);
	c->provider = fxt_sorter_provider(&p->c->sorter, name, bytes) + 1;
	if (c->provider > 0)
		return c->provider - 1;
	bytes = c->provider - 1;
	c->provider = 0;
	return bytes;
}

int fxt_ftrace_put_at(struct fxt_ftrace_parser *p, __u64 ns, int provider)
{
	int err = provider < 0 ? provider : fxt_sorter_put(&p->c->sorter, &p->r, ns, provider);

	if (err != -E2BIG || provider < 0)
		return err;
	fxt_skip(p->c, "records too large to convert", 1);
	return 0;
}

int fxt_ftrace_put_on(struct fxt_ftrace_parser *p, __u64 ns, __u32 cpu)
{
	return fxt_ftrace_put_at(p, ns, fxt_ftrace_cpu_provider(p, cpu));
}

int fxt_ftrace_comes(struct fxt_ftrace_parser *p, __u32 cpu, __u32 tid)
{
	struct fxt_ftrace_cpu *c = fxt_ftrace_cpu(p, cpu);

	if (!c)
		return -ENOMEM;
	c->current = tid;
	c->current_known = p->unchosen != FXT_UNCHOSEN_INCOMING;
	return 0;
}

int fxt_ftrace_runs(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_ftrace_cpu *c = fxt_ftrace_cpu(p, line->cpu);
	struct fxt_ftrace_task *t;

	if (!c)
		return -ENOMEM;
	if (p->ours || line->nobody || line->no_cpu || !c->current_known || c->current == line->tid)
		return 0;
	t = fxt_ftrace_task(p, line->tid);
	if (!t)
		return -E2BIG;
	c->current = line->tid;
	fxt_build_event(&p->r, FXT_EVENT_INSTANT, line->ns, fxt_ftrace_process_of(t), line->tid,
			fxt_build_string("fxtrec"), fxt_build_string("current"));
	return fxt_ftrace_put_on(p, line->ns, line->cpu);
}

int fxt_ftrace_lost(struct fxt_ftrace_parser *p, __u32 cpu, __u64 count)
{
	struct fxt_ftrace_cpu *c = fxt_ftrace_cpu(p, cpu);

	if (!c)
		return -ENOMEM;
	c->lost = true;
	c->current_known = false;
	c->lost_count += count;
	fxt_ftrace_handlers_end(p, cpu);
	return 0;
}

int fxt_ftrace_started(struct fxt_ftrace_parser *p, __u32 cpu)
{
	struct fxt_ftrace_cpu *c = fxt_ftrace_cpu(p, cpu);

	if (!c)
		return -ENOMEM;
	c->lost = !c->seen && p->started;
	return 0;
}

int fxt_ftrace_lost_event(struct fxt_ftrace_parser *p, __u32 cpu, __u64 ns)
{
	int provider = fxt_ftrace_cpu_provider(p, cpu);

	if (provider < 0)
		return provider;
	fxt_build(&p->r, FXT_KIND_PROVIDER_EVENT, ns);
	p->r.timed = false;
	p->r.of_provider.id = FXT_PROVIDER_CPU(cpu);
	return fxt_ftrace_put_at(p, ns, provider);
}

/* A duration on the CPU's own track, from its last event to the next: see fxt-on-linux. */
int fxt_ftrace_lost_put(struct fxt_ftrace_parser *p, __u32 cpu, __u64 ns)
{
	struct fxt_ftrace_cpu *c = fxt_ftrace_cpu(p, cpu);
	__u64 before = c->seen ? c->last_ns : p->started ? p->first_ns : ns;
	const struct fxt_loss loss = {
		.cpu = cpu,
		.from = before < ns ? before : ns,
		.to = ns,
		.cause = fxt_lost_cause(FXTREC_LOST_FULL),
		.records = c->lost_count,
	};
	char name[FXT_LOSS_NAME];
	int err = fxt_ftrace_lost_event(p, cpu, loss.from);

	if (err)
		return err;
	fxt_loss_build_thread(&p->r, &loss, fxt_ftrace_since(loss.from), name);
	err = fxt_ftrace_put_at(p, fxt_ftrace_since(loss.from), p->provider);
	if (err)
		return err;
	fxt_loss_build_event(&p->r, &loss);
	c->lost = false;
	c->lost_count = 0;
	return fxt_ftrace_put_on(p, loss.from, cpu);
}

/* Nothing says what ran behind what a CPU lost last. */
int fxt_ftrace_lost_end(struct fxt_ftrace_parser *p)
{
	__u64 end = p->last_ns;
	size_t i;
	int err = 0;

	/* Lines of several CPUs may be one CPU's behind another's. */
	for (i = 0; i < p->cpu_room; i++)
		if (p->cpus[i].last_ns > end)
			end = p->cpus[i].last_ns;
	for (i = 0; i < p->cpu_room && !err; i++)
		if (p->cpus[i].lost)
			err = fxt_ftrace_lost_put(p, i, end);
	return err;
}
