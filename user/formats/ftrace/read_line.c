// SPDX-License-Identifier: GPL-2.0-only
/* Parses a line of ftrace's text, up to the event's fields. */
#include <ctype.h>

#include "formats/ftrace/read.h"

static bool digit(const struct fxt_span *span)
{
	return span->bytes && *span->at >= '0' && *span->at <= '9';
}

/* Parses "seconds.fraction:", up to nanoseconds; or a number, of clocks such as counter, uptime and x86-tsc. */
static bool time_parse(struct fxt_span *s, __u64 *ns, bool *unitless)
{
	struct fxt_span rest = *s;

	if (!fxt_span_number(&rest, ns))
		return false;
	*unitless = fxt_span_skip(&rest, ":");
	if (*unitless) {
		*s = rest;
		return s->bytes && *s->at == ' ';
	}
	if (!fxt_span_skip(&rest, ".") || !digit(&rest))
		return false;
	return fxt_span_seconds(s, ns) && fxt_span_skip(s, ":");
}

/* Parses "(  tgid) ", if it is there. */
static bool tgid_parse(struct fxt_span *s, __u32 *tgid)
{
	*tgid = 0;
	if (!fxt_span_skip(s, "("))
		return true;
	fxt_span_skip_spaces(s);
	if (digit(s)) {
		if (!fxt_span_u32(s, tgid))
			return false;
	} else {
		while (fxt_span_skip(s, "-"))
			;
	}
	fxt_span_skip_spaces(s);
	if (!fxt_span_skip(s, ")"))
		return false;
	fxt_span_skip_spaces(s);
	return true;
}

#define FLAGS_MAX	8u

/* Returns the context: kernels put its letter at different positions, but use the letter for nothing else. */
static enum fxt_waker_context context_of(struct fxt_span flags)
{
	size_t i;

	for (i = 0; i < flags.bytes; i++) {
		switch (flags.at[i]) {
		case 'z':
		case 'Z':
			return FXT_CONTEXT_NMI;
		case 'h':
		case 'H':
			return FXT_CONTEXT_HARDIRQ;
		case 's':
			return FXT_CONTEXT_SOFTIRQ;
		}
	}
	return FXT_CONTEXT_TASK;
}

/* Parses the flags, whatever their number and letters, and the time. */
static bool flags_and_time(struct fxt_span *s, struct fxt_ftrace_line *line)
{
	struct fxt_span rest = *s, flags;

	line->head.context = FXT_CONTEXT_TASK;
	fxt_span_skip_spaces(&rest);
	*s = rest;
	line->head.contextless = time_parse(&rest, &line->head.ns, &line->unitless);
	if (line->head.contextless) {
		*s = rest;
		return true;
	}
	flags = fxt_span(s->at, s->bytes < FLAGS_MAX + 1 ? s->bytes : FLAGS_MAX + 1);
	rest = *s;
	if (memchr(flags.at, ' ', flags.bytes)) {
		flags = fxt_span_part(&rest, ' ');
		fxt_span_skip_spaces(&rest);
	} else {
		/* Flags may lack a space after them: they end before the first digit. */
		while (rest.bytes && !digit(&rest))
			rest = fxt_span(rest.at + 1, rest.bytes - 1);
		flags.bytes = rest.at - flags.at;
	}
	line->head.context = context_of(flags);
	*s = rest;
	return flags.bytes <= FLAGS_MAX && time_parse(s, &line->head.ns, &line->unitless);
}

/* Parses "1234us+:": microseconds, and the latency format's mark for the distance to the last event. */
static bool microseconds_parse(struct fxt_span *s, __u64 *ns)
{
	struct fxt_span rest = *s;
	__u64 us;

	if (!fxt_span_number(&rest, &us) || !fxt_span_skip(&rest, "us") || rest.bytes < 2 || rest.at[1] != ':')
		return false;
	*s = fxt_span(rest.at + 2, rest.bytes - 2);
	return !__builtin_mul_overflow(us, 1000, ns);
}

