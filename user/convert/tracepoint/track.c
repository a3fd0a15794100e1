// SPDX-License-Identifier: GPL-2.0-only
/* Tracepoints of a CPU: interrupt handlers as durations on its tracks, its power states as counters. */
#include <errno.h>
#include <stdio.h>

#include "convert/tracepoint/kind.h"
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

static const char *const track_names[FXT_TRACKS] = { "irq", "softirq", "migrations" };

#define TEXT(name, text)	text,
/* From FXT_STR_BEFORE_EVENTS + 1 on; softirqs from FXT_STR_SOFTIRQ to FXT_STR_SOFTIRQ_UNKNOWN. */
static const char *const strings[] = { FXT_EVENT_STRINGS(TEXT) };

static struct tracks *tracks_of(struct fxt_tp_reader *rd, __u32 cpu)
{
	struct tracks *t = fxt_map_get(&rd->tracks, cpu);

	return t ? t : fxt_map_new(&rd->tracks, cpu, sizeof(*t));
}

int fxt_tp_track(struct fxt_tp_reader *rd, const struct fxt_tp_event *e, enum fxt_track track)
{
	__u32 cpu = e->line.cpu;
	__u64 koid = FXT_KOID_TRACK(cpu, track), since = fxt_ftrace_since(e->line.ns);
	struct tracks *t = tracks_of(rd, cpu);
	char name[32];
	int bytes;

	if (!t || t->track[track].named)
		return t ? 0 : -ENOMEM;
	t->track[track].named = true;
	bytes = snprintf(name, sizeof(name), "cpu %u %s", cpu, track_names[track]);
	fxt_build_thread_name(&rd->p->r, koid, koid, fxt_build_text(name, bytes), since);
	return fxt_ftrace_put_at(rd->p, since, rd->p->provider);
}

/* Begins p->r, an event of a CPU's track. */
static void event(struct fxt_tp_reader *rd, const struct fxt_tp_event *e, enum fxt_track track,
		  enum fxt_event_type type, const char *category, struct fxt_text name)
{
	__u64 koid = FXT_KOID_TRACK(e->line.cpu, track);

	fxt_build_event(&rd->p->r, type, e->line.ns, koid, koid, fxt_build_string(category), name);
}

static int put(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	return fxt_ftrace_put_on(rd->p, e->line.ns, e->line.cpu);
}

/* Begins a slice; what is still open there has lost its end. */
static int slice_begin(struct fxt_tp_reader *rd, const struct fxt_tp_event *e, enum fxt_track track,
		       struct fxt_span name)
{
	struct tracks *t = tracks_of(rd, e->line.cpu);
	int err = fxt_tp_track(rd, e, track);

	if (!t || err)
		return err ? err : -ENOMEM;
	if (t->track[track].open) {
		event(rd, e, track, FXT_EVENT_DURATION_END, "", fxt_build_string(""));
		err = put(rd, e);
	}
	t->track[track].open = true;
	t->track[track].bytes = name.bytes < NAME_BYTES ? name.bytes : NAME_BYTES - 1;
	memcpy(t->track[track].name, name.at, t->track[track].bytes);
	/* A character may be cut. */
	fxt_utf8_mend(t->track[track].name, t->track[track].bytes);
	event(rd, e, track, FXT_EVENT_DURATION_BEGIN, "irq",
	      fxt_build_text(t->track[track].name, t->track[track].bytes));
	return err;
}

/* Begins p->r, the end of the open slice; false where none is open. */
static bool slice_end(struct fxt_tp_reader *rd, const struct fxt_tp_event *e, enum fxt_track track)
{
	struct tracks *t = fxt_map_get(&rd->tracks, e->line.cpu);

	if (!t || !t->track[track].open)
		return false;
	t->track[track].open = false;
	event(rd, e, track, FXT_EVENT_DURATION_END, "irq",
	      fxt_build_text(t->track[track].name, t->track[track].bytes));
	return true;
}

int fxt_tp_read_irq_entry(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	struct fxt_span name;
	__s64 irq;
	int err;

	if (!fxt_tp_number(e, 0, &irq) || !fxt_tp_text(rd, e, 1, &name))
		return 1;
	err = slice_begin(rd, e, FXT_TRACK_IRQ, name);
	if (err)
		return err;
	fxt_build_arg_int(&rd->p->r, fxt_build_string("irq"), (__s32)irq);
	return put(rd, e);
}

int fxt_tp_read_irq_exit(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__s64 irq, ret;

	if (!fxt_tp_number(e, 0, &irq) || !fxt_tp_number(e, 1, &ret))
		return 1;
	if (!slice_end(rd, e, FXT_TRACK_IRQ))
		return 0;
	fxt_build_arg_int(&rd->p->r, fxt_build_string("irq"), (__s32)irq);
	fxt_build_arg_int(&rd->p->r, fxt_build_string("ret"), (__s32)ret);
	return put(rd, e);
}

int fxt_tp_read_softirq_entry(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__s64 vec, unknown = FXT_STR_SOFTIRQ_UNKNOWN - FXT_STR_SOFTIRQ;
	const char *name;
	int err;

	if (!fxt_tp_number(e, 0, &vec))
		return 1;
	name = strings[FXT_STR_SOFTIRQ - FXT_STR_BEFORE_EVENTS - 1 +
		       (vec >= 0 && vec < unknown ? vec : unknown)];
	err = slice_begin(rd, e, FXT_TRACK_SOFTIRQ, fxt_span(name, strlen(name)));
	return err ? err : put(rd, e);
}

int fxt_tp_read_softirq_exit(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	return slice_end(rd, e, FXT_TRACK_SOFTIRQ) ? put(rd, e) : 0;
}

/* Begins p->r, a counter of the CPU that the event is about, on that CPU's track. */
static int counter(struct fxt_tp_reader *rd, const struct fxt_tp_event *e, const char *name, __s64 *state)
{
	__u32 cpu;
	int err;

	if (!fxt_tp_number(e, 0, state) || !fxt_tp_cpu(e, 1, &cpu))
		return 1;
	err = fxt_tp_track(rd, e, FXT_TRACK_IRQ);
	if (err)
		return err;
	event(rd, e, FXT_TRACK_IRQ, FXT_EVENT_COUNTER, "power", fxt_build_string(name));
	rd->p->r.event.id = cpu;
	return 0;
}

int fxt_tp_read_idle(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__s64 state;
	int err = counter(rd, e, "cpu_idle", &state);

	if (err)
		return err;
	fxt_build_arg_int(&rd->p->r, fxt_build_string("state"), (__s32)state);
	return put(rd, e);
}

int fxt_tp_read_frequency(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__s64 state;
	int err = counter(rd, e, "cpu_frequency", &state);

	if (err)
		return err;
	fxt_build_arg_uint(&rd->p->r, fxt_build_string("state"), (__u32)state);
	return put(rd, e);
}
