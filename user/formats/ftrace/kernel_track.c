// SPDX-License-Identifier: GPL-2.0-only
/* Events of a CPU: interrupt handlers as durations on its tracks, its power states as counters. */
#include <errno.h>
#include <stdio.h>

#include "formats/ftrace/read.h"
#include "fxt/events.h"
#include "util/utf8.h"

#define NAME_BYTES	32u

/* The handlers that run on a CPU: one of each kind at a time. */
struct tracks {
	struct {
		bool named;	/* its track is */
		bool open;
		__u8 bytes;
		char name[NAME_BYTES];
	} track[FXT_TRACKS];
};

static const char *const track_names[FXT_TRACKS] = { "irq", "softirq", "migrations", "throttling" };

#define TEXT(name, text)	text,
/* From FXT_STR_BEFORE_EVENTS + 1 on; softirqs from FXT_STR_SOFTIRQ to FXT_STR_SOFTIRQ_UNKNOWN. */
static const char *const strings[] = { FXT_EVENT_STRINGS(TEXT) };

static struct tracks *tracks_of(struct fxt_ftrace_parser *p, __u32 cpu)
{
	struct tracks *t = fxt_map_get(&p->tracks, cpu);

	return t ? t : fxt_map_new(&p->tracks, cpu, sizeof(*t));
}

int fxt_ftrace_track(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, enum fxt_track track)
{
	__u32 cpu = line->cpu;
	__u64 koid = FXT_KOID_TRACK(cpu, track), since = fxt_ftrace_since(line->ns);
	struct tracks *t = tracks_of(p, cpu);
	char name[32];
	int bytes;

	/* fxtrec's own text has its name. */
	if (!t || t->track[track].named || p->ours)
		return t ? 0 : -ENOMEM;
	t->track[track].named = true;
	bytes = snprintf(name, sizeof(name), "cpu %u %s", cpu, track_names[track]);
	fxt_build_thread_name(&p->r, koid, koid, fxt_build_text(name, bytes), since);
	return fxt_ftrace_put_at(p, since, p->provider);
}

/* Begins p->r, an event of a CPU's track. */
static void event(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, enum fxt_track track,
		  enum fxt_event_type type, const char *category, struct fxt_text name)
{
	__u64 koid = FXT_KOID_TRACK(line->cpu, track);

	fxt_build_event(&p->r, type, line->ns, koid, koid, fxt_build_string(category), name);
}

static int put(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	return fxt_ftrace_put_on(p, line->ns, line->cpu);
}

void fxt_ftrace_handlers_end(struct fxt_ftrace_parser *p, __u32 cpu)
{
	struct fxt_ftrace_cpu *c = fxt_ftrace_cpu(p, cpu);

	if (!c)
		return;
	memset(c->handles, 0, sizeof(c->handles));
	c->timers = (struct fxt_timers){ 0 };
}

/* By the handlers that run, and by timers: their interrupt may have no handler. */
static enum fxt_waker_context handler_context(const struct fxt_ftrace_parser *p, const struct fxt_ftrace_cpu *c, __u32 tid)
{
	if (c->handles[FXT_TRACK_IRQ] || fxt_timers_run(&c->timers, &p->timer_pairs, FXT_CONTEXT_HARDIRQ, tid))
		return FXT_CONTEXT_HARDIRQ;
	return c->handles[FXT_TRACK_SOFTIRQ] || fxt_timers_run(&c->timers, &p->timer_pairs, FXT_CONTEXT_SOFTIRQ, tid) ?
	       FXT_CONTEXT_SOFTIRQ : FXT_CONTEXT_TASK;
}

enum fxt_waker_context fxt_ftrace_context(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	const struct fxt_ftrace_cpu *c = fxt_ftrace_cpu(p, line->cpu);
	enum fxt_waker_context level = c && line->contextless ? handler_context(p, c, line->tid) : line->context;

	return c && fxt_timers_run(&c->timers, &p->timer_pairs, level, line->tid) ? fxt_context_of_timer(level) : level;
}

/* Callbacks run in an interrupt, unless the line or the softirq that runs says that it is a softirq's. */
static enum fxt_waker_context timer_level(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	const struct tracks *t = fxt_map_get(&p->tracks, line->cpu);

	if (!line->contextless)
		return line->context;
	return t && t->track[FXT_TRACK_SOFTIRQ].open &&
	       fxt_span_is(fxt_span(t->track[FXT_TRACK_SOFTIRQ].name, t->track[FXT_TRACK_SOFTIRQ].bytes), "HRTIMER") ?
	       FXT_CONTEXT_SOFTIRQ : FXT_CONTEXT_HARDIRQ;
}

