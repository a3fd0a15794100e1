// SPDX-License-Identifier: GPL-2.0-only
/* A window of time, as --time=FROM,TO gives it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/quantity.h"
#include "util/time.h"
#include "util/window.h"

/* Bytes of one side; no sensible number is longer. */
#define SIDE_BYTES	64

/* Parses "@NS"; or, with a point, seconds as text output has them, which a double may not hold. */
static int clock_parse(const char *text, __u64 *ns)
{
	__u64 digit = SECOND_NS / 10;
	char *end;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	errno = 0;
	*ns = strtoull(text, &end, 10);
	if (errno || (*end == '.' && *ns >= ~0ULL / SECOND_NS))
		return -ERANGE;
	if (*end != '.')
		return *end ? -EINVAL : 0;
	*ns *= SECOND_NS;
	while (*++end >= '0' && *end <= '9' && digit) {
		*ns += (*end - '0') * digit;
		digit /= 10;
	}
	return *end ? -EINVAL : 0;
}

/* Takes a number without a unit for a time that a command has printed: seconds with a point, or nanoseconds. */
static void printed_parse(struct fxt_window_side *side, const char *text)
{
	__u64 number;

	if (text[strspn(text, "0123456789.")] || clock_parse(text, &number))
		return;
	side->clock_ns = strchr(text, '.') ? 0 : number;
	side->clock_seconds = strchr(text, '.') ? number : number <= ~0ULL / SECOND_NS ? number * SECOND_NS : 0;
}

static int side_parse(struct fxt_window_side *side, const char *text, size_t length)
{
	char copy[SIDE_BYTES];
	int err;

	*side = (struct fxt_window_side){ 0 };
	if (!length)
		return 0;
	if (length >= sizeof(copy))
		return -EINVAL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	if (*copy == '@') {
		side->kind = FXT_WINDOW_CLOCK;
		return clock_parse(copy + 1, &side->ns);
	}
	side->kind = *copy == '-' ? FXT_WINDOW_END : FXT_WINDOW_START;
	err = fxt_quantity_duration(copy + (*copy == '-'), &side->ns);
	if (side->kind == FXT_WINDOW_START)
		printed_parse(side, copy);
	/* Nanoseconds of the clock are out of range as seconds. */
	if (err != -ERANGE || !side->clock_ns)
		return err;
	side->ns = ~0ULL;
	return 0;
}

/* Returns whether the window is empty in every trace. */
static bool is_empty(const struct fxt_window *w)
{
	if (w->from.kind == FXT_WINDOW_NONE)
		return (w->to.kind == FXT_WINDOW_START || w->to.kind == FXT_WINDOW_CLOCK) && !w->to.ns;
	if (w->from.kind != w->to.kind)
		return false;
	/* Nanoseconds of the clock, before other such nanoseconds or before seconds. */
	if (w->from.kind == FXT_WINDOW_START && w->from.ns == ~0ULL)
		return w->from.clock_ns >= (w->to.ns == ~0ULL ? w->to.clock_ns : w->to.clock_seconds);
	return w->from.kind == FXT_WINDOW_END ? w->from.ns <= w->to.ns : w->from.ns >= w->to.ns;
}

int fxt_window_parse(struct fxt_window *w, const char *text)
{
	const char *comma = strchr(text, ',');
	size_t length = comma ? (size_t)(comma - text) : strlen(text);
	const char *to = comma ? comma + 1 : "";
	int err;

	if (!*text)
		return -EINVAL;
	err = side_parse(&w->from, text, length);
	if (!err)
		err = side_parse(&w->to, to, strlen(to));
	return err ? err : is_empty(w) ? -ERANGE : 0;
}

/* Printed times are cut to microseconds: the trace's first event may be up to CUT_NS after its printed time. */
#define CUT_NS	1000ULL

static bool in_trace(__u64 ns, __u64 first, __u64 last)
{
	return ns && ns + CUT_NS >= first && ns <= last;
}

static __u64 start_resolve(const struct fxt_window_side *side, __u64 first, __u64 last, bool clock)
{
	__u64 ns = first + side->ns < first ? ~0ULL : first + side->ns;

	if (!clock || ns <= last)
		return ns;
	if (in_trace(side->clock_seconds, first, last))
		return side->clock_seconds;
	return in_trace(side->clock_ns, first, last) ? side->clock_ns : ns;
}

/* Returns the time of a side in ns of the clock.  clock: the number may be a time of the clock. */
static __u64 side_resolve(const struct fxt_window_side *side, __u64 first, __u64 last, __u64 open, bool clock)
{
	switch (side->kind) {
	case FXT_WINDOW_START:
		return start_resolve(side, first, last, clock);
	case FXT_WINDOW_END:
		return last < side->ns ? 0 : last - side->ns;
	case FXT_WINDOW_CLOCK:
		return side->ns;
	default:
		return open;
	}
}

void fxt_window_resolve(const struct fxt_window *w, __u64 first, __u64 last, __u64 *from, __u64 *to)
{
	bool relative = w->from.kind == FXT_WINDOW_END || (w->from.kind == FXT_WINDOW_START && w->from.ns <= last - first);

	*from = side_resolve(&w->from, first, last, 0, true);
	/* An end after the trace's end is common where FROM is counted from the start. */
	*to = side_resolve(&w->to, first, last, ~0ULL, !relative);
}

const char *fxt_window_span(char text[FXT_WINDOW_SPAN_BYTES], __u64 first, __u64 last)
{
	snprintf(text, FXT_WINDOW_SPAN_BYTES, "it has %llu.%09llu to %llu.%09llu s of its clock, or 0 to %llu.%09llu from its "
		 "start", first / SECOND_NS, first % SECOND_NS, last / SECOND_NS, last % SECOND_NS, (last - first) / SECOND_NS,
		 (last - first) % SECOND_NS);
	return text;
}
