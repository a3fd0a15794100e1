// SPDX-License-Identifier: GPL-2.0-only
/* Marks in ftrace's text, as Android's tools write them: durations, counters, instants. */
#include <errno.h>
#include <stdlib.h>

#include "convert/skip.h"
#include "formats/ftrace/read.h"
#include "store/hash.h"

/* A mark's parts: "X|process|name|..." */
#define PARTS	7

struct mark {
	const struct fxt_ftrace_line *line;
	struct fxt_ftrace_task *task;
	char letter;
	__u32 process;		/* 0: not known */
	struct fxt_span name;	/* the third part and all behind it */
	struct fxt_span part[PARTS];
};

/* Begins p->r: of the thread; of a process that is not its own, as the mark names it, the main thread. */
static void event(struct fxt_ftrace_parser *p, const struct mark *m, enum fxt_event_type type,
		  bool of_process, struct fxt_span name, struct fxt_span category)
{
	__u64 process = fxt_ftrace_process_of(m->task), thread = m->task->tid;

	if (of_process && m->process && m->process != process) {
		process = m->process;
		if (!p->ours && thread != process)
			fxt_skip(p->c, "threads that wrote marks of another process", 1);
		thread = p->ours ? thread : process;
	}
	if (p->ours && fxt_span_is(name, "[empty]"))
		name.bytes = 0;
	fxt_build_event(&p->r, type, m->line->ns, process, thread,
			fxt_span_text(category), fxt_span_text(name));
}

static int put(struct fxt_ftrace_parser *p, const struct mark *m)
{
	return fxt_ftrace_put_on(p, m->line->ns, m->line->cpu);
}

/*
 * For Perfetto, all of the rest is the name; Trace Viewer expects arguments and a
 * category behind it.  They are read where the parts look like them.
 */
static int begin(struct fxt_ftrace_parser *p, const struct mark *m)
{
	bool more = memchr(m->part[3].at, '=', m->part[3].bytes) || m->part[4].bytes;
	int provider = fxt_ftrace_cpu_provider(p, m->line->cpu);

	if (provider < 0)
		return provider;
	event(p, m, FXT_EVENT_DURATION_BEGIN, false, more ? m->part[2] : m->name,
	      more ? m->part[4] : fxt_span("", 0));
	if (p->ours)
		return fxt_ftrace_slice_open(p, m->task, provider);
	fxt_ftrace_args_add(&p->r, more ? m->part[3] : fxt_span("", 0), ';', false);
	return put(p, m);
}

/* Categories of fxtrec's messages; "log" is that of a log record without an event. */
static bool of_message(const struct fxt_ftrace_parser *p, struct fxt_span category)
{
	return p->ours && (fxt_span_is(category, "log") || fxt_span_is(category, "mark") ||
			   fxt_span_is(category, "kernel log"));
}

/* A message is a log record and an event, but for a log record alone. */
static int message(struct fxt_ftrace_parser *p, const struct mark *m, struct fxt_span text,
		   struct fxt_span category)
{
	bool log = p->ours && fxt_span_is(category, "log");
	int err;

	fxt_build_log(&p->r, m->line->ns, fxt_ftrace_process_of(m->task), m->task->tid,
		      fxt_span_text(text));
	err = put(p, m);
	if (err || log)
		return err;
	event(p, m, FXT_EVENT_INSTANT, false, text, category);
	return put(p, m);
}

static int end(struct fxt_ftrace_parser *p, const struct mark *m)
{
	bool lost = fxt_span_is(m->part[4], "fxtrec") && fxt_span_is(m->part[2], "lost");
	int err = 0;

	if (fxt_span_is(m->part[5], "instant") && of_message(p, m->part[4])) {
		fxt_ftrace_slice_drop(p, m->task);
		return message(p, m, m->part[2], m->part[4]);
	}
	event(p, m, FXT_EVENT_DURATION_END, false, m->part[2], m->part[4]);
	if (p->ours && !m->part[5].bytes)
		err = fxt_ftrace_slice_begin(p, m->task);
	if (err)
		return err;
	fxt_ftrace_args_add(&p->r, m->part[3], ';', p->ours);
	if (p->ours && m->part[5].bytes)
		err = fxt_ftrace_slice_close(p, m->task, m->part[5]);
	else
		err = put(p, m);
	/* A provider event says the same in FXT. */
	return !err && lost ? fxt_ftrace_lost_event(p, m->line->cpu, m->line->ns) : err;
}