/* Parses "1d..2.  1234us+:" of ftrace's option latency-format, or "1d..2.  13.000567:" of trace-cmd report -l. */
static bool latency_parse(struct fxt_span *s, struct fxt_ftrace_line *line)
{
	struct fxt_span flags;

	if (!fxt_span_u32(s, &line->head.cpu))
		return false;
	flags = fxt_span_part(s, ' ');
	fxt_span_skip_spaces(s);
	/* perf script prints "/", in "PID/TID". */
	if (!flags.bytes || flags.bytes > FLAGS_MAX || *flags.at == '[' || *flags.at == '/')
		return false;
	line->head.context = context_of(flags);
	return microseconds_parse(s, &line->head.ns) || time_parse(s, &line->head.ns, &line->unitless);
}

/* Parses "[cpu] flags time:". */
static bool cpu_and_time(struct fxt_span *s, struct fxt_ftrace_line *line)
{
	line->latency = digit(s);
	if (line->latency)
		return latency_parse(s, line);
	return fxt_span_skip(s, "[") && fxt_span_u32(s, &line->head.cpu) && fxt_span_skip(s, "]") &&
	       flags_and_time(s, line);
}

/* Skips "(+5)" of trace-cmd report --ts-diff, after the time. */
static void difference_skip(struct fxt_span *s)
{
	struct fxt_span rest = *s;
	__u64 number;

	if (fxt_span_skip(&rest, "(+") && fxt_span_number(&rest, &number) && fxt_span_skip(&rest, ")"))
		*s = rest;
	fxt_span_skip_spaces(s);
}

/* Parses the part between a name and the event: "-pid (tgid) [cpu] flags time: ". */
static bool head_parse(struct fxt_ftrace_line *line, struct fxt_span s)
{
	if (!fxt_span_skip(&s, "-") || !fxt_span_u32(&s, &line->head.tid))
		return false;
	fxt_span_skip_spaces(&s);
	if (!tgid_parse(&s, &line->head.tgid) || !cpu_and_time(&s, line) || line->head.cpu > 0xffff)
		return false;
	fxt_span_skip_spaces(&s);
	difference_skip(&s);
	line->fields = s;
	return s.bytes;
}

/* Parses "name: fields", or the function tracer's "name <-caller". */
static bool event_parse(struct fxt_ftrace_line *line)
{
	struct fxt_span *s = &line->fields;
	size_t i;

	for (i = 0; i < s->bytes && s->at[i] != ' '; i++)
		if (s->at[i] == ':' && (i + 1 == s->bytes || s->at[i + 1] == ' '))
			break;
	line->event = fxt_span(s->at, i);
	*s = fxt_span(s->at + i, s->bytes - i);
	fxt_span_skip(s, ":");
	fxt_span_skip_spaces(s);
	return i;
}

/*
 * Returns the name without spaces, and without a buffer's or file's name before it, as trace-cmd prints several: "irqs:
 * bash", " host.dat:            bash".
 */
static struct fxt_span comm_of(const char *text, size_t bytes, bool latency, struct fxt_span *buffer)
{
	size_t longest = latency ? FXT_FTRACE_LATENCY_BYTES : FXT_FTRACE_COMM_BYTES;
	struct fxt_span comm = fxt_span(text, bytes);
	const char *colon = bytes > longest ? memmem(text, bytes - longest, ": ", 2) : NULL;

	if (colon) {
		comm = fxt_span(colon + 2, text + bytes - colon - 2);
		fxt_span_skip_spaces(&comm);
		*buffer = fxt_span(text, colon - text);
		fxt_span_skip_spaces(buffer);
		if (comm.bytes && comm.bytes <= longest)
			return comm;
		buffer->bytes = 0;
		comm = fxt_span(text, bytes);
	}
	fxt_span_skip_spaces(&comm);
	return comm;
}

/* Parses "TID" or "PID/TID": either is -1 where the kernel no longer has the number. */
static bool script_ids(struct fxt_ftrace_line *line, struct fxt_span s)
{
	bool both = memchr(s.at, '/', s.bytes);
	__u32 process = 0;

	if (both &&
	    ((!fxt_span_skip(&s, "-1") && !fxt_span_u32(&s, &process)) || !fxt_span_skip(&s, "/")))
		return false;
	line->head.nobody = fxt_span_is(s, "-1");
	if (line->head.nobody)
		return true;
	if (!fxt_span_u32(&s, &line->head.tid) || s.bytes)
		return false;
	line->lone = !both;
	line->head.tgid = process == line->head.tid ? 0 : process;
	return true;
}

