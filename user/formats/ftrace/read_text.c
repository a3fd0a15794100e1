// SPDX-License-Identifier: GPL-2.0-only
/* Reads ftrace's text, a piece at a time. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "convert/skip.h"
#include "formats/ftrace/read.h"
#include "util/utf8.h"

struct fxt_ftrace_parser *fxt_ftrace_parser_open(struct fxt_conversion *c, const char *name)
{
	struct fxt_ftrace_parser *p = malloc(sizeof(*p));

	if (!p)
		return NULL;
	/* Lines are written before they are read; a file of JSON may have many texts, which are short. */
	memset(p, 0, offsetof(struct fxt_ftrace_parser, hold));
	p->c = c;
	p->name = name;
	p->tasks.memory.spill = p->calls.memory.spill = p->tracks.memory.spill = &c->sorter.spill;
	p->provider = fxt_sorter_provider(&c->sorter, "fxtrec", 6);
	return p;
}

void fxt_ftrace_parser_close(struct fxt_ftrace_parser *p)
{
	fxt_ftrace_tasks_uninit(p);
	fxt_map_uninit(&p->calls, NULL);
	fxt_map_uninit(&p->tracks, NULL);
	free(p->cpus);
	free(p->twins);
	free(p);
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
	/* A flaw, which is said. */
	if (err == -EBADMSG)
		return err;
	if (err == -E2BIG)
		return fxt_error_set(&p->c->error, E2BIG,
				     "%s: line %llu: more threads or CPUs than can be kept", p->name,
				     p->line_number);
	return fxt_error_set(&p->c->error, -err, "%s: line %llu: %s", p->name, p->line_number,
			     strerror(-err));
}

static int event_read(struct fxt_ftrace_parser *p, struct fxt_ftrace_line *line)
{
	struct fxt_span text = line->fields;
	int err;

	if (fxt_span_is(line->event, "sched_switch"))
		return fxt_ftrace_read_switch(p, line);
	/* Wakeups before the first of them are of wakings that the text hasn't. */
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
		return fxt_ftrace_read_mark(p, line, text);
	err = fxt_ftrace_read_kernel(p, line);
	return err == -ENOENT ? fxt_ftrace_read_other(p, line) : err;
}

static int line_begin(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_ftrace_cpu *cpu = fxt_ftrace_cpu(p, line->cpu);
	int err = 0;

	if (!cpu)
		return -ENOMEM;
	if (cpu->lost)
		err = fxt_ftrace_lost_put(p, line->cpu, line->ns);
	if (!p->started)
		p->first_ns = line->ns;
	p->started = cpu->seen = true;
	p->last_ns = cpu->last_ns = line->ns;
	return err;
}

/*
 * Those that perf made up have no time: threads that were there before.  What LOST and LOST_SAMPLES count was lost
 * before them.
 */
static int record_read(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	bool lost = fxt_span_is(line->event, "LOST") || fxt_span_is(line->event, "LOST_SAMPLES");
	int err = line->ns && !line->no_cpu && !lost ? line_begin(p, line) : 0;

	if (lost && line->ns > p->last_ns)
		p->last_ns = line->ns;
	return err ? err : fxt_ftrace_read_record(p, line);
}

/*
 * perf script -F pid, without tid: the thread is the one that the last switch put on the CPU.  True where a switch
 * itself says which: the name in its line is that thread's.
 */
static bool thread_find(struct fxt_ftrace_parser *p, struct fxt_ftrace_line *line)
{
	const struct fxt_ftrace_cpu *cpu = line->no_cpu ? NULL : fxt_ftrace_cpu(p, line->cpu);

	if (fxt_span_is(line->event, "sched_switch"))
		return true;
	if (!p->lone_process || !line->tid)
		return false;
	if (!cpu || !cpu->current_known || !cpu->current) {
		fxt_skip(p->c, "threads of events with only their process, taken for its first one", 1);
		return false;
	}
	line->tgid = line->tid;
	line->tid = cpu->current;
	return false;
}

