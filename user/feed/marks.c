// SPDX-License-Identifier: GPL-2.0-only
/* Reads marks that programs write to trace_marker, in the form of Android's tools: durations, counters, instants. */
#include <errno.h>
#include <stdlib.h>

#include "convert/skip.h"
#include "feed/feed.h"
#include "model/async.h"

/* Parts of a mark: "X|process|name|...". */
#define PARTS	7

struct mark {
	struct fxt_feed *f;
	const struct fxt_feed_event *head;
	struct fxt_feed_thread *task;
	char letter;
	__u32 process;		/* 0: not known */
	struct fxt_span name;	/* the third part and all later parts */
	struct fxt_span part[PARTS];
};

/* Starts f->r: for the thread; or, if the mark names another process, for that process's main thread. */
static void event(const struct mark *m, enum fxt_event_type type,
		  bool of_process, struct fxt_span name, struct fxt_span category)
{
	__u64 process = fxt_feed_process_of(m->task), thread = m->task->tid;

	if (of_process && m->process && m->process != process) {
		process = m->process;
		if (!m->f->ours && thread != process)
			fxt_skip(m->f->c, "threads that wrote marks of another process", 1);
		thread = m->f->ours ? thread : process;
	}
	if (m->f->ours && fxt_span_is(name, "[empty]"))
		name.bytes = 0;
	fxt_build_event(&m->f->r, type, m->head->ns, process, thread,
			fxt_span_text(category), fxt_span_text(name));
}

static int put(const struct mark *m)
{
	return fxt_feed_put_on(m->f, m->head->ns, m->head->cpu);
}

/*
 * Starts a slice.  For Perfetto, the whole rest is the name; Trace Viewer expects arguments and a category after the
 * name: they are read where the parts look like them.
 */
static int begin(const struct mark *m)
{
	bool more = memchr(m->part[3].at, '=', m->part[3].bytes) || m->part[4].bytes;
	int provider = fxt_feed_cpu_provider(m->f, m->head->cpu);

	if (provider < 0)
		return provider;
	event(m, FXT_EVENT_DURATION_BEGIN, false, more ? m->part[2] : m->name,
	      more ? m->part[4] : fxt_span("", 0));
	if (m->f->ours)
		return fxt_feed_slice_open(m->f, m->task, provider);
	fxt_feed_args(&m->f->r, more ? m->part[3] : fxt_span("", 0), ';', false);
	return put(m);
}

/* Returns whether a category is of fxtrec's messages; "log" is that of a log record without an event. */
static bool of_message(const struct mark *m, struct fxt_span category)
{
	return m->f->ours && (fxt_span_is(category, "log") || fxt_span_is(category, "mark") ||
			   fxt_span_is(category, "kernel log"));
}

/* Puts a message: a log record and an event, or a log record alone. */
static int message(const struct mark *m, struct fxt_span text,
		   struct fxt_span category)
{
	bool log = m->f->ours && fxt_span_is(category, "log");
	int err;

	fxt_build_log(&m->f->r, m->head->ns, fxt_feed_process_of(m->task), m->task->tid,
		      fxt_span_text(text));
	err = put(m);
	if (err || log)
		return err;
	event(m, FXT_EVENT_INSTANT, false, text, category);
	return put(m);
}

static int end(const struct mark *m)
{
	bool lost = fxt_span_is(m->part[4], "fxtrec") && fxt_span_is(m->part[2], "lost");
	int err = 0;

	if (fxt_span_is(m->part[5], "instant") && of_message(m, m->part[4])) {
		if (m->task->slices.count)
			fxt_feed_slices_remove(m->f, &m->task->slices, m->task->slices.count - 1);
		return message(m, m->part[2], m->part[4]);
	}
	event(m, FXT_EVENT_DURATION_END, false, m->part[2], m->part[4]);
	if (m->f->ours && !m->part[5].bytes)
		err = fxt_feed_slice_begin(m->f, m->task);
	if (err)
		return err;
	fxt_feed_args(&m->f->r, m->part[3], ';', m->f->ours);
	if (m->f->ours && m->part[5].bytes)
		err = fxt_feed_slice_close(m->f, m->task, m->part[5]);
	else
		err = put(m);
	/* A provider event has the same meaning in FXT. */
	return !err && lost ? fxt_feed_lost_event(m->f, m->head->cpu, m->head->ns) : err;
}

static int counter(const struct mark *m)
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
	event(m, FXT_EVENT_COUNTER, true, m->part[2], m->part[4]);
	m->f->r.event.id = 0;
	if (fxt_span_number(&digits, &number) && !digits.bytes && (!negative || number <= 1ULL << 63)) {
		if (!negative && number >> 63)
			fxt_build_arg_uint(&m->f->r, value, number);
		else
			fxt_build_arg_int(&m->f->r, value, negative ? 0 - number : number);
	} else if (fxt_span_real(all, &real)) {
		fxt_build_arg_double(&m->f->r, value, real);
	} else {
		return fxt_flaw(m->f->c, &no_number);
	}
	return put(m);
}

/* Computes the id: Android identifies events by name (or track) and cookie, which is often 0; FXT by the id alone. */
static bool cookie_id(const struct mark *m, struct fxt_span text,
		      struct fxt_span scope, __u64 *id)
{
	bool negative = fxt_span_skip(&text, "-");

	if (!fxt_span_number(&text, id))
		return false;
	if (negative)
		*id = 0 - *id;
	if (!m->f->ours)
		*id = fxt_async_mark_id(*id, scope.at, scope.bytes);
	return true;
}

