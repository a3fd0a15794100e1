/* SPDX-License-Identifier: GPL-2.0-only */
/* A window of time, as --time=FROM,TO gives it: [FROM, TO). */
#ifndef FXT_UTIL_WINDOW_H
#define FXT_UTIL_WINDOW_H

#include <stdbool.h>

#include <linux/types.h>

enum fxt_window_kind {
	FXT_WINDOW_NONE,	/* open on that side */
	FXT_WINDOW_START,	/* time since the trace's start */
	FXT_WINDOW_END,		/* time before the trace's end */
	FXT_WINDOW_CLOCK,	/* time of the trace's own clock */
};

/* All zero is open on both sides. */
struct fxt_window {
	struct fxt_window_side {
		enum fxt_window_kind kind;
		__u64 ns;
		/*
		 * A time without a unit, read as one of the clock: in seconds, as texts have it, and in ns, as JSON has
		 * it; 0: none.
		 */
		__u64 clock_seconds, clock_ns;
	} from, to;
};

/*
 * Parses a window.  Each side of "FROM,TO" is empty, or "1.5", "1.5s", "200ms" from the start, or "-1s" before the end,
 * or "@NS" or "@34859.57", in seconds, of the clock; "FROM" alone is "FROM,".  -EINVAL; -ERANGE where a number is too
 * large, or where TO is not after FROM in any trace.
 */
int fxt_window_parse(struct fxt_window *window, const char *text);

/* Returns whether the window needs a trace's start or end. */
static inline bool fxt_window_is_relative(const struct fxt_window *window)
{
	return window->from.kind == FXT_WINDOW_START || window->from.kind == FXT_WINDOW_END ||
	       window->to.kind == FXT_WINDOW_START || window->to.kind == FXT_WINDOW_END;
}

/*
 * Resolves the window for a trace from first to last, in ns of its clock.  An open side is 0 or ~0.  The window is
 * empty where to is not after from.  A number from the start that would be after the trace's end is taken for a time of
 * its clock where the trace has that time: so any time that a command prints can be given.
 */
void fxt_window_resolve(const struct fxt_window *window, __u64 first, __u64 last, __u64 *from, __u64 *to);

/* Writes the span of a trace, for messages about a window that holds none of the trace, and returns text. */
#define FXT_WINDOW_SPAN_BYTES	128u
const char *fxt_window_span(char text[FXT_WINDOW_SPAN_BYTES], __u64 first, __u64 last);

/* The message for a window that is empty in the trace. */
#define FXT_WINDOW_EMPTY	"--time: FROM is not before TO in this trace"

/* Returns whether a time is in a resolved window. */
static inline bool fxt_window_holds(__u64 from, __u64 to, __u64 ns)
{
	return ns >= from && (ns < to || to == ~0ULL);
}

/* Returns whether an interval from begin to end is partly in a resolved window. */
static inline bool fxt_window_overlaps(__u64 from, __u64 to, __u64 begin, __u64 end)
{
	return fxt_window_holds(from, to, begin) || (begin < from && end > from);
}

#endif
