/* SPDX-License-Identifier: GPL-2.0-only */
/* The time span of a trace: that of its scheduling, as marks of a snapshot may be hours older. */
#ifndef FXT_MODEL_TIME_SPAN_H
#define FXT_MODEL_TIME_SPAN_H

#include "codec/record.h"

/* The first and the last of some times; all zero: no times. */
struct fxt_times {
	bool known;
	__u64 first, last;
};

struct fxt_time_span {
	struct fxt_times scheduled;	/* times of context switches and wakeups */
	struct fxt_times others;	/* times of other records */
	__u64 ends;			/* latest end of a complete event; 0: no such event */
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
	if (r->kind == FXT_KIND_EVENT && r->event.type == FXT_EVENT_DURATION_COMPLETE && r->event.end > span->ends)
		span->ends = r->event.end;
}

static inline void fxt_time_span_merge(struct fxt_time_span *span, const struct fxt_time_span *other)
{
	fxt_times_merge(&span->scheduled, &other->scheduled);
	fxt_times_merge(&span->others, &other->others);
	if (other->ends > span->ends)
		span->ends = other->ends;
}

/* Returns the times of the scheduling; without scheduling, those of the other records. */
static inline const struct fxt_times *fxt_time_span_times(const struct fxt_time_span *span)
{
	return span->scheduled.known ? &span->scheduled : &span->others;
}

#endif
