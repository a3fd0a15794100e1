/* SPDX-License-Identifier: GPL-2.0-only */
/* A window of time, as --time=FROM,TO gives it: [FROM, TO). */
#ifndef FXT_UTIL_WINDOW_H
#define FXT_UTIL_WINDOW_H

#include <stdbool.h>

#include <linux/types.h>

enum fxt_window_kind {
	FXT_WINDOW_NONE,	/* open on that side */
	FXT_WINDOW_START,	/* from the trace's start on */
	FXT_WINDOW_END,		/* before the trace's end */
	FXT_WINDOW_CLOCK,	/* on the trace's own clock */
};

/* All zero is open on both sides. */
struct fxt_window {
	struct fxt_window_side {
		enum fxt_window_kind kind;
		__u64 ns;
		/* The number of a time without a unit, as one of the clock, as texts and as JSON have it; 0: none. */
		__u64 clock_seconds, clock_ns;
	} from, to;
};

/*
 * Each side of "FROM,TO" is empty, or "1.5", "1.5s", "200ms" from the start, or "-1s" before the
 * end, or "@NS" or "@34859.57", seconds, of the clock; "FROM" alone is "FROM,".  -EINVAL; -ERANGE
 * where a number is too large, or where TO is not behind FROM in any trace.
 */
int fxt_window_parse(struct fxt_window *window, const char *text);

/* Whether a trace's start or end has to be known. */
static inline bool fxt_window_is_relative(const struct fxt_window *window)
{
	return window->from.kind == FXT_WINDOW_START || window->from.kind == FXT_WINDOW_END ||
	       window->to.kind == FXT_WINDOW_START || window->to.kind == FXT_WINDOW_END;
}

/*
 * The window in a trace from first to last, in ns of its clock: from is 0 and to is ~0 where it is
 * open.  It is empty where to is not behind from.  A number that would be after the trace's end, counted from its
 * start, is taken for a time of its clock where the trace has that: so any time that a command prints can be given.
 */
void fxt_window_resolve(const struct fxt_window *window, __u64 first, __u64 last, __u64 *from, __u64 *to);

/* Writes the span of a trace, for messages about a window that holds nothing of it, and returns text. */
#define FXT_WINDOW_SPAN_BYTES	128u
const char *fxt_window_span(char text[FXT_WINDOW_SPAN_BYTES], __u64 first, __u64 last);

/* What a command says of such a one. */
#define FXT_WINDOW_EMPTY	"--time: FROM is not before TO in this trace"

/* Whether a time is in a resolved window. */
static inline bool fxt_window_holds(__u64 from, __u64 to, __u64 ns)
{
	return ns >= from && (ns < to || to == ~0ULL);
}

/* Whether what lasts from begin to end is in it, in part. */
static inline bool fxt_window_overlaps(__u64 from, __u64 to, __u64 begin, __u64 end)
{
	return fxt_window_holds(from, to, begin) || (begin < from && end > from);
}

#endif
