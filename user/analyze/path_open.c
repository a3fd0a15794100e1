// SPDX-License-Identifier: GPL-2.0-only
/* Durations that are open, for the windows of paths: of a thread, and asynchronous ones, of an id. */
#include <errno.h>
#include <string.h>

#include "analyze/path_steps.h"

/* Those of a thread or an id; deeper ones are left out. */
#define OPEN_MAX	4096u

struct async {
	struct async_id {
		__u64 process, id;
	} of;
	struct fxt_path_open open;
};

int fxt_path_open_put(struct fxt_path *p, struct fxt_path_open *o, __u64 ns)
{
	if (o->count == OPEN_MAX)
		return 0;
	fxt_spill_touch(p->m->spill, o->of);
	if (o->count == o->room) {
		__u32 room = o->room ? 4 * o->room : 4;
		__u64 *of = fxt_arena_alloc(&p->m->tasks.memory, room * sizeof(*of));

		if (!of)
			return -ENOMEM;
		if (o->of)
			memcpy(of, o->of, o->count * sizeof(*of));
		o->of = of;
		o->room = room;
	}
	o->of[o->count++] = ns;
	return 0;
}

__u64 fxt_path_open_take(struct fxt_path *p, struct fxt_path_open *o)
{
	if (!o->count)
		return FXT_PATH_NOT_NAMED;
	fxt_spill_touch(p->m->spill, o->of);
	return o->of[--o->count];
}

/* NULL: there is none, or, new, no memory. */
static struct async *async_of(struct fxt_path *p, const struct fxt_record *r, bool new)
{
	const struct async_id of = { r->thread.process, r->event.id };
	struct async *a = fxt_map_named(&p->asyncs, &of, sizeof(of));

	return a || !new ? a : fxt_map_new_named(&p->asyncs, &of, sizeof(of), sizeof(*a));
}

int fxt_path_async_begin(struct fxt_path *p, const struct fxt_record *r, bool named)
{
	struct async *a = async_of(p, r, named);

	if (!a)
		return named ? -ENOMEM : 0;
	return fxt_path_open_put(p, &a->open, named ? r->ticks : FXT_PATH_NOT_NAMED);
}

__u64 fxt_path_async_end(struct fxt_path *p, const struct fxt_record *r, bool named)
{
	struct async *a = async_of(p, r, false);
	struct fxt_path_open *o = a ? &a->open : NULL;
	__u32 at;
	__u64 begin;

	if (!o || !o->count)
		return FXT_PATH_NOT_NAMED;
	fxt_spill_touch(p->m->spill, o->of);
	/* Of those that have the id, the innermost of the name; of all, where the end has none. */
	for (at = o->count - 1; r->name.length && (o->of[at] != FXT_PATH_NOT_NAMED) != named; at--)
		if (!at)
			return FXT_PATH_NOT_NAMED;
	begin = o->of[at];
	memmove(&o->of[at], &o->of[at + 1], (--o->count - at) * sizeof(*o->of));
	return begin;
}
