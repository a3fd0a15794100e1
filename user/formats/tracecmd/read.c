// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads trace.dat of trace-cmd record, versions 6 and 7, by libtracecmd.  That library trusts its input: a child
 * process runs it, and sends tracepoints and events.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "convert/in_file.h"
#include "convert/skip.h"
#include "formats/tracecmd/tracecmd.h"
#include "formats/tracepoint/format.h"
#include "model/syscall_names.h"
#include "util/array.h"
#include "util/utf8.h"

/* Limit of the child's memory, with the library's tables; an intact file of any length needs far less. */
#define CHILD_BYTES	((size_t)2 << 30)

struct tracecmd_reader {
	struct fxt_conversion *c;
	struct fxt_in *in;
	struct fxt_child child;
	struct fxt_tp *formats[FXT_TRACECMD_IDS];
	struct fxt_tp_reader tp;
	struct fxt_tracecmd_message *places;	/* positions that the child reached; empty: it read up to the end */
	size_t place_count;
	const char *unitless;	/* plural under which each event's time is counted; NULL: not counted */
};

static int broken(struct tracecmd_reader *rd)
{
	static const struct fxt_flaw flaw = {
		"libtracecmd fails on it: it is damaged, cut off, or packed by what that library was built without",
		"ends of files, from where libtracecmd fails on them", NULL,
	};

	return fxt_flaw(rd->c, &flaw);
}

/*
 * Puts an instant event of the host from "Linux HOST RELEASE MACHINE", as in fxt-on-linux, and sets the system calls'
 * names for that machine.
 */
static int host_put(struct tracecmd_reader *rd, char *machine, __u64 ns)
{
	static const char *const parts[] = { "", "host", "release", "machine" };
	struct fxt_record *r = &rd->tp.feed.r;
	char *part;
	size_t i;

	fxt_build_event(r, FXT_EVENT_INSTANT, ns, 0, 0, fxt_build_string("fxtrec"), fxt_build_string("host"));
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		part = strsep(&machine, " ");
		if (!part)
			return 0;
		if (i)
			fxt_build_arg_text(r, parts[i], fxt_build_string(part));
	}
	rd->tp.feed.names = fxt_syscall_table(part);
	return fxt_feed_put_at(&rd->tp.feed, ns, rd->tp.feed.provider);
}

static int clock_put(struct tracecmd_reader *rd, const char *clock, __u64 ns)
{
	if (!strcmp(clock, "counter") || !strcmp(clock, "uptime"))
		rd->unitless = "times of a clock that doesn't count nanoseconds, taken for nanoseconds";
	if (!strcmp(clock, "x86-tsc"))
		rd->unitless = "times of the clock x86-tsc (nanoseconds only of trace-cmd record -C tsc2nsec)";
	return strcmp(clock, "mono") && strcmp(clock, "boot") ? 0 : fxt_feed_clock(&rd->tp.feed, ns, clock, NULL);
}

static int origin_read(struct tracecmd_reader *rd, __u64 ns)
{
	struct fxt_tracecmd_origin o;
	int err = fxt_child_get(&rd->child, &o, sizeof(o));

	if (err <= 0)
		return err;
	o.machine[sizeof(o.machine) - 1] = o.clock[sizeof(o.clock) - 1] = 0;
	fxt_utf8_mend(o.machine, strlen(o.machine));
	err = o.buffers > 1 ? fxt_feed_buffers_open(&rd->tp.feed) : 0;
	if (!err)
		err = clock_put(rd, o.clock, ns);
	if (!err)
		err = host_put(rd, o.machine, ns);
	return err ? err : 1;
}

