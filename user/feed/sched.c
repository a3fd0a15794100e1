// SPDX-License-Identifier: GPL-2.0-only
/* Puts switches, wakeups, migrations and samples. */
#include <errno.h>

#include "feed/feed.h"

static struct fxt_feed_thread *thread_of(struct fxt_feed *f, __u32 tid, struct fxt_span comm, __u64 ns, int *err)
{
	struct fxt_feed_thread *t = fxt_feed_thread(f, tid);

	*err = t ? fxt_feed_thread_name(f, t, comm, ns, true) : -E2BIG;
	return *err ? NULL : t;
}

/* Puts a view in brief, as there are many of them. */
static int view_put(struct fxt_feed *f, enum fxt_kind kind, const union fxt_sched_view *view,
		    const struct fxt_feed_event *e)
{
	int provider = fxt_feed_cpu_provider(f, e->cpu);
	struct fxt_reading *reading = &f->c->reading;

	/* Events of the same microsecond are in order; events of the same nanosecond are simultaneous. */
	f->exact |= e->ns % 1000 != 0;
	fxt_reading_input(reading)->ordered = !f->exact;
	return provider < 0 ? provider : fxt_reading_put_view(reading, kind, view, e->ns, provider);
}

/* Notes that a switch puts a thread on a CPU. */
static int comes(struct fxt_feed *f, __u32 cpu, const struct fxt_switch_view *view)
{
	struct fxt_feed_cpu *c = fxt_feed_cpu(f, cpu);

	if (!c)
		return -ENOMEM;
	c->current = view->next;
	c->current_known = view->unchosen != FXT_UNCHOSEN_INCOMING;
	return 0;
}

int fxt_feed_switch(struct fxt_feed *f, const struct fxt_feed_event *e, const struct fxt_switch_view *view,
		    struct fxt_span prev_comm, struct fxt_span next_comm)
{
	const union fxt_sched_view any = { .change = *view };
	struct fxt_feed_thread *t;
	int err;

	t = thread_of(f, view->prev, prev_comm, e->ns, &err);
	if (!t)
		return err;
	t->running = false;
	t = thread_of(f, view->next, next_comm, e->ns, &err);
	if (!t)
		return err;
	t->running = true;
	fxt_feed_handlers_end(f, e->cpu);
	err = comes(f, e->cpu, view);
	return err ? err : view_put(f, FXT_KIND_CONTEXT_SWITCH, &any, e);
}

/*
 * Puts a switch by a record of perf, which has no priorities.  A thread that has ended has no id any more, though it
 * still runs: it is the thread that came to the CPU.  If the incoming thread has no id, nothing shows which thread the
 * CPU runs.
 */
int fxt_feed_switched(struct fxt_feed *f, const struct fxt_feed_event *e, __u32 next, bool preempted)
{
	struct fxt_feed_cpu *cpu = fxt_feed_cpu(f, e->cpu);
	struct fxt_switch_view view = { .cpu = e->cpu, .prev = e->tid, .prev_prio = FXT_PRIO_DEFAULT,
					.next_prio = FXT_PRIO_DEFAULT, .state = FXT_LINUX_S,
					.next = next <= FXT_FEED_TID_MAX ? next : 0 };

	if (!cpu)
		return -ENOMEM;
	if (e->nobody)
		view.prev = cpu->incoming;
	if (next > FXT_FEED_TID_MAX)
		view.unchosen = FXT_UNCHOSEN_INCOMING;
	cpu->incoming = view.next;
	if (preempted || !view.prev)
		view.state = FXT_LINUX_R;
	view.preempted = view.prev && view.state == FXT_LINUX_R;
	return fxt_feed_switch(f, e, &view, fxt_span("", 0), fxt_span("", 0));
}

int fxt_feed_wakeup(struct fxt_feed *f, const struct fxt_feed_event *e, const struct fxt_wakeup_view *view,
		    struct fxt_span comm)
{
	union fxt_sched_view any = { .wakeup = *view };
	struct fxt_feed_thread *t;
	int err;

	t = thread_of(f, view->thread, comm, e->ns, &err);
	if (!t)
		return err;
	if (!view->new)
		any.wakeup.context = fxt_feed_context(f, e);
	any.wakeup.on_cpu = !view->new && t->running;
	return view_put(f, FXT_KIND_WAKEUP, &any, e);
}

int fxt_feed_wakeup_as_is(struct fxt_feed *f, const struct fxt_feed_event *e, const struct fxt_wakeup_view *view)
{
	const union fxt_sched_view any = { .wakeup = *view };

	return view_put(f, FXT_KIND_WAKEUP, &any, e);
}

int fxt_feed_migrate(struct fxt_feed *f, const struct fxt_feed_event *e, const struct fxt_migrate_view *view,
		     struct fxt_span comm)
{
	struct fxt_feed_cpu *c;
	struct fxt_feed_thread *t;
	int err;

	t = thread_of(f, view->thread, comm, e->ns, &err);
	c = fxt_feed_cpu(f, e->cpu);
	if (!t || !c)
		return t ? -ENOMEM : err;
	err = fxt_feed_track(f, e, FXT_TRACK_MIGRATIONS);
	if (err)
		return err;
	fxt_migrate_view_put(view, &f->r, e->ns);
	if (c->migrations_known)
		f->r.thread.process = c->migrations;
	return fxt_feed_put_on(f, e->ns, e->cpu);
}

int fxt_feed_sampled(struct fxt_feed *f, const struct fxt_feed_event *e, struct fxt_span name, const __u64 *period,
		     struct fxt_span stack)
{
	int err = fxt_feed_start(f, FXT_EVENT_INSTANT, e->ns, e->tid, fxt_build_string("perf"), fxt_span_text(name));

	if (err)
		return err;
	if (period)
		fxt_build_arg_uint(&f->r, fxt_build_string("period"), *period);
	if (stack.bytes)
		fxt_build_arg_string(&f->r, fxt_build_string("stack"), fxt_span_text(stack));
	return e->no_cpu ? fxt_feed_put_at(f, e->ns, f->provider) : fxt_feed_put_on(f, e->ns, e->cpu);
}
