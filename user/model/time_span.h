/* SPDX-License-Identifier: GPL-2.0-only */
/* From when to when a trace is: its scheduling, as marks of a snapshot may be hours older. */
#ifndef FXT_MODEL_TIME_SPAN_H
#define FXT_MODEL_TIME_SPAN_H

#include "codec/record.h"

/* The first and the last of some times; all zero: of none. */
struct fxt_times {
	bool known;
	__u64 first, last;
};

struct fxt_time_span {
	struct fxt_times scheduled;	/* of context switches and wakeups */
	struct fxt_times others;	/* of other records that have a time */
	__u64 ends;			/* the latest end of a complete event; 0: there is none */
};

static inline void fxt_times_add(struct fxt_times *times, __u64 ns)
{
	if (!times->known || ns < times->first)
		times->first = ns;
	if (!times->known || ns > times->last)
		times->last = ns;
	times->known = true;
}

static inline void fxt_times_merge(struct fxt_times *times, const struct fxt_times *other)
{
	if (!other->known)
		return;
	fxt_times_add(times, other->first);
	fxt_times_add(times, other->last);
}

static inline void fxt_time_span_add(struct fxt_time_span *span, const struct fxt_record *r, __u64 ns)
{
	bool scheduled = r->kind == FXT_KIND_CONTEXT_SWITCH || r->kind == FXT_KIND_WAKEUP ||
			 r->kind == FXT_KIND_LEGACY_SWITCH;

	if (r->timed)
		fxt_times_add(scheduled ? &span->scheduled : &span->others, ns);
}

static inline void fxt_time_span_merge(struct fxt_time_span *span, const struct fxt_time_span *other)
{
	fxt_times_merge(&span->scheduled, &other->scheduled);
	fxt_times_merge(&span->others, &other->others);
	if (other->ends > span->ends)
		span->ends = other->ends;
}

/* The times that count; those of other records only where there is no scheduling. */
static inline const struct fxt_times *fxt_time_span_times(const struct fxt_time_span *span)
{
	return span->scheduled.known ? &span->scheduled : &span->others;
}

#endif
