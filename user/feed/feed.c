// SPDX-License-Identifier: GPL-2.0-only
/* Sets up and ends a feed, reads the heads of its events, and puts its records into the sorter. */
#include <errno.h>
#include <stdlib.h>

#include "convert/skip.h"
#include "feed/feed.h"

int fxt_feed_init(struct fxt_feed *f, struct fxt_conversion *c)
{
	memset(f, 0, sizeof(*f));
	f->c = c;
	f->threads.memory.spill = f->calls.memory.spill = f->tracks.memory.spill = &c->spill;
	f->provider = fxt_reading_provider(&c->reading, "fxtrec", 6);
	return f->provider < 0 ? f->provider : 0;
}

void fxt_feed_uninit(struct fxt_feed *f)
{
	struct fxt_feed_thread *t;

	for (t = f->first; t; t = t->next)
		fxt_feed_slices_free(f, &t->slices);
	fxt_map_uninit(&f->threads, NULL);
	fxt_map_uninit(&f->calls, NULL);
	fxt_map_uninit(&f->tracks, NULL);
	free(f->cpus);
	free(f->buffers);
}

int fxt_feed_end(struct fxt_feed *f)
{
	struct fxt_feed_thread *t;
	int err = fxt_feed_lost_end(f);

	for (t = f->first; t && !err; t = t->next) {
		err = fxt_feed_thread_end(f, t);
		if (!err)
			err = fxt_feed_slices_flush(f, t);
	}
	return err;
}

int fxt_feed_seen(struct fxt_feed *f, const struct fxt_feed_event *e)
{
	struct fxt_feed_cpu *cpu = fxt_feed_cpu(f, e->cpu);
	int err = 0;

	if (!cpu)
		return -ENOMEM;
	if (cpu->lost)
		err = fxt_feed_lost_put(f, e->cpu, e->ns);
	if (!f->started)
		f->first_ns = e->ns;
	f->started = cpu->seen = true;
	f->last_ns = cpu->last_ns = e->ns;
	return err;
}

int fxt_feed_head(struct fxt_feed *f, const struct fxt_feed_event *e)
{
	struct fxt_feed_thread *t;
	int err = fxt_feed_seen(f, e);

	if (err || (!e->tgid && !e->comm.bytes))
		return err;
	t = fxt_feed_thread(f, e->tid);
	if (!t)
		return -E2BIG;
	if (e->tgid)
		err = fxt_feed_thread_process(f, t, e->tgid, e->ns);
	if (!err && e->comm.bytes)
		err = fxt_feed_thread_name(f, t, e->comm, e->ns, false);
	return err;
}

int fxt_feed_start(struct fxt_feed *f, enum fxt_event_type type, __u64 ns, __u32 tid, struct fxt_text category,
		   struct fxt_text name)
{
	struct fxt_feed_thread *t = fxt_feed_thread(f, tid);

	if (!t)
		return -E2BIG;
	fxt_build_event(&f->r, type, ns, fxt_feed_process_of(t), tid, category, name);
	return 0;
}

int fxt_feed_put_at(struct fxt_feed *f, __u64 ns, int provider)
{
	int err = provider < 0 ? provider : fxt_reading_put(&f->c->reading, &f->r, ns, provider);

	if (err != -E2BIG || provider < 0)
		return err;
	fxt_skip(f->c, "records too large to convert", 1);
	return 0;
}

int fxt_feed_put_on(struct fxt_feed *f, __u64 ns, __u32 cpu)
{
	return fxt_feed_put_at(f, ns, fxt_feed_cpu_provider(f, cpu));
}

int fxt_feed_clock(struct fxt_feed *f, __u64 ns, const char *clock, const __u64 *real)
{
	struct fxt_arg number = { .type = FXT_ARG_UINT64, .name = fxt_build_string("realtime"), .uint64 = real ? *real : 0 };
	struct fxt_record *r = &f->r;

	fxt_build_event(r, FXT_EVENT_INSTANT, ns, 0, 0, fxt_build_string("fxtrec"), fxt_build_string("clock"));
	fxt_build_arg_string(r, fxt_build_string("clock"), fxt_build_string(clock));
	/* Numbers of clocks have 64 bits, also small ones. */
	if (real) {
		r->args[r->arg_count++] = number;
		number.name = fxt_build_string(strcmp(clock, "boot") ? "monotonic" : "boottime");
		number.uint64 = ns;
		r->args[r->arg_count++] = number;
	}
	return fxt_feed_put_at(f, ns, f->provider);
}

int fxt_feed_error(struct fxt_conversion *c, const struct fxt_in *in, int err)
{
	if (err && !c->error.text[0])
		fxt_error_set(&c->error, -err, "%s: %s", in->name, err == -E2BIG ?
			      "more threads or CPUs than can be kept" : strerror(-err));
	return err;
}