bool fxt_ftrace_timer(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, struct fxt_span event)
{
	struct fxt_ftrace_cpu *c = fxt_ftrace_cpu(p, line->cpu);
	struct fxt_timer_event timer;

	if (!fxt_timer_event(event.at, event.bytes, &timer))
		return false;
	if (c)
		fxt_timers_note(&c->timers, &p->timer_pairs, timer.wheel ? FXT_CONTEXT_SOFTIRQ : timer_level(p, line),
				line->tid, timer.begins);
	return true;
}

static void handles(struct fxt_ftrace_parser *p, __u32 cpu, enum fxt_track track, bool begins)
{
	struct fxt_ftrace_cpu *c = fxt_ftrace_cpu(p, cpu);

	if (!c)
		return;
	c->handles[track] = begins;
	fxt_timers_clear(&c->timers, track == FXT_TRACK_IRQ ? FXT_CONTEXT_HARDIRQ : FXT_CONTEXT_SOFTIRQ);
}

/* Begins a slice; what is still open there has lost its end. */
static int slice_begin(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, enum fxt_track track,
		       struct fxt_span name)
{
	struct tracks *t = tracks_of(p, line->cpu);
	int err = fxt_ftrace_track(p, line, track);

	if (!err)
		err = fxt_ftrace_runs(p, line);
	if (!t || err)
		return err ? err : -ENOMEM;
	handles(p, line->cpu, track, true);
	if (t->track[track].open) {
		event(p, line, track, FXT_EVENT_DURATION_END, "", fxt_build_string(""));
		err = put(p, line);
	}
	t->track[track].open = true;
	t->track[track].bytes = name.bytes < NAME_BYTES ? name.bytes : NAME_BYTES - 1;
	memcpy(t->track[track].name, name.at, t->track[track].bytes);
	/* A character may be cut. */
	fxt_utf8_mend(t->track[track].name, t->track[track].bytes);
	event(p, line, track, FXT_EVENT_DURATION_BEGIN, "irq",
	      fxt_build_text(t->track[track].name, t->track[track].bytes));
	return err;
}

/* Begins p->r, the end of the open slice; false where none is open. */
static bool slice_end(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, enum fxt_track track)
{
	struct tracks *t = fxt_map_get(&p->tracks, line->cpu);

	handles(p, line->cpu, track, false);
	if (!t || !t->track[track].open)
		return false;
	t->track[track].open = false;
	event(p, line, track, FXT_EVENT_DURATION_END, "irq",
	      fxt_build_text(t->track[track].name, t->track[track].bytes));
	return true;
}

int fxt_ftrace_irq_begin(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, __s32 irq,
			 struct fxt_span name)
{
	int err = slice_begin(p, line, FXT_TRACK_IRQ, name);

	if (err)
		return err;
	fxt_build_arg_int(&p->r, fxt_build_string("irq"), irq);
	return put(p, line);
}

int fxt_ftrace_irq_end(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, __s32 irq, __s32 ret)
{
	if (!slice_end(p, line, FXT_TRACK_IRQ))
		return 0;
	fxt_build_arg_int(&p->r, fxt_build_string("irq"), irq);
	fxt_build_arg_int(&p->r, fxt_build_string("ret"), ret);
	return put(p, line);
}

int fxt_ftrace_softirq_begin(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, __u64 vec)
{
	__u64 unknown = FXT_STR_SOFTIRQ_UNKNOWN - FXT_STR_SOFTIRQ;
	const char *name = strings[FXT_STR_SOFTIRQ - FXT_STR_BEFORE_EVENTS - 1 + (vec < unknown ? vec : unknown)];
	int err = slice_begin(p, line, FXT_TRACK_SOFTIRQ, fxt_span(name, strlen(name)));

	return err ? err : put(p, line);
}

int fxt_ftrace_softirq_end(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	return slice_end(p, line, FXT_TRACK_SOFTIRQ) ? put(p, line) : 0;
}

int fxt_ftrace_power(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, bool idle, __u32 cpu,
		     __u32 state)
{
	int err = fxt_ftrace_track(p, line, FXT_TRACK_IRQ);
	struct fxt_ftrace_task *t;

	if (err)
		return err;
	t = p->ours ? fxt_ftrace_task(p, FXT_KOID_TRACK(line->cpu, FXT_TRACK_IRQ)) : NULL;
	event(p, line, FXT_TRACK_IRQ, FXT_EVENT_COUNTER, "power",
	      fxt_build_string(idle ? "cpu_idle" : "cpu_frequency"));
	if (t)
		p->r.thread.process = fxt_ftrace_process_of(t);
	p->r.event.id = cpu;
	/* A state of -1 is none. */
	if (idle)
		fxt_build_arg_int(&p->r, fxt_build_string("state"), (__s32)state);
	else
		fxt_build_arg_uint(&p->r, fxt_build_string("state"), state);
	return put(p, line);
}