static int line_read(struct fxt_ftrace_parser *p, struct fxt_ftrace_line *line)
{
	bool named = line->lone && !line->record && thread_find(p, line);
	struct fxt_ftrace_task *t;
	int err;

	if (line->record)
		return record_read(p, line);
	err = line->no_cpu ? 0 : line_begin(p, line);
	t = fxt_ftrace_task(p, line->tid);
	if (!t)
		return -E2BIG;
	if (line->unitless)
		fxt_skip(p->c, "units of times (numbers without a fraction are taken for nanoseconds)", 1);
	if (!err && line->tgid)
		err = fxt_ftrace_task_process(p, t, line->tgid, line->ns);
	if (!err && !line->ns && !named)
		err = fxt_ftrace_task_name(p, t, line->comm, line->ns, false);
	if (!err)
		err = line->sample ? fxt_ftrace_sampled(p, line, fxt_span("", 0)) : event_read(p, line);
	if (!err && !named)
		err = fxt_ftrace_task_name(p, t, line->comm, line->ns, false);
	return err;
}

/* A line with only valid characters: a corrected copy in p->fixed where need be. */
static struct fxt_span fix(struct fxt_ftrace_parser *p, struct fxt_span s)
{
	__u8 bad = 0;
	size_t i;

	for (i = 0; i < s.bytes; i++)
		bad |= (__u8)s.at[i] >= 0x7f || (__u8)s.at[i] < 0x20;
	if (!bad)
		return s;
	memcpy(p->fixed, s.at, s.bytes);
	fxt_utf8_mend(p->fixed, s.bytes);
	for (i = 0; i < s.bytes; i++) {
		__u8 c = p->fixed[i];

		if ((c < 0x20 && c != '\t') || c == 0x7f)
			p->fixed[i] = '?';
	}
	return fxt_span(p->fixed, s.bytes);
}

/* Lines out of a JavaScript string end with "\n\\", the last one with "\n\";". */
static size_t escape_strip(const char *text, size_t bytes)
{
	if (bytes >= 3 && !memcmp(text + bytes - 3, "\\n\\", 3))
		return bytes - 3;
	if (bytes >= 4 && !memcmp(text + bytes - 4, "\\n\";", 4))
		return bytes - 4;
	return bytes;
}

int fxt_ftrace_parser_mark(struct fxt_ftrace_parser *p, struct fxt_ftrace_marker *m, const char *text,
			   size_t bytes)
{
	struct fxt_ftrace_line line = { .tid = m->tid, .cpu = m->cpu, .ns = m->ns };
	struct fxt_ftrace_task *t = p->provider < 0 ? NULL : fxt_ftrace_task(p, m->tid);
	int err = t ? 0 : p->provider < 0 ? p->provider : -E2BIG;

	if (!err && m->process)
		err = fxt_ftrace_task_process(p, t, m->process, m->ns);
	if (!err)
		err = fxt_ftrace_read_mark(p, &line, fix(p, fxt_span(text, bytes < sizeof(p->fixed) ?
								     bytes : sizeof(p->fixed))));
	if (!err && t->process_known)
		m->process = t->process;
	return err ? failed(p, err) : 0;
}

/* An event that trace-cmd report prints of several buffers. */
static bool is_twin(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	const char *end = line->fields.at + line->fields.bytes;
	unsigned int buffer = p->unnamed && !line->buffer.bytes ? p->unnamed - 1 :
			      fxt_ftrace_twins_buffer(p, line->buffer);

	p->unnamed = 0;
	return fxt_ftrace_is_twin(p, line, line->event.at, end - line->event.at, buffer);
}

static void delta_add(struct fxt_ftrace_parser *p, struct fxt_ftrace_line *line)
{
	p->delta_sum += line->ns;
	line->ns = p->delta_sum;
	if (!p->exact)
		fxt_skip(p->c, "parts of a microsecond that perf script --deltatime doesn't print (--ns does)", 1);
}

