// SPDX-License-Identifier: GPL-2.0-only
/* The order of JSON's complete events that begin together: the longer ones first, as the others are within them. */
#include <errno.h>
#include <stdlib.h>

#include "convert/perfetto/write/write.h"

#define STARTS_MAX	32u

/* Whether a copy of the record stays valid: its texts are in the sorter's table. */
bool fxt_pf_holdable(const struct fxt_record *r)
{
	unsigned int i;

	for (i = 0; i < r->arg_count; i++)
		if (r->args[i].name.ref & FXT_REF_INLINE || r->args[i].type == FXT_ARG_BLOB ||
		    (r->args[i].type == FXT_ARG_STRING && r->args[i].string.ref & FXT_REF_INLINE))
			return false;
	return true;
}

int fxt_pf_starts_flush(struct fxt_pf_file *f)
{
	__u32 i;
	int err = 0;

	for (i = 0; i < f->start_count && !err; i++)
		err = fxt_pf_file_put_now(f, &f->starts[i]);
	f->start_count = 0;
	return err;
}

/* Behind those that are as long. */
static int start_hold(struct fxt_pf_file *f, const struct fxt_record *r)
{
	__u32 i;

	if (!f->starts)
		f->starts = malloc(STARTS_MAX * sizeof(*f->starts));
	if (!f->starts)
		return -ENOMEM;
	for (i = f->start_count++; i && f->starts[i - 1].event.end < r->event.end; i--)
		f->starts[i] = f->starts[i - 1];
	f->starts[i] = *r;
	return 0;
}

int fxt_pf_file_put(struct fxt_pf_file *f, const struct fxt_record *r)
{
	bool hold = r->kind == FXT_KIND_EVENT && r->event.type == FXT_EVENT_DURATION_COMPLETE && fxt_pf_of_json(r) &&
		    fxt_pf_holdable(r);
	int err = 0;

	if (f->start_count && (!hold || f->start_count == STARTS_MAX || f->starts[0].ticks != r->ticks))
		err = fxt_pf_starts_flush(f);
	if (err)
		return err;
	return hold ? start_hold(f, r) : fxt_pf_file_put_now(f, r);
}