/* Reads a tracepoint, with its fields after it. */
static int tracepoint_read(struct tracecmd_reader *rd, const struct fxt_tracecmd_message *m)
{
	char name[2][FXT_TRACECMD_NAME];
	struct fxt_tracecmd_field field;
	struct fxt_prev_states states;
	struct fxt_tp *tp;
	__u32 i;
	int err = fxt_child_get(&rd->child, name, sizeof(name));

	if (err > 0)
		err = fxt_child_get(&rd->child, &states, sizeof(states));
	if (err <= 0)
		return err;
	name[0][FXT_TRACECMD_NAME - 1] = name[1][FXT_TRACECMD_NAME - 1] = 0;
	tp = fxt_tp_new(name[0], name[1]);
	if (!tp)
		return -ENOMEM;
	for (i = 0; i < FXT_PREV_STATE_BITS; i++)
		if (states.state[i] > FXT_LINUX_I)
			states.known = 0;
	tp->states = states;
	tp->left_out = m->cpu;
	for (i = 0; err > 0 && i < m->bytes; i++) {
		err = fxt_child_get(&rd->child, &field, sizeof(field));
		field.name[FXT_TRACECMD_NAME - 1] = 0;
		if (err > 0 && fxt_tp_field_add(tp, field.name, field.type, field.offset, field.bytes))
			err = -ENOMEM;
	}
	if (err > 0) {
		fxt_tp_known(&rd->tp, tp);
		if (m->id < FXT_TRACECMD_IDS && !rd->formats[m->id]) {
			rd->formats[m->id] = tp;
			return 1;
		}
	}
	fxt_tp_free(tp);
	return err;
}

/* Reports damage; the number of events lost by it isn't known. */
static int damage_count(struct tracecmd_reader *rd, const struct fxt_tracecmd_message *m)
{
	static const struct fxt_flaw event = { "an event that doesn't fit its page",
					       "events that don't fit their pages, with what is behind them there", NULL };
	static const struct fxt_flaw page = { "a page that is longer than it can be",
					      "CPUs' events from a page on that is longer than it can be", NULL };
	int err;

	rd->c->place.at = m->offset;
	err = fxt_flaw(rd->c, m->kind == FXT_TRACECMD_BAD_EVENT ? &event : &page);
	if (!err && m->cpu <= FXT_TRACECMD_CPU_MAX)
		err = fxt_feed_lost(&rd->tp.feed, m->cpu, 0);
	return err ? err : 1;
}

static inline int event_put(struct tracecmd_reader *rd, const struct fxt_tracecmd_message *m,
			    const struct fxt_tracecmd_rare *rare, const __u8 *raw)
{
	static const struct fxt_flaw malformed = { "a tracepoint with fields that don't fit its format",
						    "tracepoints with fields that don't fit their formats", NULL };
	struct fxt_tp_event e = { .head = { .cpu = m->cpu, .ns = m->ns }, .raw = raw, .raw_bytes = m->bytes };
	struct fxt_feed_thread *t;
	int err = 0;

	if (m->bytes < FXT_TP_COMMON_BYTES || m->cpu > FXT_TRACECMD_CPU_MAX)
		return fxt_flaw(rd->c, &malformed);
	/* A loss before the event also counts only with the first twin. */
	if (fxt_feed_is_twin(&rd->tp.feed, &e.head, raw, m->bytes, m->buffer))
		return 0;
	if (rare->missed)
		err = fxt_feed_lost(&rd->tp.feed, m->cpu, rare->missed > 0 ? rare->missed : 0);
	if (err)
		return err;
	e.tp = rd->formats[fxt_tp_raw_id(e.raw)];
	if (!e.tp) {
		fxt_skip(rd->c, "events of tracepoints without a format in the file", 1);
		return 0;
	}
	e.head.tid = fxt_tp_raw_tid(e.raw);
	if (e.head.tid > 0x7fffffff)
		return fxt_flaw(rd->c, &malformed);
	if (rd->unitless)
		fxt_skip(rd->c, rd->unitless, 1);
	e.head.context = fxt_tp_raw_context(e.raw);
	/* A name that trace-cmd saved at its end is for a thread that has no other name. */
	t = *rare->name ? fxt_feed_thread(&rd->tp.feed, e.head.tid) : NULL;
	if (t && !t->name_bytes)
		e.head.comm = fxt_span(rare->name, strnlen(rare->name, sizeof(rare->name)));
	err = fxt_tp_put(&rd->tp, &e);
	return err == 1 ? fxt_flaw(rd->c, &malformed) : err;
}

