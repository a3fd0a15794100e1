// SPDX-License-Identifier: GPL-2.0-only
/* Sums the parts of units' paths by cause. */
#include <errno.h>
#include <string.h>

#include "analyze/explain/causes.h"
#include "analyze/explain/units.h"
#include "util/time.h"

#define NAME(id, name, advice)		name,
#define ADVICE(id, name, advice)	advice,
const char *const fxt_finding_names[] = { FXT_FINDINGS(NAME) };
const char *const fxt_finding_advices[] = { FXT_FINDINGS(ADVICE) };

/* A part of a path, with its cause. */
struct part {
	enum fxt_finding finding;
	const struct fxt_task *other;	/* NULL: nobody */
	const char *object;		/* NULL: nothing */
	const struct fxt_task *behind;
	enum fxt_did did;
};

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
static void ran_set(struct part *p, const struct fxt_task *culprit)
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
static void wait_set(struct part *p, const struct fxt_segment *s)
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
		if (s->task->process && s->task->process->group)
			p->object = s->task->process->group->path;
		break;
	default:
		p->finding = FXT_FINDING_UNKNOWN;
	}
}

/* Sets the cause of a sleep that no thread ended. */
static void sleep_set(struct part *p, const struct fxt_segment *s)
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
static void via_set(struct part *p, const struct fxt_segment *s)
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
	/* The waiting thread has precedence over the holder, which waits for a CPU as any normal thread. */
	if (p->did == FXT_DID_WAIT && via->task->prio < FXT_PRIO_FAIR && via->task->prio < s->task->prio)
		p->finding = FXT_FINDING_INVERSION;
}

/* Returns whether a part of a thread's life is a wait for work, which is no lateness. */
static bool waits_for_work(const struct fxt_segment *s)
{
	unsigned int wait = s->via ? s->via->wait : s->wait;

	return (s->via || s->kind == FXT_SEGMENT_SLEEP || s->kind == FXT_SEGMENT_BLOCKED || s->kind == FXT_SEGMENT_INTERRUPT) &&
	       (wait == FXT_WAIT_IDLE || wait == FXT_PATH_PARKED);
}

static struct part part_of(const struct fxt_causes *c, const struct fxt_segment *s)
{
	const struct fxt_path_via *via = s->via;
	struct part p = { .finding = FXT_FINDING_UNKNOWN };

	if (c->whole && waits_for_work(s)) {
		p.finding = FXT_FINDING_OWN;
	} else if (via && fxt_path_decides(via->wait)) {
		via_set(&p, s);
	} else if (s->kind == FXT_SEGMENT_RUN) {
		p.finding = via ? FXT_FINDING_STAGE : FXT_FINDING_OWN;
		p.other = via ? s->task : NULL;
	} else if (s->kind == FXT_SEGMENT_WAIT) {
		wait_set(&p, s);
		p.did = FXT_DID_WAIT;
	} else if (s->kind != FXT_SEGMENT_UNKNOWN) {
		sleep_set(&p, s);
		p.did = FXT_DID_SLEEP;
	}
	return p;
}

static struct fxt_cause *cause_get(struct fxt_causes *c, const struct part *p)
{
	struct fxt_cause_key key = { .object = p->object, .finding = p->finding };
	struct fxt_cause *cause;

	if (p->other)
		key.threads = fxt_units_family(&c->m->tasks, p->other);
	if (p->other && !key.threads)
		return NULL;
	cause = fxt_map_named(&c->by_key, &key, sizeof(key));
	if (cause)
		return cause;
	cause = fxt_map_new_named(&c->by_key, &key, sizeof(key), sizeof(*cause));
	if (cause) {
		cause->task = p->other;
		cause->next = c->first;
		c->first = cause;
	}
	return cause;
}