static int counter(struct fxt_ftrace_parser *p, const struct mark *m)
{
	static const struct fxt_flaw no_number = {
		"a counter's mark without a number", "counters' marks without a number", "\"C|PROCESS|NAME|NUMBER\"",
	};
	struct fxt_text value = fxt_build_string("value");
	struct fxt_span all = m->part[3], digits;
	__u64 number;
	bool negative;
	double real;

	fxt_span_trim(&all);
	digits = all;
	negative = fxt_span_skip(&digits, "-");
	event(p, m, FXT_EVENT_COUNTER, true, m->part[2], m->part[4]);
	p->r.event.id = 0;
	if (fxt_span_number(&digits, &number) && !digits.bytes && (!negative || number <= 1ULL << 63)) {
		if (!negative && number >> 63)
			fxt_build_arg_uint(&p->r, value, number);
		else
			fxt_build_arg_int(&p->r, value, negative ? 0 - number : number);
	} else if (fxt_span_real(all, &real)) {
		fxt_build_arg_double(&p->r, value, real);
	} else {
		return fxt_flaw(p->c, &no_number);
	}
	return put(p, m);
}

/*
 * Android identifies events by name (or track) and cookie, which is often 0; FXT
 * by the id alone.
 */
static bool cookie_id(const struct fxt_ftrace_parser *p, struct fxt_span text,
		      struct fxt_span scope, __u64 *id)
{
	bool negative = fxt_span_skip(&text, "-");

	if (!fxt_span_number(&text, id))
		return false;
	if (negative)
		*id = 0 - *id;
	if (!p->ours)
		*id = fxt_ftrace_mark_id(*id, scope.at, scope.bytes);
	return true;
}

static int async(struct fxt_ftrace_parser *p, const struct mark *m)
{
	bool begins = m->letter == 'S';
	__u64 id;

	if (!cookie_id(p, m->part[3], m->part[2], &id))
		return 1;
	event(p, m, begins ? FXT_EVENT_ASYNC_BEGIN : FXT_EVENT_ASYNC_END, true, m->part[2],
	      m->part[5]);
	p->r.event.id = id;
	fxt_ftrace_args_add(&p->r, m->part[4], ';', p->ours);
	return put(p, m);
}

static int track_put(struct fxt_ftrace_parser *p, const struct mark *m, enum fxt_event_type type, struct fxt_span name,
		     __u64 id)
{
	event(p, m, type, true, name, fxt_span("", 0));
	p->r.event.id = id;
	fxt_build_arg_string(&p->r, fxt_build_string(FXT_TRACK_ARG), fxt_span_text(m->part[2]));
	return put(p, m);
}

/* "G|process|track|name|cookie", and "H|process|track|cookie", with a name in newer versions. */
static int track(struct fxt_ftrace_parser *p, const struct mark *m)
{
	bool begins = m->letter == 'G', named = m->part[4].bytes;
	__u64 id;

	if (!cookie_id(p, m->part[named ? 4 : 3], m->part[2], &id))
		return 1;
	return track_put(p, m, begins ? FXT_EVENT_ASYNC_BEGIN : FXT_EVENT_ASYNC_END,
			 named ? m->part[3] : fxt_span("", 0), id);
}

static int instant(struct fxt_ftrace_parser *p, const struct mark *m)
{
	if (of_message(p, m->part[4]))
		return message(p, m, m->part[2], m->part[4]);
	event(p, m, FXT_EVENT_INSTANT, false, m->part[2], m->part[4]);
	fxt_ftrace_args_add(&p->r, m->part[3], ';', p->ours);
	return put(p, m);
}