/*
 * Parses the part of perf script's line before the CPU: "NAME TID ", "NAME PID/TID ", "TID ".  A thread that has ended
 * is ":-1 -1 ", or ":-1 PID/-1 " if its process still runs.
 */
static bool script_task(struct fxt_ftrace_line *line, struct fxt_span s)
{
	struct fxt_span number;

	fxt_span_trim(&s);
	for (number = fxt_span(s.at + s.bytes, 0); number.at > s.at && number.at[-1] != ' '; number.bytes++)
		number.at--;
	s.bytes = number.at - s.at;
	if (!script_ids(line, number))
		return false;
	if (line->head.nobody)
		return true;
	fxt_span_trim(&s);
	fxt_span_skip_spaces(&s);
	line->head.comm = s;
	return true;
}

static bool is_word(struct fxt_span s)
{
	size_t i;

	for (i = 0; i < s.bytes; i++)
		if (!isalnum((unsigned char)s.at[i]) && s.at[i] != '_' && s.at[i] != '-')
			return false;
	return s.bytes;
}

/* Parses "PERF_RECORD_COMM exec: FIELDS" or "PERF_RECORD_FORK(FIELDS". */
static bool record_parse(struct fxt_ftrace_line *line, struct fxt_span s)
{
	size_t i;

	for (i = 0; i < s.bytes && (isupper((unsigned char)s.at[i]) || s.at[i] == '_' || isdigit((unsigned char)s.at[i]));)
		i++;
	line->record = true;
	line->event = fxt_span(s.at, i);
	line->fields = fxt_span(s.at + i, s.bytes - i);
	return true;
}

/* Skips "K", or other letters of a sample's mode that perf script -F +misc prints before the time. */
static void mode_skip(struct fxt_span *s)
{
	fxt_span_skip_spaces(s);
	while (s->bytes && isalpha((unsigned char)*s->at))
		*s = fxt_span(s->at + 1, s->bytes - 1);
	fxt_span_skip_spaces(s);
}

/*
 * Parses the number that perf script prints before events that are not tracepoints, and with -F +period before all
 * events.
 */
static void period_parse(struct fxt_ftrace_line *line, struct fxt_span *s)
{
	struct fxt_span rest = *s;

	line->has_period = fxt_span_number(&rest, &line->period) && fxt_span_skip(&rest, " ");
	if (line->has_period)
		*s = rest;
	fxt_span_skip_spaces(s);
}

/* Returns whether a text is the modifiers, "pppH" or "u", of an event that is not a tracepoint, "cycles:u". */
static bool is_modifiers(struct fxt_span s)
{
	size_t i;

	for (i = 0; i < s.bytes; i++)
		if (!strchr("ukhvGHIpPSDWebR", s.at[i]))
			return false;
	return true;
}

/* Parses "cycles:u:", and the part of its stack on the same line. */
static bool sample_parse(struct fxt_ftrace_line *line, struct fxt_span s)
{
	line->event = fxt_span_part(&s, ' ');
	line->fields = s;
	line->sample = line->event.bytes > 1 && line->event.at[--line->event.bytes] == ':';
	return line->sample;
}

/*
 * Returns whether a text is fields, "prev_comm=a ...": a frame of a stack, as of an event that is not a tracepoint, has
 * an address first.
 */
static bool is_fields(struct fxt_span s)
{
	fxt_span_skip_spaces(&s);
	s = fxt_span_part(&s, ' ');
	return s.bytes && memchr(s.at, '=', s.bytes);
}

/* Parses "EVENT: FIELDS", as very old versions of perf script print tracepoints. */
static bool bare_event(struct fxt_ftrace_line *line, struct fxt_span s)
{
	line->fields = s;
	return event_parse(line) && is_word(line->event) && is_fields(line->fields) &&
	       line->event.at[line->event.bytes] == ':';
}

