// SPDX-License-Identifier: GPL-2.0-only
/* Parses a line of ftrace's text, up to the event's fields. */
#include <math.h>
#include <stdlib.h>

#include "convert/ftrace/read.h"
#include "util/time.h"

bool fxt_span_skip(struct fxt_span *span, const char *text)
{
	size_t bytes = strlen(text);

	if (span->bytes < bytes || memcmp(span->at, text, bytes))
		return false;
	span->at += bytes;
	span->bytes -= bytes;
	return true;
}

void fxt_span_skip_spaces(struct fxt_span *span)
{
	while (span->bytes && *span->at == ' ') {
		span->at++;
		span->bytes--;
	}
}

static bool digit(const struct fxt_span *span)
{
	return span->bytes && *span->at >= '0' && *span->at <= '9';
}

bool fxt_span_number(struct fxt_span *span, __u64 *number)
{
	if (!digit(span))
		return false;
	*number = 0;
	while (digit(span)) {
		if (__builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, *span->at - '0', number))
			return false;
		span->at++;
		span->bytes--;
	}
	return true;
}

bool fxt_span_hex(struct fxt_span *span, __u64 *number)
{
	static const char digits[] = "0123456789abcdef";
	const char *found;
	size_t count = 0;

	*number = 0;
	while (span->bytes && *span->at && (found = strchr(digits, *span->at))) {
		*number = *number << 4 | (found - digits);
		span->at++;
		span->bytes--;
		count++;
	}
	return count && count <= 16;
}

bool fxt_span_u32(struct fxt_span *span, __u32 *number)
{
	__u64 wide;

	if (!fxt_span_number(span, &wide) || wide > 0x7fffffff)
		return false;
	*number = wide;
	return true;
}

bool fxt_span_priority(struct fxt_span *span, __s32 *priority)
{
	bool negative = fxt_span_skip(span, "-");
	__u32 number;

	if (!fxt_span_u32(span, &number))
		return false;
	*priority = negative ? -(__s32)number : (__s32)number;
	return true;
}

bool fxt_span_real(struct fxt_span span, double *number)
{
	char text[64], *end;

	if (!span.bytes || span.bytes >= sizeof(text))
		return false;
	memcpy(text, span.at, span.bytes);
	text[span.bytes] = 0;
	if (text[strspn(text, "+-.0123456789eE")])
		return false;
	*number = strtod(text, &end);
	return !*end && isfinite(*number);
}

struct fxt_span fxt_span_part(struct fxt_span *span, char end)
{
	const char *found = span->bytes ? memchr(span->at, end, span->bytes) : NULL;
	struct fxt_span part = *span;

	if (found) {
		part.bytes = found - span->at;
		span->at = found + 1;
		span->bytes -= part.bytes + 1;
	} else {
		*span = fxt_span(span->at + span->bytes, 0);
	}
	return part;
}

/* The digits behind the period, up to nanoseconds. */
static bool fraction_parse(struct fxt_span *s, __u64 seconds, __u64 *ns)
{
	__u64 fraction = 0, unit = SECOND_NS / 10;

	for (; digit(s); s->at++, s->bytes--) {
		fraction += (*s->at - '0') * unit;
		unit /= 10;
	}
	return !__builtin_mul_overflow(seconds, SECOND_NS, ns) &&
	       !__builtin_add_overflow(*ns, fraction, ns);
}

bool fxt_span_seconds(struct fxt_span *span, __u64 *ns)
{
	__u64 seconds;

	if (!fxt_span_number(span, &seconds))
		return false;
	fxt_span_skip(span, ".");
	return fraction_parse(span, seconds, ns);
}

/* "seconds.fraction:", up to nanoseconds; or a number, of clocks as counter, uptime and x86-tsc. */
static bool time_parse(struct fxt_span *s, __u64 *ns, bool *unitless)
{
	__u64 seconds;

	if (!fxt_span_number(s, &seconds))
		return false;
	*ns = seconds;
	*unitless = fxt_span_skip(s, ":");
	if (*unitless)
		return s->bytes && *s->at == ' ';
	if (!fxt_span_skip(s, ".") || !digit(s))
		return false;
	return fraction_parse(s, seconds, ns) && fxt_span_skip(s, ":");
}

/* "(  tgid) ", if it is there. */
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

/* Kernels differ in the place, but none has these letters for anything else. */
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

/* The flags, whatever their number and letters, and the time. */
static bool flags_and_time(struct fxt_span *s, struct fxt_ftrace_line *line)
{
	struct fxt_span rest = *s, flags;

	line->context = FXT_CONTEXT_TASK;
	fxt_span_skip_spaces(&rest);
	*s = rest;
	if (time_parse(&rest, &line->ns, &line->unitless)) {
		*s = rest;
		return true;
	}
	flags = fxt_span(s->at, s->bytes < FLAGS_MAX + 1 ? s->bytes : FLAGS_MAX + 1);
	rest = *s;
	if (memchr(flags.at, ' ', flags.bytes)) {
		flags = fxt_span_part(&rest, ' ');
		fxt_span_skip_spaces(&rest);
	} else {
		/* Some have no space behind them: all before the first digit. */
		while (rest.bytes && !digit(&rest))
			rest = fxt_span(rest.at + 1, rest.bytes - 1);
		flags.bytes = rest.at - flags.at;
	}
	line->context = context_of(flags);
	*s = rest;
	return flags.bytes <= FLAGS_MAX && time_parse(s, &line->ns, &line->unitless);
}

/* All that is between a name and the event: "-pid (tgid) [cpu] flags time: ". */
static bool head_parse(struct fxt_ftrace_line *line, struct fxt_span s)
{
	if (!fxt_span_skip(&s, "-") || !fxt_span_u32(&s, &line->tid))
		return false;
	fxt_span_skip_spaces(&s);
	if (!tgid_parse(&s, &line->tgid) || !fxt_span_skip(&s, "[") ||
	    !fxt_span_u32(&s, &line->cpu) || line->cpu > 0xffff || !fxt_span_skip(&s, "]") ||
	    !flags_and_time(&s, line))
		return false;
	fxt_span_skip_spaces(&s);
	line->fields = s;
	return s.bytes;
}

/* "name: fields"; of the function tracer "name <-caller". */
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

/* A name may have any character: it ends at the first place where the rest can be parsed. */
bool fxt_ftrace_line_parse(struct fxt_ftrace_line *line, const char *text, size_t bytes)
{
	const char *end = text + bytes, *dash = text;
	struct fxt_span comm;

	*line = (struct fxt_ftrace_line){ 0 };
	while ((dash = memchr(dash, '-', end - dash))) {
		if (dash + 1 < end && dash[1] >= '0' && dash[1] <= '9' &&
		    head_parse(line, fxt_span(dash, end - dash))) {
			comm = fxt_span(text, dash - text);
			fxt_span_skip_spaces(&comm);
			line->comm = comm;
			return event_parse(line);
		}
		dash++;
	}
	return false;
}
