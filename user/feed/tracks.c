// SPDX-License-Identifier: GPL-2.0-only
/* Puts events of CPUs: handlers of interrupts as durations on their tracks, power states as counters. */
#include <errno.h>
#include <stdio.h>

#include "feed/feed.h"
#include "fxt/events.h"
#include "util/utf8.h"

#define NAME_BYTES	32u

/* Tracks of a CPU: one handler of each kind runs at a time. */
struct tracks {
	struct {
		bool named;	/* the track has a name */
		bool open;
		__u8 bytes;
		char name[NAME_BYTES];
	} track[FXT_TRACKS];
};

static const char *const track_names[FXT_TRACKS] = { "irq", "softirq", "migrations", "throttling" };

#define TEXT(name, text)	text,
/* Strings from FXT_STR_BEFORE_EVENTS + 1 on; softirqs from FXT_STR_SOFTIRQ to FXT_STR_SOFTIRQ_UNKNOWN. */
static const char *const strings[] = { FXT_EVENT_STRINGS(TEXT) };

static struct tracks *tracks_of(struct fxt_feed *f, __u32 cpu)
{
	struct tracks *t = fxt_map_get(&f->tracks, cpu);

	return t ? t : fxt_map_new(&f->tracks, cpu, sizeof(*t));
}

int fxt_feed_track(struct fxt_feed *f, const struct fxt_feed_event *e, enum fxt_track track)
{
	__u32 cpu = e->cpu;
	__u64 koid = FXT_KOID_TRACK(cpu, track), since = fxt_feed_since(e->ns);
	struct tracks *t = tracks_of(f, cpu);
	char name[32];
	int bytes;

	/* An input of fxtrec has the track's name. */
	if (!t || t->track[track].named || f->ours)
		return t ? 0 : -ENOMEM;
	t->track[track].named = true;
	bytes = snprintf(name, sizeof(name), "cpu %u %s", cpu, track_names[track]);
	fxt_build_thread_name(&f->r, koid, koid, fxt_build_text(name, bytes), since);
	return fxt_feed_put_at(f, since, f->provider);
}

/* Starts f->r, an event of a CPU's track. */
static void event(struct fxt_feed *f, const struct fxt_feed_event *e, enum fxt_track track,
		  enum fxt_event_type type, const char *category, struct fxt_text name)
{
	__u64 koid = FXT_KOID_TRACK(e->cpu, track);

	fxt_build_event(&f->r, type, e->ns, koid, koid, fxt_build_string(category), name);
}

static int put(struct fxt_feed *f, const struct fxt_feed_event *e)
{
	return fxt_feed_put_on(f, e->ns, e->cpu);
}

void fxt_feed_handlers_end(struct fxt_feed *f, __u32 cpu)
{
	struct fxt_feed_cpu *c = fxt_feed_cpu(f, cpu);

	if (!c)
		return;
	memset(c->handles, 0, sizeof(c->handles));
	c->timers = (struct fxt_timers){ 0 };
}

/* Returns the context by the handlers that run, and by timers, as an interrupt of timers may have no handler. */
static enum fxt_waker_context handler_context(const struct fxt_feed *f, const struct fxt_feed_cpu *c, __u32 tid)
{
	if (c->handles[FXT_TRACK_IRQ] || fxt_timers_run(&c->timers, &f->timer_pairs, FXT_CONTEXT_HARDIRQ, tid))
		return FXT_CONTEXT_HARDIRQ;
	return c->handles[FXT_TRACK_SOFTIRQ] || fxt_timers_run(&c->timers, &f->timer_pairs, FXT_CONTEXT_SOFTIRQ, tid) ?
	       FXT_CONTEXT_SOFTIRQ : FXT_CONTEXT_TASK;
}

enum fxt_waker_context fxt_feed_context(struct fxt_feed *f, const struct fxt_feed_event *e)
{
	const struct fxt_feed_cpu *c = fxt_feed_cpu(f, e->cpu);
	enum fxt_waker_context level = c && e->contextless ? handler_context(f, c, e->tid) : e->context;

	return c && fxt_timers_run(&c->timers, &f->timer_pairs, level, e->tid) ? fxt_context_of_timer(level) : level;
}

/* Returns a callback's context: an interrupt, unless the event or the softirq that runs shows a softirq's. */
static enum fxt_waker_context timer_level(struct fxt_feed *f, const struct fxt_feed_event *e)
{
	const struct tracks *t = fxt_map_get(&f->tracks, e->cpu);

	if (!e->contextless)
		return e->context;
	return t && t->track[FXT_TRACK_SOFTIRQ].open &&
	       fxt_span_is(fxt_span(t->track[FXT_TRACK_SOFTIRQ].name, t->track[FXT_TRACK_SOFTIRQ].bytes), "HRTIMER") ?
	       FXT_CONTEXT_SOFTIRQ : FXT_CONTEXT_HARDIRQ;
}

