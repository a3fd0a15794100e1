// SPDX-License-Identifier: GPL-2.0-only
/* The order of complete events that begin together: the longer ones first, as the others are within them. */
#include <errno.h>
#include <stdlib.h>

#include "convert/starts.h"

#define STARTS_MAX	32u

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

int fxt_starts_flush(struct fxt_starts *s, fxt_starts_fn put, void *writer)
{
	__u32 i;
	int err = 0;

	for (i = 0; i < s->count && !err; i++)
		err = put(writer, &s->held[i]);
	s->count = 0;
	return err;
}

/* Behind those that are as long. */
static int hold_it(struct fxt_starts *s, const struct fxt_record *r)
{
	__u32 i;

	if (!s->held)
		s->held = malloc(STARTS_MAX * sizeof(*s->held));
	if (!s->held)
		return -ENOMEM;
	for (i = s->count++; i && s->held[i - 1].event.end < r->event.end; i--)
		s->held[i] = s->held[i - 1];
	s->held[i] = *r;
	return 0;
}

int fxt_starts_put(struct fxt_starts *s, const struct fxt_record *r, bool hold, fxt_starts_fn put, void *writer)
{
	int err = 0;

	if (s->count && (!hold || s->count == STARTS_MAX || s->held[0].ticks != r->ticks))
		err = fxt_starts_flush(s, put, writer);
	if (err)
		return err;
	return hold ? hold_it(s, r) : put(writer, r);
}

void fxt_starts_uninit(struct fxt_starts *s)
{
	free(s->held);
}
