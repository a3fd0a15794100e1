// SPDX-License-Identifier: GPL-2.0-only
/* Reads ftrace's text, a piece at a time. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "convert/skip.h"
#include "formats/ftrace/read.h"

struct fxt_ftrace_parser *fxt_ftrace_parser_open(struct fxt_conversion *c, const char *name)
{
	struct fxt_ftrace_parser *p = malloc(sizeof(*p));

	if (!p)
		return NULL;
	/* Lines are written before they are read; a file of JSON may have many texts, which are short. */
	memset(p, 0, offsetof(struct fxt_ftrace_parser, hold));
	p->name = name;
	/* Without a provider, the text can't be fed. */
	fxt_feed_init(&p->feed, c);
	return p;
}

void fxt_ftrace_parser_close(struct fxt_ftrace_parser *p)
{
	fxt_feed_uninit(&p->feed);
	free(p);
}

void fxt_ftrace_parser_nameless(struct fxt_ftrace_parser *p)
{
	p->feed.nameless = true;
}

void fxt_ftrace_parser_line(struct fxt_ftrace_parser *p, __u64 line)
{
	p->line_number = line - 1;
}

static const struct fxt_flaw unknown_line = {
	"neither an ftrace event nor a comment", "lines that were not understood",
	"\"COMM-PID [CPU] FLAGS TIME: EVENT: FIELDS\"",
};
static const struct fxt_flaw malformed_event = {
	"an event with malformed fields", "events with malformed fields",
	"the fields that the kernel's event has, as prev_comm= to next_prio= of sched_switch",
};
static const struct fxt_flaw long_line = {
	"a line of more than 64 KiB", "lines of more than 64 KiB", NULL,
};

static const struct fxt_flaw cut_line = {
	"it is cut off in its last line", "lines that are cut off", NULL,
};

static int failed(struct fxt_ftrace_parser *p, int err)
{
	/* The flaw was reported. */
	if (err == -EBADMSG)
		return err;
	if (err == -E2BIG)
		return fxt_error_set(&p->feed.c->error, E2BIG,
				     "%s: line %llu: more threads or CPUs than can be kept", p->name,
				     p->line_number);
	return fxt_error_set(&p->feed.c->error, -err, "%s: line %llu: %s", p->name, p->line_number,
			     strerror(-err));
}

static int event_read(struct fxt_ftrace_parser *p, struct fxt_ftrace_line *line)
{
	struct fxt_span text = line->fields;
	int err;

	if (fxt_span_is(line->event, "sched_switch"))
		return fxt_ftrace_read_switch(p, line);
	/* Wakeups before the first waking belong to wakings that the text lacks. */
	p->waking = p->waking || fxt_span_is(line->event, "sched_waking");
	if (fxt_span_is(line->event, "sched_waking") ||
	    fxt_span_is(line->event, "sched_wakeup_new") ||
	    (!p->waking && fxt_span_is(line->event, "sched_wakeup")))
		return fxt_ftrace_read_wakeup(p, line);
	if (fxt_span_is(line->event, "sched_migrate_task"))
		return fxt_ftrace_read_migrate(p, line);
	if (fxt_span_is(line->event, "print") && !fxt_span_skip(&text, "tracing_mark_write: "))
		return fxt_ftrace_read_other(p, line);
	if (fxt_span_is(line->event, "tracing_mark_write") || fxt_span_is(line->event, "print") ||
	    fxt_span_is(line->event, "0"))
		return fxt_feed_mark(&p->feed, &line->head, text);
	err = fxt_ftrace_read_kernel(p, line);
	return err == -ENOENT ? fxt_ftrace_read_other(p, line) : err;
}

/*
 * Reads a record of perf. perf's own records have no time: threads that existed before.  The events that LOST and
 * LOST_SAMPLES count were lost before the record.
 */
static int record_read(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	bool lost = fxt_span_is(line->event, "LOST") || fxt_span_is(line->event, "LOST_SAMPLES");
	int err = line->head.ns && !line->head.no_cpu && !lost ? fxt_feed_seen(&p->feed, &line->head) : 0;

	if (lost && line->head.ns > p->feed.last_ns)
		p->feed.last_ns = line->head.ns;
	return err ? err : fxt_ftrace_read_record(p, line);
}

