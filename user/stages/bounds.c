// SPDX-License-Identifier: GPL-2.0-only
/* Keeps the records inside the time window of an output, between the recorder's facts. */
#include "stages/bounds.h"

bool fxt_bounds_is_outside(const struct fxt_bounds *b)
{
	return b->set && (b->from > b->last || b->to <= b->first);
}

/*
 * Returns whether a record is in the window.  Names without a time, and other records such as blobs, are in each
 * window.
 */
static bool in_window(const struct fxt_bounds *b, const struct fxt_record *r)
{
	__u64 ns = r->frame.offset, from = b->from, to = b->to;

	if (r->kind == FXT_KIND_EVENT && r->event.type == FXT_EVENT_DURATION_COMPLETE)
		return fxt_window_overlaps(from, to, ns, r->event.end);
	if (r->kind == FXT_KIND_KERNEL_OBJECT && ns >= from && !fxt_record_arg(r, "since"))
		return true;
	if (r->timed || r->kind == FXT_KIND_KERNEL_OBJECT || r->kind == FXT_KIND_PROVIDER_EVENT)
		return fxt_window_holds(from, to, ns);
	return true;
}

/* Skips a record before the window; names of threads after the window don't hold in it. */
static int skip(struct fxt_bounds *b, const struct fxt_record *r)
{
	if (r->kind == FXT_KIND_KERNEL_OBJECT && r->frame.offset >= b->from)
		return 0;
	return fxt_carryover_skip(b->carryover, r);
}

/*
 * Starts the output with the recorder's facts, also those of a snapshot, which come last: as of the window's start,
 * where the trace has started by then, or of the first record.
 */
static int begin(struct fxt_bounds *b, const struct fxt_record *r)
{
	__u64 ns = r->frame.offset;

	b->started = true;
	/* The facts of a single machine are in place already. */
	if (!b->carries && !b->several && fxt_known_of(b->carryover->known, r))
		return 0;
	/* Marks of a snapshot may be older than its complete part. */
	if (!b->carries && ns < b->first)
		ns = b->first;
	if (b->set && b->from < ns && b->from >= b->first)
		ns = b->from;
	b->begin = ns;
	return fxt_carryover_know(b->carryover, ns, true);
}

int fxt_bounds_put(struct fxt_stage *stage, struct fxt_record *r)
{
	struct fxt_bounds *b = stage->arg;
	int err;

	if (b->set && !in_window(b, r))
		return skip(b, r);
	err = r->timed && !b->started ? begin(b, r) : 0;
	return err ? err : fxt_stage_pass(stage, r);
}

/* Ends the window: if it ends within the trace, it has everything up to its end. */
int fxt_bounds_end(struct fxt_stage *stage)
{
	struct fxt_bounds *b = stage->arg;
	int err = 0;

	if (!b->set)
		return 0;
	/* No record was in the window. */
	if (!b->started && b->from >= b->first)
		err = fxt_carryover_know(b->carryover, b->from, true);
	return err || b->to > b->last ? err : fxt_carryover_end(b->carryover, b->to);
}
