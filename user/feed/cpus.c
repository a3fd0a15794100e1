// SPDX-License-Identifier: GPL-2.0-only
/* Keeps the CPUs of a feed: their streams and their losses. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "feed/feed.h"
#include "model/loss.h"
#include "util/array.h"

struct fxt_feed_cpu *fxt_feed_cpu_new(struct fxt_feed *f, __u32 cpu)
{
	return fxt_array_reach(f->cpus, f->cpu_room, cpu) ? NULL : &f->cpus[cpu];
}

int fxt_feed_cpu_provider(struct fxt_feed *f, __u32 cpu)
{
	struct fxt_feed_cpu *c = fxt_feed_cpu(f, cpu);
	char name[32];
	int bytes;

	if (!c)
		return -ENOMEM;
	if (c->provider)
		return c->provider - 1;
	bytes = snprintf(name, sizeof(name), "fxtrec cpu %u", cpu);
	c->provider = fxt_reading_provider(&f->c->reading, name, bytes) + 1;
	if (c->provider > 0)
		return c->provider - 1;
	bytes = c->provider - 1;
	c->provider = 0;
	return bytes;
}

int fxt_feed_runs(struct fxt_feed *f, const struct fxt_feed_event *e)
{
	struct fxt_feed_cpu *c = fxt_feed_cpu(f, e->cpu);
	int err;

	if (!c)
		return -ENOMEM;
	if (f->ours || e->nobody || e->no_cpu || !c->current_known || c->current == e->tid)
		return 0;
	err = fxt_feed_start(f, FXT_EVENT_INSTANT, e->ns, e->tid, fxt_build_string("fxtrec"),
			     fxt_build_string("current"));
	c->current = e->tid;
	return err ? err : fxt_feed_put_on(f, e->ns, e->cpu);
}

int fxt_feed_lost(struct fxt_feed *f, __u32 cpu, __u64 count)
{
	struct fxt_feed_cpu *c = fxt_feed_cpu(f, cpu);

	if (!c)
		return -ENOMEM;
	c->lost = true;
	c->current_known = false;
	c->lost_count += count;
	fxt_feed_handlers_end(f, cpu);
	return 0;
}

int fxt_feed_overwritten(struct fxt_feed *f, __u32 cpu)
{
	struct fxt_feed_cpu *c = fxt_feed_cpu(f, cpu);

	if (!c)
		return -ENOMEM;
	c->lost = !c->seen && f->started;
	return 0;
}

int fxt_feed_lost_event(struct fxt_feed *f, __u32 cpu, __u64 ns)
{
	int provider = fxt_feed_cpu_provider(f, cpu);

	if (provider < 0)
		return provider;
	fxt_build(&f->r, FXT_KIND_PROVIDER_EVENT, ns);
	f->r.timed = false;
	f->r.of_provider.id = FXT_PROVIDER_CPU(cpu);
	return fxt_feed_put_at(f, ns, provider);
}

/* Puts a duration on the CPU's own track, from its last event to the next: see fxt-on-linux. */
int fxt_feed_lost_put(struct fxt_feed *f, __u32 cpu, __u64 ns)
{
	struct fxt_feed_cpu *c = fxt_feed_cpu(f, cpu);
	__u64 before = c->seen ? c->last_ns : f->started ? f->first_ns : ns;
	const struct fxt_loss loss = {
		.cpu = cpu,
		.from = before < ns ? before : ns,
		.to = ns,
		.cause = fxt_lost_cause(FXTREC_LOST_FULL),
		.records = c->lost_count,
	};
	char name[FXT_LOSS_NAME];
	int err = fxt_feed_lost_event(f, cpu, loss.from);

	if (err)
		return err;
	fxt_loss_build_thread(&f->r, &loss, fxt_feed_since(loss.from), name);
	err = fxt_feed_put_at(f, fxt_feed_since(loss.from), f->provider);
	if (err)
		return err;
	fxt_loss_build_event(&f->r, &loss);
	c->lost = false;
	c->lost_count = 0;
	return fxt_feed_put_on(f, loss.from, cpu);
}

/* Puts losses without a later event: they last to the end. */
int fxt_feed_lost_end(struct fxt_feed *f)
{
	__u64 end = f->last_ns;
	size_t i;
	int err = 0;

	/* The events of one CPU may follow those of another. */
	for (i = 0; i < f->cpu_room; i++)
		if (f->cpus[i].last_ns > end)
			end = f->cpus[i].last_ns;
	for (i = 0; i < f->cpu_room && !err; i++)
		if (f->cpus[i].lost)
			err = fxt_feed_lost_put(f, i, end);
	return err;
}