/* "N|process|track|name". */
static int track_instant(struct fxt_ftrace_parser *p, const struct mark *m)
{
	__u64 id;

	cookie_id(p, fxt_span("0", 1), m->part[2], &id);
	return track_put(p, m, FXT_EVENT_ASYNC_INSTANT, m->part[3], id);
}

static void split(struct mark *m, struct fxt_span text)
{
	unsigned int i;

	m->name = fxt_span("", 0);
	for (i = 0; i < PARTS; i++) {
		if (i == 2)
			m->name = text;
		m->part[i] = fxt_span_part(&text, '|');
	}
}

static int android(struct fxt_ftrace_parser *p, const struct mark *m)
{
	switch (m->letter) {
	case 'B':
		return begin(p, m);
	case 'E':
		return end(p, m);
	case 'C':
		return counter(p, m);
	case 'S':
	case 'F':
		return async(p, m);
	case 'G':
	case 'H':
		return track(p, m);
	case 'I':
		return instant(p, m);
	case 'N':
		return track_instant(p, m);
	default:
		return 1;
	}
}

/* Whether a parent clock reads the same: "parent_ts=0", or the line's own time. */
static bool same_clock(const struct fxt_ftrace_line *line, struct fxt_span text)
{
	__u64 ns;

	return fxt_span_skip(&text, "parent_ts=") && fxt_span_seconds(&text, &ns) && !text.bytes &&
	       (!ns || ns == line->ns);
}

/*
 * The clocks' readings.  The same reading says that the text's clock is CLOCK_MONOTONIC,
 * which is the default.
 */
static int clock_read(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, struct fxt_span text)
{
	struct fxt_ftrace_task *t = fxt_ftrace_task(p, line->tid);
	struct fxt_span rest = text;
	__u64 milliseconds;

	if (!t || same_clock(line, text))
		return t ? 0 : -E2BIG;
	fxt_build_event(&p->r, FXT_EVENT_INSTANT, line->ns, fxt_ftrace_process_of(t), line->tid,
			fxt_build_string("fxtrec"), fxt_build_string("clock"));
	if (!fxt_span_skip(&rest, "realtime_ts=") || !fxt_span_number(&rest, &milliseconds)) {
		p->r.name = fxt_build_string("trace_event_clock_sync");
		fxt_ftrace_args_add(&p->r, text, ' ', false);
		return fxt_ftrace_put_at(p, line->ns, p->provider);
	}
	fxt_span_skip_spaces(&rest);
	if (p->ours) {
		fxt_ftrace_args_add(&p->r, rest, ' ', true);
	} else {
		fxt_build_arg_string(&p->r, fxt_build_string("clock"), fxt_build_string("mono"));
		fxt_build_arg_uint(&p->r, fxt_build_string("realtime"), milliseconds * 1000000);
		fxt_build_arg_uint(&p->r, fxt_build_string("monotonic"), line->ns);
	}
	return fxt_ftrace_put_at(p, line->ns, p->provider);
}

int fxt_ftrace_read_mark(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line,
			 struct fxt_span text)
{
	struct mark m = { .line = line, .task = fxt_ftrace_task(p, line->tid) };
	struct fxt_span process;
	int err = m.task ? fxt_ftrace_runs(p, line) : -E2BIG;

	if (err)
		return err;
	if (fxt_span_skip(&text, "trace_event_clock_sync: "))
		return clock_read(p, line, text);
	split(&m, text);
	process = m.part[1];
	if (m.part[0].bytes != 1 ||
	    (process.bytes && !(fxt_span_u32(&process, &m.process) && !process.bytes)) ||
	    (!m.process && *text.at != 'E' && !memchr(text.at, '|', text.bytes)))
		return message(p, &m, text, fxt_span("mark", 4));
	m.letter = *text.at;
	/* Without a column of processes, the mark has the thread's; a counter's may be another. */
	if (m.process && !m.task->process_known && strchr("BEI", m.letter))
		err = fxt_ftrace_task_process(p, m.task, m.process, line->ns);
	if (!err)
		err = android(p, &m);
	return err == 1 ? message(p, &m, text, fxt_span("mark", 4)) : err;
}