static int async(const struct mark *m)
{
	bool begins = m->letter == 'S';
	__u64 id;

	if (!cookie_id(m, m->part[3], m->part[2], &id))
		return 1;
	event(m, begins ? FXT_EVENT_ASYNC_BEGIN : FXT_EVENT_ASYNC_END, true, m->part[2],
	      m->part[5]);
	m->f->r.event.id = id;
	fxt_feed_args(&m->f->r, m->part[4], ';', m->f->ours);
	return put(m);
}

static int track_put(const struct mark *m, enum fxt_event_type type, struct fxt_span name,
		     __u64 id)
{
	event(m, type, true, name, fxt_span("", 0));
	m->f->r.event.id = id;
	fxt_build_arg_string(&m->f->r, fxt_build_string(FXT_TRACK_ARG), fxt_span_text(m->part[2]));
	return put(m);
}

/* Reads "G|process|track|name|cookie", and "H|process|track|cookie", with a name in newer versions. */
static int track(const struct mark *m)
{
	bool begins = m->letter == 'G', named = m->part[4].bytes;
	__u64 id;

	if (!cookie_id(m, m->part[named ? 4 : 3], m->part[2], &id))
		return 1;
	return track_put(m, begins ? FXT_EVENT_ASYNC_BEGIN : FXT_EVENT_ASYNC_END,
			 named ? m->part[3] : fxt_span("", 0), id);
}

static int instant(const struct mark *m)
{
	if (of_message(m, m->part[4]))
		return message(m, m->part[2], m->part[4]);
	event(m, FXT_EVENT_INSTANT, false, m->part[2], m->part[4]);
	fxt_feed_args(&m->f->r, m->part[3], ';', m->f->ours);
	return put(m);
}

/* Reads "N|process|track|name". */
static int track_instant(const struct mark *m)
{
	__u64 id;

	cookie_id(m, fxt_span("0", 1), m->part[2], &id);
	return track_put(m, FXT_EVENT_ASYNC_INSTANT, m->part[3], id);
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

static int android(const struct mark *m)
{
	switch (m->letter) {
	case 'B':
		return begin(m);
	case 'E':
		return end(m);
	case 'C':
		return counter(m);
	case 'S':
	case 'F':
		return async(m);
	case 'G':
	case 'H':
		return track(m);
	case 'I':
		return instant(m);
	case 'N':
		return track_instant(m);
	default:
		return 1;
	}
}

/* Returns whether a parent clock has the same reading: "parent_ts=0", or the line's own time. */
static bool same_clock(const struct fxt_feed_event *e, struct fxt_span text)
{
	__u64 ns;

	return fxt_span_skip(&text, "parent_ts=") && fxt_span_seconds(&text, &ns) && !text.bytes &&
	       (!ns || ns == e->ns);
}

/* Reads the clocks' readings.  Equal readings show that the text's clock is CLOCK_MONOTONIC, which is the default. */
static int clock_read(const struct mark *m, struct fxt_span text)
{
	struct fxt_record *r = &m->f->r;
	struct fxt_span rest = text;
	__u64 milliseconds;

	if (same_clock(m->head, text))
		return 0;
	fxt_build_event(r, FXT_EVENT_INSTANT, m->head->ns, fxt_feed_process_of(m->task), m->task->tid,
			fxt_build_string("fxtrec"), fxt_build_string("clock"));
	if (!fxt_span_skip(&rest, "realtime_ts=") || !fxt_span_number(&rest, &milliseconds)) {
		r->name = fxt_build_string("trace_event_clock_sync");
		fxt_feed_args(r, text, ' ', false);
		return fxt_feed_put_at(m->f, m->head->ns, m->f->provider);
	}
	fxt_span_skip_spaces(&rest);
	if (m->f->ours) {
		fxt_feed_args(r, rest, ' ', true);
	} else {
		fxt_build_arg_string(r, fxt_build_string("clock"), fxt_build_string("mono"));
		fxt_build_arg_uint(r, fxt_build_string("realtime"), milliseconds * 1000000);
		fxt_build_arg_uint(r, fxt_build_string("monotonic"), m->head->ns);
	}
	return fxt_feed_put_at(m->f, m->head->ns, m->f->provider);
}

int fxt_feed_mark(struct fxt_feed *f, const struct fxt_feed_event *e, struct fxt_span text)
{
	struct mark m = { .f = f, .head = e, .task = fxt_feed_thread(f, e->tid) };
	struct fxt_span process;
	int err = m.task ? fxt_feed_runs(f, e) : -E2BIG;

	if (err)
		return err;
	if (fxt_span_skip(&text, "trace_event_clock_sync: "))
		return clock_read(&m, text);
	split(&m, text);
	process = m.part[1];
	if (m.part[0].bytes != 1 ||
	    (process.bytes && !(fxt_span_u32(&process, &m.process) && !process.bytes)) ||
	    (!m.process && *text.at != 'E' && !memchr(text.at, '|', text.bytes)))
		return message(&m, text, fxt_span("mark", 4));
	m.letter = *text.at;
	/* Without a column of processes, the mark has the thread's process; a counter's may be another process. */
	if (m.process && !m.task->process_known && strchr("BEI", m.letter))
		err = fxt_feed_thread_process(f, m.task, m.process, e->ns);
	if (!err)
		err = android(&m);
	return err == 1 ? message(&m, text, fxt_span("mark", 4)) : err;
}

int fxt_feed_print(struct fxt_feed *f, const struct fxt_feed_event *e, struct fxt_span text)
{
	size_t bytes = text.bytes < FXT_FEED_MARK_MAX ? text.bytes : FXT_FEED_MARK_MAX;
	char *mended = malloc(bytes + 1);
	int err = mended ? fxt_feed_mark(f, e, fxt_span_mend(fxt_span(text.at, bytes), mended)) : -ENOMEM;

	free(mended);
	return err;
}
