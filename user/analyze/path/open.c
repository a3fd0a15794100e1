// SPDX-License-Identifier: GPL-2.0-only
/* Keeps the open durations for the windows of paths: those of threads, and asynchronous ones by id. */
#include <errno.h>

#include "analyze/path/steps.h"
#include "model/async.h"

struct path_slice {
	struct fxt_open_slice open;
	__u64 begin;		/* ns; or FXT_PATH_NOT_NAMED */
};

struct async {
	struct fxt_async_id of;
	struct fxt_open_slices open;
};

int fxt_path_open_put(struct fxt_path *p, struct fxt_open_slices *open, const struct fxt_record *r, bool named)
{
	const struct path_slice slice = {
		.open.name = fxt_open_slice_name(r),
		.begin = named ? r->ticks : FXT_PATH_NOT_NAMED,
	};
	__u32 before = open->count;
	int err = fxt_open_slices_put(open, p->m->spill, &slice, sizeof(slice), FXT_OPEN_SLICES_MAX);

	p->open_count += named && open->count > before && fxt_path_open_counts(p, r->ticks);
	return err;
}

__u64 fxt_path_open_take(struct fxt_path *p, struct fxt_open_slices *open, const struct fxt_record *r)
{
	const struct path_slice *slice = fxt_open_slices_close(open, sizeof(*slice), fxt_open_slice_name(r));

	if (!slice || slice->begin == FXT_PATH_NOT_NAMED)
		return FXT_PATH_NOT_NAMED;
	p->open_count -= fxt_path_open_counts(p, slice->begin);
	return slice->begin;
}

/* Returns the open durations of an id.  NULL: none; or, with new, no memory. */
static struct async *async_of(struct fxt_path *p, const struct fxt_record *r, bool new)
{
	const struct fxt_async_id of = fxt_async_id(r);
	struct async *a = fxt_map_named(&p->asyncs, &of, sizeof(of));

	return a || !new ? a : fxt_map_new_named(&p->asyncs, &of, sizeof(of), sizeof(*a));
}

int fxt_path_async_begin(struct fxt_path *p, const struct fxt_record *r, bool named)
{
	struct async *a = async_of(p, r, named);

	if (!a)
		return named ? -ENOMEM : 0;
	return fxt_path_open_put(p, &a->open, r, named);
}

__u64 fxt_path_async_end(struct fxt_path *p, const struct fxt_record *r)
{
	struct async *a = async_of(p, r, false);

	return a ? fxt_path_open_take(p, &a->open, r) : FXT_PATH_NOT_NAMED;
}

void fxt_path_opens_free(struct fxt_path *p)
{
	struct fxt_spill *spill = p->m->spill;
	struct fxt_path_trail *trail;
	struct async *a;
	size_t at = 0;

	for (trail = p->mark ? p->trails : NULL; trail; trail = trail->next)
		fxt_open_slices_free(&trail->open, spill, sizeof(struct path_slice));
	while ((a = fxt_map_next(&p->asyncs, &at)))
		fxt_open_slices_free(&a->open, spill, sizeof(struct path_slice));
}
