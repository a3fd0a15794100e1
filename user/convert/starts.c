// SPDX-License-Identifier: GPL-2.0-only
/* The order of complete events that begin together: the longer ones first, as the others are within them. */
#include <errno.h>
#include <stdlib.h>

#include "convert/room.h"
#include "convert/starts.h"

#define STARTS_MAX	256u
#define STARTS_FIRST	8u

struct fxt_start {
	__u64 end, thread;
	__u32 at;		/* of held[] */
};

bool fxt_starts_holdable(const struct fxt_record *r)
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

/* The longest first; those that are as long as they came. */
static int compare(const void *a, const void *b)
{
	const struct fxt_start *x = a, *y = b;

	if (x->end != y->end)
		return x->end < y->end ? 1 : -1;
	return x->at < y->at ? -1 : 1;
}

int fxt_starts_flush(struct fxt_starts *s, fxt_starts_fn put, void *writer)
{
	__u32 i;
	int err = 0;

	if (s->count > 1)
		qsort(s->order, s->count, sizeof(*s->order), compare);
	for (i = 0; i < s->count && !err; i++)
		err = put(writer, &s->held[s->order[i].at]);
	s->count = 0;
	s->bytes = 0;
	return err;
}

static int grow(struct fxt_starts *s)
{
	__u32 room = s->room ? 2 * s->room : STARTS_FIRST;
	struct fxt_record *held = realloc(s->held, room * sizeof(*held));
	struct fxt_start *order = held ? realloc(s->order, room * sizeof(*order)) : NULL;

	if (held)
		s->held = held;
	if (!order)
		return -ENOMEM;
	s->order = order;
	s->room = room;
	return 0;
}

static int hold_it(struct fxt_starts *s, const struct fxt_record *r)
{
	int err = s->count == s->room ? grow(s) : 0;

	if (err)
		return err;
	s->order[s->count] = (struct fxt_start){ .end = r->event.end, .thread = r->thread.thread, .at = s->count };
	s->held[s->count++] = *r;
	s->bytes += fxt_room(r);
	return 0;
}

static bool of_another(const struct fxt_starts *s, const struct fxt_record *r)
{
	__u32 i;

	if (r->kind != FXT_KIND_EVENT && r->kind != FXT_KIND_LOG)
		return false;
	for (i = 0; i < s->count; i++)
		if (s->order[i].thread == r->thread.thread)
			return false;
	return true;
}

/* Whether those that are held may wait for more. */
static bool wait(const struct fxt_starts *s, const struct fxt_record *r, bool hold)
{
	if (!r->timed || r->ticks != s->held[0].ticks)
		return false;
	return hold ? s->count < STARTS_MAX : of_another(s, r);
}

int fxt_starts_put(struct fxt_starts *s, const struct fxt_record *r, bool hold, fxt_starts_fn put, void *writer)
{
	int err = s->count && !wait(s, r, hold) ? fxt_starts_flush(s, put, writer) : 0;

	if (err)
		return err;
	return hold ? hold_it(s, r) : put(writer, r);
}

void fxt_starts_uninit(struct fxt_starts *s)
{
	free(s->held);
	free(s->order);
}