/* Counts a thread of a cause once. */
static int thread_count(struct fxt_causes *c, struct fxt_cause *cause, const struct fxt_task *task)
{
	const struct { const void *cause; __u64 key; } name = { cause, task->key };

	if (fxt_map_named(&c->threads, &name, sizeof(name)))
		return 0;
	if (!fxt_map_new_named(&c->threads, &name, sizeof(name), sizeof(name)))
		return -ENOMEM;
	cause->threads++;
	cause->brief += task->begin > c->m->begin && task->end && task->end - task->begin < SECOND_NS;
	return 0;
}

/* Keeps the reason of the longest sleep of a thread that was waited for. */
static void slept_keep(struct fxt_cause *cause, const struct fxt_segment *s, const struct part *p)
{
	const char *reason = s->via && s->via->followed ? s->via->then : s->reason;

	if (!s->via || p->did != FXT_DID_SLEEP || !reason || s->to - s->from <= cause->slept_ns)
		return;
	cause->slept = reason;
	cause->slept_ns = s->to - s->from;
}

static int piece(void *state, const struct fxt_segment *s)
{
	struct fxt_causes *c = state;
	const struct part p = part_of(c, s);
	struct fxt_cause *cause = cause_get(c, &p);
	__u64 ns = s->to - s->from;

	if (!cause)
		return -ENOMEM;
	if (!cause->unit) {
		cause->touched = c->touched;
		c->touched = cause;
	}
	cause->unit += ns;
	if (!c->slow)
		return 0;
	cause->did[p.did] += ns;
	if (s->kind == FXT_SEGMENT_WAIT && c->idle)
		cause->idle += fxt_idle_overlap(c->idle, s->from, s->to);
	if (p.behind && ns > cause->behind_ns) {
		cause->behind = p.behind;
		cause->behind_ns = ns;
	}
	slept_keep(cause, s, &p);
	return p.other ? thread_count(c, cause, p.other) : 0;
}

/* Keeps a unit among those with the longest parts of a cause. */
static void moment_keep(struct fxt_cause *cause, const struct fxt_path_window *unit)
{
	struct fxt_cause_moment moment = { unit->task, unit->from, unit->to, cause->unit }, other;
	unsigned int i;

	for (i = 0; i < FXT_CAUSE_MOMENTS; i++) {
		if (moment.ns <= cause->moments[i].ns)
			continue;
		other = cause->moments[i];
		cause->moments[i] = moment;
		moment = other;
	}
}

/* Adds the sums of the unit to those of its causes. */
static void unit_end(struct fxt_causes *c, const struct fxt_path_window *unit)
{
	struct fxt_cause *cause, *next;

	for (cause = c->touched; cause; cause = next) {
		double ns = cause->unit;

		next = cause->touched;
		if (c->slow) {
			cause->slow += ns;
			cause->squares += ns * ns;
			moment_keep(cause, unit);
		} else {
			cause->ordinary += ns;
		}
		cause->unit = 0;
		cause->touched = NULL;
	}
	c->touched = NULL;
}

void fxt_causes_init(struct fxt_causes *c, struct fxt_machine *m, struct fxt_path *path, const struct fxt_idle_times *idle)
{
	*c = (struct fxt_causes){ .m = m, .path = path, .idle = idle };
	c->by_key.memory.spill = m->spill;
	c->threads.memory.spill = m->spill;
}

void fxt_causes_uninit(struct fxt_causes *c)
{
	fxt_map_uninit(&c->by_key, NULL);
	fxt_map_uninit(&c->threads, NULL);
}

int fxt_causes_add(struct fxt_causes *c, const struct fxt_path_window *unit, bool slow)
{
	double ns = unit->to - unit->from;
	int err;

	c->slow = slow;
	err = fxt_path_walk_pieces(c->path, unit, piece, c);
	unit_end(c, unit);
	if (slow) {
		c->slow_count++;
		c->slow_ns += ns;
	} else {
		c->ordinary_count++;
		c->ordinary_ns += ns;
	}
	return err;
}