bool fxt_feed_timer(struct fxt_feed *f, const struct fxt_feed_event *e, struct fxt_span name)
{
	struct fxt_feed_cpu *c = fxt_feed_cpu(f, e->cpu);
	struct fxt_timer_event timer;

	if (!fxt_timer_event(name.at, name.bytes, &timer))
		return false;
	if (c)
		fxt_timers_note(&c->timers, &f->timer_pairs, timer.wheel ? FXT_CONTEXT_SOFTIRQ : timer_level(f, e),
				e->tid, timer.begins);
	return true;
}

static void handles(struct fxt_feed *f, __u32 cpu, enum fxt_track track, bool begins)
{
	struct fxt_feed_cpu *c = fxt_feed_cpu(f, cpu);

	if (!c)
		return;
	c->handles[track] = begins;
	fxt_timers_clear(&c->timers, track == FXT_TRACK_IRQ ? FXT_CONTEXT_HARDIRQ : FXT_CONTEXT_SOFTIRQ);
}

/* Starts a slice.  An open slice of the track has lost its end. */
static int slice_begin(struct fxt_feed *f, const struct fxt_feed_event *e, enum fxt_track track,
		       struct fxt_span name)
{
	struct tracks *t = tracks_of(f, e->cpu);
	int err = fxt_feed_track(f, e, track);

	if (!err)
		err = fxt_feed_runs(f, e);
	if (!t || err)
		return err ? err : -ENOMEM;
	handles(f, e->cpu, track, true);
	if (t->track[track].open) {
		event(f, e, track, FXT_EVENT_DURATION_END, "", fxt_build_string(""));
		err = put(f, e);
	}
	t->track[track].open = true;
	t->track[track].bytes = name.bytes < NAME_BYTES ? name.bytes : NAME_BYTES - 1;
	memcpy(t->track[track].name, name.at, t->track[track].bytes);
	/* The cut may have split a character. */
	fxt_utf8_mend(t->track[track].name, t->track[track].bytes);
	event(f, e, track, FXT_EVENT_DURATION_BEGIN, "irq",
	      fxt_build_text(t->track[track].name, t->track[track].bytes));
	return err;
}

/* Starts f->r, the end of the open slice; false where there is no open slice. */
static bool slice_end(struct fxt_feed *f, const struct fxt_feed_event *e, enum fxt_track track)
{
	struct tracks *t = fxt_map_get(&f->tracks, e->cpu);

	handles(f, e->cpu, track, false);
	if (!t || !t->track[track].open)
		return false;
	t->track[track].open = false;
	event(f, e, track, FXT_EVENT_DURATION_END, "irq",
	      fxt_build_text(t->track[track].name, t->track[track].bytes));
	return true;
}

int fxt_feed_irq_begin(struct fxt_feed *f, const struct fxt_feed_event *e, __s32 irq,
			 struct fxt_span name)
{
	int err = slice_begin(f, e, FXT_TRACK_IRQ, name);

	if (err)
		return err;
	fxt_build_arg_int(&f->r, fxt_build_string("irq"), irq);
	return put(f, e);
}

int fxt_feed_irq_end(struct fxt_feed *f, const struct fxt_feed_event *e, __s32 irq, __s32 ret)
{
	if (!slice_end(f, e, FXT_TRACK_IRQ))
		return 0;
	fxt_build_arg_int(&f->r, fxt_build_string("irq"), irq);
	fxt_build_arg_int(&f->r, fxt_build_string("ret"), ret);
	return put(f, e);
}

int fxt_feed_softirq_begin(struct fxt_feed *f, const struct fxt_feed_event *e, __u64 vec)
{
	__u64 unknown = FXT_STR_SOFTIRQ_UNKNOWN - FXT_STR_SOFTIRQ;
	const char *name = strings[FXT_STR_SOFTIRQ - FXT_STR_BEFORE_EVENTS - 1 + (vec < unknown ? vec : unknown)];
	int err = slice_begin(f, e, FXT_TRACK_SOFTIRQ, fxt_span(name, strlen(name)));

	return err ? err : put(f, e);
}

int fxt_feed_softirq_end(struct fxt_feed *f, const struct fxt_feed_event *e)
{
	return slice_end(f, e, FXT_TRACK_SOFTIRQ) ? put(f, e) : 0;
}

int fxt_feed_power(struct fxt_feed *f, const struct fxt_feed_event *e, bool idle, __u32 cpu,
		     __u32 state)
{
	int err = fxt_feed_track(f, e, FXT_TRACK_IRQ);
	struct fxt_feed_thread *t;

	if (err)
		return err;
	t = f->ours ? fxt_feed_thread(f, FXT_KOID_TRACK(e->cpu, FXT_TRACK_IRQ)) : NULL;
	event(f, e, FXT_TRACK_IRQ, FXT_EVENT_COUNTER, "power",
	      fxt_build_string(idle ? "cpu_idle" : "cpu_frequency"));
	if (t)
		f->r.thread.process = fxt_feed_process_of(t);
	f->r.event.id = cpu;
	/* A state of -1 is the end of an idle state. */
	if (idle)
		fxt_build_arg_int(&f->r, fxt_build_string("state"), (__s32)state);
	else
		fxt_build_arg_uint(&f->r, fxt_build_string("state"), state);
	return put(f, e);
}