static int place_add(struct tracecmd_reader *rd, const struct fxt_tracecmd_message *m)
{
	int err = fxt_array_more(rd->places, rd->place_count);

	if (err)
		return err;
	rd->places[rd->place_count++] = *m;
	return 1;
}

/* Reads a message that is not an event. */
static int other_read(struct tracecmd_reader *rd, const struct fxt_tracecmd_message *m)
{
	switch (m->kind) {
	case FXT_TRACECMD_ORIGIN:
		return origin_read(rd, m->ns);
	case FXT_TRACECMD_TRACEPOINT:
		return tracepoint_read(rd, m);
	case FXT_TRACECMD_PLACE:
		return place_add(rd, m);
	default:
		return damage_count(rd, m);
	}
}

/* Reads a message.  1; 0: there are no more; -errno. */
static inline int message_read(struct tracecmd_reader *rd)
{
	static const struct fxt_tracecmd_rare none;
	struct fxt_tracecmd_message m;
	struct fxt_tracecmd_rare rare;
	const __u8 *at;
	int err = fxt_child_take(&rd->child, sizeof(m), &at);

	if (err <= 0)
		return err;
	memcpy(&m, at, sizeof(m));
	if (m.kind != FXT_TRACECMD_EVENT)
		return other_read(rd, &m);
	if (m.bytes > FXT_TRACECMD_EVENT_MAX)
		return 0;
	err = m.rare ? fxt_child_get(&rd->child, &rare, sizeof(rare)) : 1;
	if (err <= 0)
		return err;
	err = fxt_child_take(&rd->child, m.bytes, &at);
	if (err <= 0)
		return err;
	rd->c->place.at = m.offset;
	err = event_put(rd, &m, m.rare ? &rare : &none, at);
	return err ? err : 1;
}

/* Reads a portion of the file.  1: more follows; 0; -errno. */
static int portion_read(struct tracecmd_reader *rd, int fd)
{
	struct fxt_tracecmd_portion portion = { fd, rd->places, rd->place_count, rd->formats };
	char path[32], *const trees[] = { path };
	/* The library opens the file again, and decompresses into files of /tmp. */
	const struct fxt_child_limits limits = { FXT_CHILD_LIMITS ? CHILD_BYTES : 0, { trees, 1, true } };
	int err, ended;
	__u64 count = 0;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	err = fxt_child_start(&rd->child, &limits, fxt_tracecmd_send, &portion);
	if (err)
		return err;
	/* The child has its own copy of the positions. */
	rd->place_count = 0;
	while ((err = message_read(rd)) > 0)
		if (rd->in->watch && !(++count & 0xffff))
			rd->in->watch(rd->in, rd->in->watch_arg);
	ended = fxt_child_end(&rd->child);
	if (!err && ended)
		err = broken(rd);
	return err ? err : !ended && rd->place_count;
}

static int all_read(struct tracecmd_reader *rd, int fd)
{
	int err;

	do {
		err = portion_read(rd, fd);
	} while (err > 0);
	return err ? err : fxt_tp_reader_end(&rd->tp);
}

int fxt_tracecmd_read(struct fxt_conversion *c, struct fxt_in *in)
{
	struct tracecmd_reader *rd = calloc(1, sizeof(*rd));
	bool temporary = false;
	int err, fd;
	__u32 i;

	if (!rd)
		return fxt_error_set(&c->error, ENOMEM, "%s: no memory", in->name);
	rd->c = c;
	rd->in = in;
	err = fxt_tp_reader_init(&rd->tp, c);
	fd = err ? err : fxt_in_seekable(in, &c->spool, &temporary);
	err = fd < 0 ? fd : all_read(rd, fd);
	fxt_tp_reader_uninit(&rd->tp);
	for (i = 0; i < FXT_TRACECMD_IDS; i++)
		fxt_tp_free(rd->formats[i]);
	if (temporary)
		close(fd);
	free(rd->places);
	free(rd);
	return fxt_feed_error(c, in, err);
}