/*
 * Finds the thread of a line of perf script -F pid, without tid: the last switch's on that CPU.  True for a switch,
 * which has the ids itself: the name in its line is that thread's.
 */
static bool thread_find(struct fxt_ftrace_parser *p, struct fxt_ftrace_line *line)
{
	const struct fxt_feed_cpu *cpu = line->head.no_cpu ? NULL : fxt_feed_cpu(&p->feed, line->head.cpu);

	if (fxt_span_is(line->event, "sched_switch"))
		return true;
	if (!p->lone_process || !line->head.tid)
		return false;
	if (!cpu || !cpu->current_known || !cpu->current) {
		fxt_skip(p->feed.c, "threads of events with only their process, taken for its first one", 1);
		return false;
	}
	line->head.tgid = line->head.tid;
	line->head.tid = cpu->current;
	return false;
}

static int sample_read(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	return fxt_feed_sampled(&p->feed, &line->head, line->event, line->has_period ? &line->period : NULL,
				fxt_span("", 0));
}

static int line_read(struct fxt_ftrace_parser *p, struct fxt_ftrace_line *line)
{
	bool named = line->lone && !line->record && thread_find(p, line);
	struct fxt_feed_thread *t;
	int err;

	if (line->record)
		return record_read(p, line);
	err = line->head.no_cpu ? 0 : fxt_feed_seen(&p->feed, &line->head);
	t = fxt_feed_thread(&p->feed, line->head.tid);
	if (!t)
		return -E2BIG;
	if (line->unitless)
		fxt_skip(p->feed.c, "units of times (numbers without a fraction are taken for nanoseconds)", 1);
	if (!err && line->head.tgid)
		err = fxt_feed_thread_process(&p->feed, t, line->head.tgid, line->head.ns);
	if (!err && !line->head.ns && !named)
		err = fxt_feed_thread_name(&p->feed, t, line->head.comm, line->head.ns, false);
	if (!err)
		err = line->sample ? sample_read(p, line) : event_read(p, line);
	if (!err && !named)
		err = fxt_feed_thread_name(&p->feed, t, line->head.comm, line->head.ns, false);
	return err;
}

/* Returns the length without the end of a line in a JavaScript string: "\n\\", or "\n\";" in the last line. */
static size_t escape_strip(const char *text, size_t bytes)
{
	if (bytes >= 3 && !memcmp(text + bytes - 3, "\\n\\", 3))
		return bytes - 3;
	if (bytes >= 4 && !memcmp(text + bytes - 4, "\\n\";", 4))
		return bytes - 4;
	return bytes;
}

/* Returns whether an event was seen already, as trace-cmd report prints an event for each of several buffers. */
static bool is_twin(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	const char *end = line->fields.at + line->fields.bytes;
	unsigned int buffer = p->unnamed && !line->buffer.bytes ? p->unnamed - 1 :
			      fxt_feed_buffer(&p->feed, line->buffer);

	p->unnamed = 0;
	return fxt_feed_is_twin(&p->feed, &line->head, line->event.at, end - line->event.at, buffer);
}

static void delta_add(struct fxt_ftrace_parser *p, struct fxt_ftrace_line *line)
{
	p->delta_sum += line->head.ns;
	line->head.ns = p->delta_sum;
	if (!p->feed.exact)
		fxt_skip(p->feed.c, "parts of a microsecond that perf script --deltatime doesn't print (--ns does)", 1);
}

/*
 * Returns whether an event's name ends where the line does: otherwise a colon, or a space and the function's caller,
 * follows.
 */
static bool name_cut(const struct fxt_ftrace_line *line, struct fxt_span s)
{
	return !line->record && line->event.at + line->event.bytes == s.at + s.bytes;
}

