// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace.dat of trace-cmd record, versions 6 and 7, by libtracecmd.  That library trusts what
 * it reads: a child process runs it, and sends tracepoints and events.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "convert/in_file.h"
#include "convert/skip.h"
#include "convert/tracecmd/tracecmd.h"
#include "convert/tracepoint/format.h"

/* Of the child, with the library's tables: what an intact file of any length needs is far less. */
#define CHILD_BYTES	((size_t)2 << 30)

struct tracecmd_reader {
	struct fxt_conversion *c;
	struct fxt_in *in;
	struct fxt_child child;
	struct fxt_map formats;		/* struct fxt_tp, by their ids + 1 */
	struct fxt_tp_reader tp;
	__u8 event[FXT_TRACECMD_EVENT_MAX];
};

static int broken(struct tracecmd_reader *rd)
{
	static const struct fxt_flaw flaw = {
		"libtracecmd fails on it: it is damaged, cut off, or packed by what that library was built without",
		"ends of files, from where libtracecmd fails on them", NULL,
	};

	return fxt_flaw(rd->c, &flaw);
}

/* A tracepoint, with its fields behind it. */
static int tracepoint_read(struct tracecmd_reader *rd, const struct fxt_tracecmd_message *m)
{
	struct fxt_tracecmd_field field;
	struct fxt_tp *tp;
	__u32 i;
	int err = fxt_child_get(&rd->child, rd->event, 2 * FXT_TRACECMD_NAME);

	if (err <= 0)
		return err;
	rd->event[FXT_TRACECMD_NAME - 1] = rd->event[2 * FXT_TRACECMD_NAME - 1] = 0;
	tp = fxt_tp_new((char *)rd->event, (char *)rd->event + FXT_TRACECMD_NAME);
	if (!tp)
		return -ENOMEM;
	for (i = 0; err > 0 && i < m->bytes; i++) {
		err = fxt_child_get(&rd->child, &field, sizeof(field));
		field.name[FXT_TRACECMD_NAME - 1] = 0;
		if (err > 0 && fxt_tp_field_add(tp, field.name, field.type, field.offset, field.bytes))
			err = -ENOMEM;
	}
	if (err > 0) {
		fxt_tp_known(&rd->tp, tp);
		if (!fxt_map_get(&rd->formats, (__u64)m->id + 1) && !fxt_map_put(&rd->formats, (__u64)m->id + 1, tp))
			return 1;
	}
	fxt_tp_free(tp);
	return err;
}

static int event_put(struct tracecmd_reader *rd, const struct fxt_tracecmd_message *m)
{
	static const struct fxt_flaw malformed = { "a tracepoint with fields that don't fit its format",
						    "tracepoints with fields that don't fit their formats", NULL };
	struct fxt_tp_event e = { .raw = rd->event, .raw_bytes = m->bytes };
	struct fxt_ftrace_task *t;
	int err = 0;

	if (m->bytes < FXT_TP_COMMON_BYTES || m->cpu > 0xffff)
		return fxt_flaw(rd->c, &malformed);
	if (m->missed)
		err = fxt_ftrace_lost(rd->tp.p, m->cpu, m->missed > 0 ? m->missed : 0);
	if (err)
		return err;
	e.tp = fxt_map_get(&rd->formats, (__u64)fxt_tp_raw_id(e.raw) + 1);
	if (!e.tp) {
		fxt_skip(rd->c, "events of tracepoints without a format in the file", 1);
		return 0;
	}
	e.line.tid = fxt_tp_raw_tid(e.raw);
	if (e.line.tid > 0x7fffffff)
		return fxt_flaw(rd->c, &malformed);
	e.line.cpu = m->cpu;
	e.line.ns = m->ns;
	e.line.context = fxt_tp_raw_context(e.raw);
	/* A name that trace-cmd saved at its end is for a thread that nothing has named. */
	t = fxt_ftrace_task(rd->tp.p, e.line.tid);
	if (t && !t->name_bytes && *m->name)
		e.line.comm = fxt_span(m->name, strnlen(m->name, sizeof(m->name)));
	err = fxt_tp_put(&rd->tp, &e);
	return err == 1 ? fxt_flaw(rd->c, &malformed) : err;
}

/* 1: there was a message; 0: there are no more; -errno. */
static int message_read(struct tracecmd_reader *rd)
{
	struct fxt_tracecmd_message m;
	int err = fxt_child_get(&rd->child, &m, sizeof(m));

	if (err <= 0)
		return err;
	if (m.kind == FXT_TRACECMD_TRACEPOINT)
		return tracepoint_read(rd, &m);
	if (m.bytes > sizeof(rd->event))
		return 0;
	err = fxt_child_get(&rd->child, rd->event, m.bytes);
	if (err <= 0)
		return err;
	rd->c->place.at = m.offset;
	err = event_put(rd, &m);
	return err ? err : 1;
}

static int all_read(struct tracecmd_reader *rd, int fd)
{
	int err = fxt_child_start(&rd->child, FXT_CHILD_LIMITS ? CHILD_BYTES : 0, fxt_tracecmd_send, &fd), ended;
	__u64 count = 0;

	if (err)
		return err;
	while ((err = message_read(rd)) > 0)
		if (rd->in->watch && !(++count & 0xffff))
			rd->in->watch(rd->in, rd->in->watch_arg);
	ended = fxt_child_end(&rd->child);
	if (!err && ended)
		err = broken(rd);
	return err ? err : fxt_tp_reader_end(&rd->tp);
}

static void tp_free(void *tp)
{
	fxt_tp_free(tp);
}

int fxt_tracecmd_read(struct fxt_conversion *c, struct fxt_in *in)
{
	struct tracecmd_reader *rd = calloc(1, sizeof(*rd));
	bool temporary = false;
	int err, fd;

	if (!rd)
		return fxt_error_set(&c->error, ENOMEM, "%s: no memory", in->name);
	rd->c = c;
	rd->in = in;
	err = fxt_tp_reader_init(&rd->tp, c, in->name);
	fd = err ? err : fxt_in_seekable(in, &c->sorter.spool, &temporary);
	err = fd < 0 ? fd : all_read(rd, fd);
	if (err && !c->error.text[0])
		fxt_error_set(&c->error, -err, "%s: %s", in->name, err == -E2BIG ?
			      "more threads or CPUs than can be kept" : strerror(-err));
	fxt_tp_reader_uninit(&rd->tp);
	fxt_map_uninit(&rd->formats, tp_free);
	if (temporary)
		close(fd);
	free(rd);
	return err;
}
