// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lanes of asynchronous work: an id occupies a lane from its outermost begin to its end; then the lane is free for
 * another id.
 */
#include <errno.h>

#include "model/async.h"
#include "page/timeline.h"
#include "page/timeline_track.h"

/* State of an id. */
struct async_id {
	struct fxt_async_id of;
	struct fxt_page_track *lane;	/* NULL: no open work */
};

/* Lanes of a process and a name. */
struct lanes {
	struct {
		__u64 process, name;
	} of;
	__u64 count;
	struct fxt_page_track *free;
};

static struct async_id *async_of(struct fxt_page_timeline *t, const struct fxt_record *r, bool begins)
{
	struct async_id key = { .of = fxt_async_id(r) };
	struct async_id *async = fxt_map_named(&t->asyncs, &key.of, sizeof(key.of));

	return async || !begins ? async : fxt_map_new_named(&t->asyncs, &key.of, sizeof(key.of), sizeof(*async));
}

/* Returns a free lane, or a new one. */
static struct fxt_page_track *lane_take(struct fxt_page_timeline *t, const struct fxt_record *r, int *err)
{
	__u32 name = fxt_page_string(&t->strings, r->name.bytes, r->name.length);
	struct lanes key = { .of = { r->thread.process, name } };
	struct lanes *lanes = fxt_map_named(&t->lanes, &key.of, sizeof(key.of));
	struct fxt_page_track_name of = { .process = r->thread.process, .kind = FXT_PAGE_SLICE, .name = name };
	struct fxt_page_track *lane;

	if (!lanes)
		lanes = fxt_map_new_named(&t->lanes, &key.of, sizeof(key.of), sizeof(*lanes));
	if (!lanes) {
		*err = -ENOMEM;
		return NULL;
	}
	lane = lanes->free;
	if (lane) {
		lanes->free = lane->free;
		return lane;
	}
	of.id = ++lanes->count;
	return fxt_page_track_get(t, &of, err);
}

struct fxt_page_track *fxt_page_lane(struct fxt_page_timeline *t, const struct fxt_record *r, int *err)
{
	struct async_id *async = async_of(t, r, r->event.type == FXT_EVENT_ASYNC_BEGIN);

	*err = 0;
	if (!async) {
		*err = r->event.type == FXT_EVENT_ASYNC_BEGIN ? -ENOMEM : 0;
		return NULL;
	}
	if (!async->lane && r->event.type == FXT_EVENT_ASYNC_BEGIN) {
		struct fxt_page_track *lane = lane_take(t, r, err);

		async->lane = lane;
	}
	return async->lane;
}

void fxt_page_lane_end(struct fxt_page_timeline *t, const struct fxt_record *r)
{
	struct async_id *async = async_of(t, r, false);
	struct fxt_page_track *lane = async ? async->lane : NULL;
	struct lanes key, *lanes;

	if (!lane || lane->open.count || lane->open.deeper)
		return;
	async->lane = NULL;
	key.of.process = lane->of.process;
	key.of.name = lane->of.name;
	lanes = fxt_map_named(&t->lanes, &key.of, sizeof(key.of));
	lane->free = lanes->free;
	lanes->free = lane;
}