static int text_line(struct fxt_ftrace_parser *p, const char *text, size_t bytes)
{
	struct fxt_ftrace_line line;
	struct fxt_span s;
	int err;

	p->line_number++;
	p->feed.c->place = (struct fxt_place){ .input = p->name, .is_line = true, .at = p->line_number };
	if (bytes && text[bytes - 1] == '\r')
		bytes--;
	if (p->escaped)
		bytes = escape_strip(text, bytes);
	s = fxt_span_mend(fxt_span(text, bytes), p->fixed);
	if (bytes && *s.at != '#' && fxt_ftrace_line_parse(&line, s.at, bytes)) {
		if (p->cut && name_cut(&line, s))
			return fxt_flaw(p->feed.c, &cut_line);
		if (p->feed.buffers && is_twin(p, &line))
			return 0;
		if (p->deltas)
			delta_add(p, &line);
		line.decimal = fxt_ftrace_numbers(&line, p->plain);
		err = line_read(p, &line);
		if (err == 1)
			return fxt_flaw(p->feed.c, p->cut ? &cut_line : &malformed_event);
	} else {
		err = fxt_ftrace_read_comment(p, s);
		if (err == 1)
			return fxt_flaw(p->feed.c, p->cut && p->feed.started ? &cut_line : &unknown_line);
	}
	return err ? failed(p, err) : 0;
}

/* Reads all whole lines; returns their bytes, or -errno. */
static ssize_t lines_read(struct fxt_ftrace_parser *p, const char *text, size_t bytes)
{
	const char *at = text, *end = text + bytes, *line_end;

	while (at < end && (line_end = memchr(at, '\n', end - at))) {
		int err = text_line(p, at, line_end - at);

		if (err)
			return err;
		at = line_end + 1;
	}
	return at - text;
}

/*
 * Returns whether perf script --deltatime printed the text: times start with 0, as with --reltime, but go back.  exact:
 * a time has nanoseconds.
 */
static bool deltas_look(const struct fxt_ftrace_parser *p, bool *exact)
{
	const char *at = p->hold, *end = at + p->held, *line_end;
	bool first = true, back = false;
	struct fxt_ftrace_line line;
	__u64 last = 0;

	for (; (line_end = memchr(at, '\n', end - at)); at = line_end + 1) {
		if (*at == '#' || !fxt_ftrace_line_parse(&line, at, line_end - at))
			continue;
		if (!line.head.contextless || (first && line.head.ns))
			return false;
		back |= line.head.ns < last;
		*exact |= line.head.ns % 1000 != 0;
		last = line.head.ns;
		first = false;
	}
	return back;
}

/* Returns whether the number in a line with one number is the process's. */
static bool lone_look(const struct fxt_ftrace_parser *p)
{
	const char *at = p->hold, *end = at + p->held, *line_end;
	struct fxt_ftrace_line line;

	for (; (line_end = memchr(at, '\n', end - at)); at = line_end + 1) {
		if (*at == '#' || !fxt_ftrace_line_parse(&line, at, line_end - at) || line.head.nobody)
			continue;
		if (!line.lone || fxt_ftrace_switch_is_other(&line))
			return line.lone;
	}
	return false;
}

/*
 * Notes the processes of threads at the start of a text that starts at time 0: names at that time can't wait for a
 * later line with the process.
 */
static int processes_look(struct fxt_ftrace_parser *p)
{
	const char *at = p->hold, *end = at + p->held, *line_end;
	struct fxt_ftrace_line line;
	struct fxt_feed_thread *t;
	bool first = true;
	int err = 0;

	for (; !err && (line_end = memchr(at, '\n', end - at)); at = line_end + 1) {
		if (*at == '#' || !fxt_ftrace_line_parse(&line, at, line_end - at) || line.record)
			continue;
		if (first && line.head.ns)
			return 0;
		first = false;
		t = line.head.tgid ? fxt_feed_thread(&p->feed, line.head.tid) : NULL;
		if (line.head.tgid)
			err = t ? fxt_feed_thread_process(&p->feed, t, line.head.tgid, 0) : -E2BIG;
	}
	return err;
}

