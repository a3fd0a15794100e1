// SPDX-License-Identifier: GPL-2.0-only
/* The order of complete events that begin together: the longer ones first, and flows, which are in them, last. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "stages/nest.h"
#include "model/complete.h"

#define HELD_MAX	256u
#define HELD_FIRST	8u

struct fxt_nest_start {
	__u64 end, thread;
	__u32 at;		/* of held[] */
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

/* Without the room of arguments that it doesn't have, which is most of it. */
static void copy(struct fxt_record *to, const struct fxt_record *from)
{
	const size_t behind = offsetof(struct fxt_record, payload);

	memcpy(to, from, offsetof(struct fxt_record, args));
	memcpy(to->args, from->args, from->arg_count * sizeof(from->args[0]));
	memcpy((char *)to + behind, (const char *)from + behind, sizeof(*to) - behind);
}

/* The longest first; those that are as long, and flows, as they came. */
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

int fxt_nest_take(struct fxt_nest *s, const struct fxt_record *r)
{
	int err = s->count == s->room ? grow(s) : 0;

	if (err)
		return err;
	s->order[s->count] = (struct fxt_nest_start){ .end = fxt_complete_end(r), .thread = r->thread.thread, .at = s->count,
						 .flow = r->event.type != FXT_EVENT_DURATION_COMPLETE };
	copy(&s->held[s->count++], r);
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

/* Takes those that begin with the ones that wait.  1: next goes before them; 0: these are all; -errno. */
static int gather(struct fxt_nest *s, fxt_nest_fn read, void *source)
{
	for (;;) {
		int got = s->behind ? 1 : read(source, &s->next), err;

		s->behind = got > 0;
		if (got <= 0 || !s->next.timed || s->next.ticks != s->held[0].ticks)
			return got < 0 ? got : 0;
		if (!fxt_nest_is_one(&s->next))
			return of_another(s, &s->next);
		if (s->count == HELD_MAX)
			return 0;
		err = fxt_nest_take(s, &s->next);
		if (err)
			return err;
		s->behind = false;
	}
}

static int give(struct fxt_nest *s, struct fxt_record *r)
{
	copy(r, &s->held[s->order[s->given++].at]);
	if (s->given == s->count) {
		s->count = s->given = 0;
		s->ordered = false;
	}
	return 1;
}

/* That which was read behind them. */
static int next_give(struct fxt_nest *s, struct fxt_record *r)
{
	copy(r, &s->next);
	s->behind = false;
	return 1;
}

int fxt_nest_next(struct fxt_nest *s, struct fxt_record *r, fxt_nest_fn read, void *source)
{
	int got;

	if (!s->count) {
		if (!fxt_nest_is_one(&s->next))
			return next_give(s, r);
		got = fxt_nest_take(s, &s->next);
		if (got)
			return got;
		s->behind = false;
	}
	if (!s->ordered) {
		got = gather(s, read, source);
		if (got)
			return got > 0 ? next_give(s, r) : got;
		if (s->count > 1)
			qsort(s->order, s->count, sizeof(*s->order), compare);
		s->ordered = true;
	}
	return give(s, r);
}

void fxt_nest_uninit(struct fxt_nest *s)
{
	free(s->held);
	free(s->order);
}
