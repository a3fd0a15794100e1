// SPDX-License-Identifier: GPL-2.0-only
/* Sums the parts of units' paths by cause. */
#include <errno.h>
#include <string.h>

#include "analyze/explain/parts.h"
#include "analyze/explain/units.h"
#include "util/time.h"

#define NAME(id, name, advice)		name,
#define ADVICE(id, name, advice)	advice,
const char *const fxt_finding_names[] = { FXT_FINDINGS(NAME) };
const char *const fxt_finding_advices[] = { FXT_FINDINGS(ADVICE) };

static struct fxt_cause *cause_get(struct fxt_causes *c, const struct fxt_part *p)
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
static void slept_keep(struct fxt_cause *cause, const struct fxt_segment *s, const struct fxt_part *p)
{
	const char *reason = s->via && s->via->followed ? s->via->then : s->reason;

	if (!s->via || p->did != FXT_DID_SLEEP || !reason || s->to - s->from <= cause->slept_ns)
		return;
	cause->slept = reason;
	cause->slept_ns = s->to - s->from;
}

/* Notes a part of a wait for a lock by its holder. */
static void hold_add(struct fxt_cause *cause, const struct fxt_path_via *via, __u64 ns)
{
	struct fxt_cause_hold *h = &cause->hold;

	if (h->since != via->from || h->handed != via->handed) {
		h->since = via->from;
		h->handed = via->handed;
		h->ns = 0;
		h->count++;
	}
	h->ns += ns;
	h->longest = h->ns > h->longest ? h->ns : h->longest;
}

/* Adds ns of a segment to the cause of a part. */
static int part_add(struct fxt_causes *c, const struct fxt_segment *s, const struct fxt_part *p, __u64 ns)
{
	struct fxt_cause *cause = ns ? cause_get(c, p) : NULL;

	if (!cause)
		return ns ? -ENOMEM : 0;
	if (!cause->unit) {
		cause->touched = c->touched;
		c->touched = cause;
	}
	cause->unit += ns;
	if (!c->slow)
		return 0;
	cause->did[p->did] += ns;
	if (s->kind == FXT_SEGMENT_WAIT || p->finding == FXT_FINDING_POOL)
		cause->idle += fxt_idle_overlap(c->idle, s->to - ns, s->to);
	if (p->behind && ns > cause->behind_ns) {
		cause->behind = p->behind;
		cause->behind_ns = ns;
	}
	if (p->finding == FXT_FINDING_LOCK)
		hold_add(cause, s->via ?: &(struct fxt_path_via){ .from = s->from }, ns);
	slept_keep(cause, s, p);
	return p->other ? thread_count(c, cause, p->other) : 0;
}

/* Finds ns of a part when the thread that waited was in the queue of a pool: all workers were busy for others. */
static int queued_ns(struct fxt_causes *c, const struct fxt_segment *s, __u64 *ns)
{
	__u64 to;
	int err;

	*ns = 0;
	if (!s->via || !s->via->waker)
		return 0;
	err = fxt_pools_busy(c->pools, s->via->waker, s->via->task, s->via->from, &to);
	if (!err && to > s->from)
		*ns = (to < s->to ? to : s->to) - s->from;
	return err;
}

/* Details that take a part of the times of some findings. */
static const struct {
	enum fxt_finding of, finding;
	enum fxt_detail_kind kind;
} by_detail[] = {
	{ FXT_FINDING_OWN, FXT_FINDING_MIGRATIONS, FXT_DETAIL_MOVES },
	{ FXT_FINDING_KERNEL_THREAD, FXT_FINDING_MIGRATIONS, FXT_DETAIL_MOVES },
	{ FXT_FINDING_LATE_WAKE, FXT_FINDING_MIGRATIONS, FXT_DETAIL_MOVES },
	{ FXT_FINDING_STAGE, FXT_FINDING_MIGRATIONS, FXT_DETAIL_MOVES },
	{ FXT_FINDING_OWN, FXT_FINDING_STOLEN, FXT_DETAIL_UNCOUNTED },
	{ FXT_FINDING_STAGE, FXT_FINDING_STOLEN, FXT_DETAIL_UNCOUNTED },
	{ FXT_FINDING_TIMER, FXT_FINDING_SLACK, FXT_DETAIL_TIMER },
};

/* Adds the details of a part.  Returns ns of the rest in *ns. */
static int details_add(struct fxt_causes *c, const struct fxt_segment *s, const struct fxt_part *p, __u64 *ns)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < sizeof(by_detail) / sizeof(by_detail[0]) && !err; i++) {
		struct fxt_part detail = { .finding = by_detail[i].finding };
		__u64 part;

		if (p->finding != by_detail[i].of || (p->did == FXT_DID_SLEEP) != (p->finding == FXT_FINDING_TIMER))
			continue;
		part = fxt_details_ns(c->details, by_detail[i].kind == FXT_DETAIL_MOVES && s->via ? s->via->task : s->task,
				      by_detail[i].kind, s->from, s->to);
		part = part < *ns ? part : *ns;
		err = part_add(c, s, &detail, part);
		*ns -= part;
	}
	return err;
}

/* Adds a part of a unit's path. */
static int piece(void *state, const struct fxt_segment *s)
{
	struct fxt_causes *c = state;
	const struct fxt_group *group = s->task->process ? s->task->process->group : NULL;
	struct fxt_part p = fxt_part_of(s, c->whole, c->asked), queue = { .finding = FXT_FINDING_POOL };
	__u64 ns = s->to - s->from, part = 0;
	int err;

	if (p.finding == FXT_FINDING_THROTTLED)
		p.object = fxt_limits_group(&c->m->limits, group ? group->path : NULL);
	/* A timeout ended the sleep, and the thread waited on. */
	if (p.finding == FXT_FINDING_TIMER)
		p.other = fxt_details_retry(c->details, s->task, s->from, s->to);
	if (p.other && p.finding == FXT_FINDING_TIMER)
		p.finding = FXT_FINDING_STAGE;
	if (p.finding == FXT_FINDING_KERNEL_THREAD)
		p.object = fxt_details_work(c->details, p.other, s->from, s->to);
	err = details_add(c, s, &p, &ns);
	if (!err && p.finding == FXT_FINDING_STAGE)
		err = queued_ns(c, s, &part);
	if (!err && part) {
		queue.other = s->via->waker;
		part = part < ns ? part : ns;
		err = part_add(c, s, &queue, part);
		ns -= part;
	}
	return err ? err : part_add(c, s, &p, ns);
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
	__u64 own = 0;

	for (cause = c->touched; cause; cause = next) {
		double ns = cause->unit;

		own += cause->key.finding == FXT_FINDING_OWN ? cause->unit : 0;
		next = cause->touched;
		if (c->slow) {
			cause->slow += ns;
			cause->squares += ns * ns;
			moment_keep(cause, unit);
			cause->longest += cause->hold.longest;
			cause->holders += cause->hold.count;
		} else {
			cause->ordinary += ns;
		}
		cause->unit = 0;
		cause->hold = (struct fxt_cause_hold){ .since = 0 };
		cause->touched = NULL;
	}
	c->touched = NULL;
	c->waiting += c->slow && unit->to - unit->from >= own + FXT_UNIT_WAITS;
}

void fxt_causes_init(struct fxt_causes *c)
{
	*c = (struct fxt_causes){ .m = c->m, .path = c->path, .idle = c->idle, .details = c->details, .pools = c->pools };
	c->by_key.memory.spill = c->m->spill;
	c->threads.memory.spill = c->m->spill;
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