/* Examines the text's start, then reads its lines. */
static int look(struct fxt_ftrace_parser *p)
{
	static const char waking[] = " sched_waking: ", perf_waking[] = " sched:sched_waking: ";
	static const char perf_switch[] = " sched:sched_switch: ";
	static const char ours[] = "\n# fxtrec convert";
	const char *first;
	ssize_t used;
	int err;

	p->looked = true;
	p->waking = memmem(p->hold, p->held, waking, sizeof(waking) - 1) ||
		    memmem(p->hold, p->held, perf_waking, sizeof(perf_waking) - 1);
	p->switches = memmem(p->hold, p->held, perf_switch, sizeof(perf_switch) - 1);
	/* Older versions of trace-cmd print the CPUs without events first. */
	if (((p->held > 5 && !memcmp(p->hold, "cpus=", 5)) || memmem(p->hold, p->held, "\ncpus=", 6)) &&
	    fxt_feed_buffers_open(&p->feed))
		return failed(p, -ENOMEM);
	p->deltas = deltas_look(p, &p->feed.exact);
	p->lone_process = lone_look(p);
	p->feed.ours = memmem(p->hold, p->held, ours, sizeof(ours) - 1);
	err = p->feed.ours ? 0 : processes_look(p);
	if (err)
		return failed(p, err);
	first = memchr(p->hold, '\n', p->held);
	if (first) {
		used = first - p->hold;
		used -= used && first[-1] == '\r';
		p->escaped = escape_strip(p->hold, used) < (size_t)used;
	}
	used = lines_read(p, p->hold, p->held);
	if (used < 0)
		return used;
	p->held -= used;
	memmove(p->hold, p->hold + used, p->held);
	return 0;
}

/* Keeps the start of a line, or of the text. */
static size_t hold(struct fxt_ftrace_parser *p, const char *text, size_t bytes)
{
	size_t room = sizeof(p->hold) - p->held, part = bytes < room ? bytes : room;

	memcpy(p->hold + p->held, text, part);
	p->held += part;
	return part;
}

static int overlong(struct fxt_ftrace_parser *p)
{
	p->held = 0;
	p->skipping = true;
	p->line_number++;
	p->feed.c->place = (struct fxt_place){ .input = p->name, .is_line = true, .at = p->line_number };
	return fxt_flaw(p->feed.c, &long_line);
}

/* Continues a line from an earlier piece, up to its end. */
static int line_go_on(struct fxt_ftrace_parser *p, const char **text, size_t *bytes)
{
	const char *end = memchr(*text, '\n', *bytes);
	size_t part = end ? (size_t)(end - *text) : *bytes;
	int err = 0;

	if (!p->skipping && hold(p, *text, part) < part)
		err = overlong(p);
	*text += part + (end != NULL);
	*bytes -= part + (end != NULL);
	if (err || !end)
		return err;
	if (!p->skipping)
		err = text_line(p, p->hold, p->held);
	p->skipping = false;
	p->held = 0;
	return err;
}

int fxt_ftrace_parser_feed(struct fxt_ftrace_parser *p, const char *text, size_t bytes)
{
	ssize_t used;
	size_t part;
	int err = 0;

	if (p->feed.provider < 0)
		return failed(p, p->feed.provider);
	if (!p->looked) {
		part = hold(p, text, bytes);
		text += part;
		bytes -= part;
		if (p->held == sizeof(p->hold))
			err = look(p);
	}
	if (!err && bytes && (p->held || p->skipping))
		err = line_go_on(p, &text, &bytes);
	if (err || !bytes)
		return err;
	used = lines_read(p, text, bytes);
	if (used < 0)
		return used;
	part = bytes - used;
	return hold(p, text + used, part) < part ? overlong(p) : 0;
}

int fxt_ftrace_parser_end(struct fxt_ftrace_parser *p)
{
	int err = p->looked ? 0 : look(p);

	p->cut = true;
	if (!err && p->held && !p->skipping)
		err = text_line(p, p->hold, p->held);
	p->held = 0;
	if (err)
		return err;
	err = fxt_feed_end(&p->feed);
	return err ? failed(p, err) : 0;
}
