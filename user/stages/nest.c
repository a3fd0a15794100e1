// SPDX-License-Identifier: GPL-2.0-only
/* Orders complete events that start together: the longer ones first, and flows, which are inside them, last. */
#include <errno.h>
#include <stdlib.h>

#include "stages/nest.h"
#include "model/complete.h"

#define HELD_MAX	256u
#define HELD_FIRST	8u

struct fxt_nest_start {
	__u64 end, thread;
	__u32 at;		/* index in held[] */
	bool flow;
};

bool fxt_nest_holdable(const struct fxt_record *r)
{
	unsigned int i;

	if ((r->name.ref | r->category.ref) & FXT_REF_INLINE)
		return false;
	for (i = 0; i < r->arg_count; i++)
		if (r->args[i].name.ref & FXT_REF_INLINE || r->args[i].type == FXT_ARG_BLOB ||
		    (r->args[i].type == FXT_ARG_STRING && r->args[i].string.ref & FXT_REF_INLINE))
			return false;
	return true;
}

/* Returns whether other records may have to come before the record. */
static bool is_start(const struct fxt_record *r)
{
	return r->kind == FXT_KIND_EVENT &&
	       (r->event.type == FXT_EVENT_DURATION_COMPLETE || r->event.type >= FXT_EVENT_FLOW_BEGIN) &&
	       fxt_nest_holdable(r);
}

/* Compares two starts: the longest event first; events of equal length, and flows, in the order of arrival. */
static int compare(const void *a, const void *b)
{
	const struct fxt_nest_start *x = a, *y = b;

	if (x->flow != y->flow)
		return x->flow ? 1 : -1;
	if (!x->flow && x->end != y->end)
		return x->end < y->end ? 1 : -1;
	return x->at < y->at ? -1 : 1;
}

static int grow(struct fxt_nest *s)
{
	__u32 room = s->room ? 2 * s->room : HELD_FIRST;
	struct fxt_record *held = realloc(s->held, room * sizeof(*held));
	struct fxt_nest_start *order = held ? realloc(s->order, room * sizeof(*order)) : NULL;

	if (held)
		s->held = held;
	if (!order)
		return -ENOMEM;
	s->order = order;
	s->room = room;
	return 0;
}

static int hold(struct fxt_nest *s, const struct fxt_record *r)
{
	int err = s->count == s->room ? grow(s) : 0;

	if (err)
		return err;
	s->order[s->count] = (struct fxt_nest_start){ .end = fxt_complete_end(r), .thread = r->thread.thread, .at = s->count,
						 .flow = r->event.type != FXT_EVENT_DURATION_COMPLETE };
	fxt_record_copy(&s->held[s->count++], r);
	return 0;
}

static bool of_another(const struct fxt_nest *s, const struct fxt_record *r)
{
	__u32 i;

	if (r->kind != FXT_KIND_EVENT && r->kind != FXT_KIND_LOG)
		return false;
	for (i = 0; i < s->count; i++)
		if (s->order[i].thread == r->thread.thread)
			return false;
	return true;
}

int fxt_nest_end(struct fxt_stage *stage)
{
	struct fxt_nest *s = stage->arg;
	int err = 0;
	__u32 i;

	if (s->count > 1)
		qsort(s->order, s->count, sizeof(*s->order), compare);
	for (i = 0; i < s->count && !err; i++)
		err = fxt_stage_pass(stage, &s->held[s->order[i].at]);
	s->count = 0;
	stage->busy = false;
	return err;
}

/* Returns whether the record comes after all held records. */
static bool ends(const struct fxt_nest *s, const struct fxt_record *r, bool start)
{
	return !r->timed || r->ticks != s->held[0].ticks || (start ? s->count == HELD_MAX : !of_another(s, r));
}

int fxt_nest_put(struct fxt_stage *stage, struct fxt_record *r)
{
	struct fxt_nest *s = stage->arg;
	bool start = is_start(r);
	int err = s->count && ends(s, r, start) ? fxt_nest_end(stage) : 0;

	if (err || !start)
		return err ? err : fxt_stage_pass(stage, r);
	stage->busy = true;
	return hold(s, r);
}

void fxt_nest_uninit(struct fxt_nest *s)
{
	free(s->held);
	free(s->order);
}