/* Parses "SUBSYSTEM:EVENT: FIELDS", as perf script prints tracepoints: drops the subsystem. */
static bool script_event(struct fxt_ftrace_line *line, struct fxt_span s)
{
	struct fxt_span rest = s, subsystem = rest;

	if (fxt_span_skip(&subsystem, "PERF_RECORD_"))
		return record_parse(line, subsystem);
	subsystem = fxt_span_part(&rest, ':');
	line->fields = rest;
	return (is_word(subsystem) && event_parse(line) && is_word(line->event) && !is_modifiers(line->event)) ||
	       bare_event(line, s) || sample_parse(line, s);
}

static bool script_time(struct fxt_ftrace_line *line, struct fxt_span *s)
{
	if (!time_parse(s, &line->head.ns, &line->unitless) || line->unitless)
		return false;
	line->head.contextless = true;
	fxt_span_skip_spaces(s);
	period_parse(line, s);
	return true;
}

/* Parses "[CPU] TIME: EVENT: FIELDS". */
static bool script_rest(struct fxt_ftrace_line *line, struct fxt_span s)
{
	if (!fxt_span_skip(&s, "[") || !fxt_span_u32(&s, &line->head.cpu) || line->head.cpu > 0xffff ||
	    !fxt_span_skip(&s, "]"))
		return false;
	mode_skip(&s);
	return script_time(line, &s) && script_event(line, s);
}

/* Parses "TIME: PERIOD EVENT:" and "TIME: RECORD", of a command's own samples, which have no CPU. */
static bool unplaced_rest(struct fxt_ftrace_line *line, struct fxt_span s)
{
	struct fxt_span record;

	if (!script_time(line, &s))
		return false;
	record = s;
	line->head.no_cpu = fxt_span_skip(&record, "PERF_RECORD_") ? record_parse(line, record) :
		       line->has_period && sample_parse(line, s);
	return line->head.no_cpu;
}

static bool script_parse(struct fxt_ftrace_line *line, const char *text, size_t bytes)
{
	const char *end = text + bytes, *at = text;

	while ((at = memchr(at, '[', end - at))) {
		if (script_rest(line, fxt_span(at, end - at)) && script_task(line, fxt_span(text, at - text)))
			return true;
		at++;
	}
	for (at = text; (at = memchr(at, '.', end - at)); at++) {
		const char *time = at;

		while (time > text && isdigit((unsigned char)time[-1]))
			time--;
		if (unplaced_rest(line, fxt_span(time, end - time)) && script_task(line, fxt_span(text, time - text)))
			return true;
	}
	return false;
}

/*
 * Returns whether a line starts with perf script's ":-1", "-1" or "PID/-1", which would also match ftrace's "-1 [000]".
 */
static bool begins_with_nobody(struct fxt_span s)
{
	__u64 process;

	fxt_span_skip_spaces(&s);
	if (fxt_span_skip(&s, ":-1 "))
		return true;
	if (fxt_span_number(&s, &process) && !fxt_span_skip(&s, "/"))
		return false;
	return fxt_span_skip(&s, "-1");
}

/* Parses a line.  A name may have any character: it ends at the first position where the rest can be parsed. */
bool fxt_ftrace_line_parse(struct fxt_ftrace_line *line, const char *text, size_t bytes)
{
	const char *end = text + bytes, *dash = text;

	*line = (struct fxt_ftrace_line){ 0 };
	if (begins_with_nobody(fxt_span(text, bytes))) {
		if (script_parse(line, text, bytes))
			return true;
		*line = (struct fxt_ftrace_line){ 0 };
	}
	while ((dash = memchr(dash, '-', end - dash))) {
		if (dash + 1 < end && dash[1] >= '0' && dash[1] <= '9' &&
		    head_parse(line, fxt_span(dash, end - dash))) {
			line->head.comm = comm_of(text, dash - text, line->latency, &line->buffer);
			return event_parse(line);
		}
		dash++;
	}
	return script_parse(line, text, bytes);
}
