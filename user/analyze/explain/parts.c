// SPDX-License-Identifier: GPL-2.0-only
/* Finds the cause of each part of a path. */
#include <string.h>

#include "analyze/explain/parts.h"
#include "analyze/explain/units.h"

static const enum fxt_finding by_wait[FXT_PATH_PARKED + 1] = {
	[FXT_WAIT_UNKNOWN] = FXT_FINDING_UNKNOWN,
	[FXT_WAIT_IDLE] = FXT_FINDING_TIMER,
	[FXT_WAIT_LOCK] = FXT_FINDING_LOCK,
	[FXT_WAIT_DISK] = FXT_FINDING_DISK,
	[FXT_WAIT_NETWORK] = FXT_FINDING_NETWORK,
	[FXT_WAIT_PIPE] = FXT_FINDING_STAGE,
	[FXT_WAIT_MEMORY] = FXT_FINDING_MEMORY,
	[FXT_WAIT_CHILD] = FXT_FINDING_STAGE,
	[FXT_WAIT_STOPPED] = FXT_FINDING_STOPPED,
	[FXT_WAIT_KERNEL] = FXT_FINDING_KERNEL,
	[FXT_PATH_PARKED] = FXT_FINDING_LOCK,
};

/* Sets the cause of a wait for a CPU that a thread ran on. */
static void ran_set(struct fxt_part *p, const struct fxt_task *culprit)
{
	p->other = culprit;
	if (fxt_units_tracer(culprit))
		p->finding = FXT_FINDING_TRACER;
	else if (fxt_units_kernel(culprit))
		p->finding = FXT_FINDING_KERNEL_THREAD;
	else if (culprit->prio < FXT_PRIO_FAIR)
		p->finding = FXT_FINDING_REALTIME;
	else
		p->finding = FXT_FINDING_NEIGHBOUR;
}

/* Sets the cause of a wait for a CPU. */
static void wait_set(struct fxt_part *p, const struct fxt_segment *s)
{
	switch (s->behind) {
	case FXT_CULPRIT_THREAD:
		ran_set(p, s->culprit);
		break;
	case FXT_CULPRIT_IDLE:
		p->finding = FXT_FINDING_LATE_WAKE;
		p->object = s->reason;
		break;
	case FXT_CULPRIT_IRQ:
	case FXT_CULPRIT_SOFTIRQ:
		p->finding = FXT_FINDING_INTERRUPTS;
		p->object = s->reason;
		break;
	case FXT_CULPRIT_THROTTLED:
		p->finding = FXT_FINDING_THROTTLED;
		break;
	default:
		p->finding = FXT_FINDING_UNKNOWN;
	}
}

/* Sets the cause of a sleep that no thread ended. */
static void sleep_set(struct fxt_part *p, const struct fxt_segment *s)
{
	p->finding = by_wait[s->wait];
	if (p->finding == FXT_FINDING_UNKNOWN && s->kind == FXT_SEGMENT_BLOCKED)
		p->finding = FXT_FINDING_BLOCKED;
	if (p->finding != FXT_FINDING_TIMER)
		p->object = s->reason;
	if (s->via && (p->finding == FXT_FINDING_TIMER || p->finding == FXT_FINDING_UNKNOWN))
		p->finding = FXT_FINDING_STAGE;
	if (s->via)
		p->other = s->task;
	if (s->via && p->finding == FXT_FINDING_KERNEL)
		p->object = s->via->reason;
}

/* Sets the cause of a part that the path has in place of a sleep: the lock, disk or memory that was waited for. */
static void via_set(struct fxt_part *p, const struct fxt_segment *s)
{
	const struct fxt_path_via *via = s->via;

	p->finding = by_wait[via->wait];
	p->object = via->reason;
	if (p->finding != FXT_FINDING_LOCK)
		return;
	p->other = via->waker;
	p->did = via->followed ? FXT_DID_SLEEP : s->kind == FXT_SEGMENT_RUN ? FXT_DID_RUN :
		 s->kind == FXT_SEGMENT_WAIT ? FXT_DID_WAIT : FXT_DID_SLEEP;
	p->behind = p->did == FXT_DID_WAIT ? s->culprit : NULL;
	/* The waiting thread has precedence over the holder, which waits for a thread that has none over the waiting one. */
	if (p->did == FXT_DID_WAIT && via->task->prio < s->task->prio && s->culprit && via->task->prio <= s->culprit->prio)
		p->finding = FXT_FINDING_INVERSION;
}

/* Returns whether a part of a thread's life is a wait for work, which is no lateness. */
static bool waits_for_work(const struct fxt_segment *s)
{
	unsigned int wait = s->via ? s->via->wait : s->wait;

	return (s->via || s->kind == FXT_SEGMENT_SLEEP || s->kind == FXT_SEGMENT_BLOCKED || s->kind == FXT_SEGMENT_INTERRUPT) &&
	       (wait == FXT_WAIT_IDLE || wait == FXT_PATH_PARKED);
}

/* Returns whether the path goes to a thread that was asked for something: the sleep waits for its answer, or its end. */
static bool was_asked(const struct fxt_path_via *via)
{
	const char *reason = via->reason ?: "";

	return via->wait == FXT_WAIT_CHILD || via->wait == FXT_WAIT_IDLE ||
	       ((via->wait == FXT_WAIT_PIPE || via->wait == FXT_WAIT_NETWORK) && strncmp(reason, "write", 5) && strncmp(reason, "send", 4));
}

struct fxt_part fxt_part_of(const struct fxt_segment *s, bool whole, bool asked)
{
	const struct fxt_path_via *via = s->via;
	struct fxt_part p = { .finding = FXT_FINDING_UNKNOWN };

	if (whole && waits_for_work(s)) {
		p.finding = FXT_FINDING_OWN;
	} else if (via && fxt_path_decides(via->wait)) {
		via_set(&p, s);
	} else if (s->kind == FXT_SEGMENT_RUN) {
		p.finding = !via || (asked && was_asked(via)) ? FXT_FINDING_OWN : FXT_FINDING_STAGE;
		p.other = p.finding == FXT_FINDING_STAGE ? s->task : NULL;
	} else if (s->kind == FXT_SEGMENT_WAIT) {
		wait_set(&p, s);
		p.did = FXT_DID_WAIT;
	} else if (s->kind != FXT_SEGMENT_UNKNOWN) {
		sleep_set(&p, s);
		p.did = FXT_DID_SLEEP;
	}
	return p;
}