/* The name of an event ends where the line does: a colon, or a space and the function's caller, is behind it. */
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
	p->c->place = (struct fxt_place){ .input = p->name, .is_line = true, .at = p->line_number };
	if (bytes && text[bytes - 1] == '\r')
		bytes--;
	if (p->escaped)
		bytes = escape_strip(text, bytes);
	s = fix(p, fxt_span(text, bytes));
	if (bytes && *s.at != '#' && fxt_ftrace_line_parse(&line, s.at, bytes)) {
		if (p->cut && name_cut(&line, s))
			return fxt_flaw(p->c, &cut_line);
		if (p->twins && is_twin(p, &line))
			return 0;
		if (p->deltas)
			delta_add(p, &line);
		line.decimal = fxt_ftrace_numbers(&line, p->plain);
		err = line_read(p, &line);
		if (err == 1)
			return fxt_flaw(p->c, p->cut ? &cut_line : &malformed_event);
	} else {
		err = fxt_ftrace_read_comment(p, s);
		if (err == 1)
			return fxt_flaw(p->c, p->cut && p->started ? &cut_line : &unknown_line);
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
 * Whether perf script --deltatime printed it: times begin with 0, as those of --reltime, but go back.  exact: some
 * are in nanoseconds.
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
		if (!line.contextless || (first && line.ns))
			return false;
		back |= line.ns < last;
		*exact |= line.ns % 1000 != 0;
		last = line.ns;
		first = false;
	}
	return back;
}

/* Whether one number in a line is the process's. */
static bool lone_look(const struct fxt_ftrace_parser *p)
{
	const char *at = p->hold, *end = at + p->held, *line_end;
	struct fxt_ftrace_line line;

	for (; (line_end = memchr(at, '\n', end - at)); at = line_end + 1) {
		if (*at == '#' || !fxt_ftrace_line_parse(&line, at, line_end - at) || line.nobody)
			continue;
		if (!line.lone || fxt_ftrace_switch_is_other(&line))
			return line.lone;
	}
	return false;
}

/*
 * Of a text that begins at time 0, the processes of threads as the beginning has them: names of then can't wait for a
 * later line that says it.
 */
static int processes_look(struct fxt_ftrace_parser *p)
{
	const char *at = p->hold, *end = at + p->held, *line_end;
	struct fxt_ftrace_line line;
	struct fxt_ftrace_task *t;
	bool first = true;
	int err = 0;

	for (; !err && (line_end = memchr(at, '\n', end - at)); at = line_end + 1) {
		if (*at == '#' || !fxt_ftrace_line_parse(&line, at, line_end - at) || line.record)
			continue;
		if (first && line.ns)
			return 0;
		first = false;
		t = line.tgid ? fxt_ftrace_task(p, line.tid) : NULL;
		if (line.tgid)
			err = t ? fxt_ftrace_task_process(p, t, line.tgid, 0) : -E2BIG;
	}
	return err;
}

/* Examines the beginning, then reads its lines. */
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
	/* Older versions of trace-cmd say before it which CPUs have no events. */
	if (((p->held > 5 && !memcmp(p->hold, "cpus=", 5)) || memmem(p->hold, p->held, "\ncpus=", 6)) &&
	    fxt_ftrace_twins_open(p))
		return failed(p, -ENOMEM);
	p->deltas = deltas_look(p, &p->exact);
	p->lone_process = lone_look(p);
	p->ours = memmem(p->hold, p->held, ours, sizeof(ours) - 1);
	err = p->ours ? 0 : processes_look(p);
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

/* Keeps the beginning of a line, or of the text. */
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
	p->c->place = (struct fxt_place){ .input = p->name, .is_line = true, .at = p->line_number };
	return fxt_flaw(p->c, &long_line);
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

	if (p->provider < 0)
		return failed(p, p->provider);
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
	err = fxt_ftrace_lost_end(p);
	if (!err)
		err = fxt_ftrace_tasks_end(p);
	return err ? failed(p, err) : 0;
}
