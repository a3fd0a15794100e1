// SPDX-License-Identifier: GPL-2.0-only
/*
 * Critical paths of overlapping windows of a thread.  Two walks at the same step of the
 * thread itself continue alike, so one walk serves all windows that have reached it.
 */
#include <stdlib.h>

#include "analyze/path/walk.h"

/* Overlapping windows of a thread, those with the latest end first. */
struct overlap {
	fxt_path_put *put;
	void *state;
	struct fxt_path_walker all;	/* walk that the windows share */
	struct fxt_path_walker own;	/* walk of the next window, until it reaches the shared walk */
	const struct fxt_path_window *next, *end;
	bool meets;			/* the own walk may reach the shared walk before the present step */
	__u64 at, ns;			/* offset of the present step, and the walk's time before it */
	struct fxt_path_windows in;	/* windows of the shared walk: a heap by ~from, with the latest start on top */
	struct fxt_path_windows fresh;	/* windows that joined since the last segment was put; to: end of that
					 * segment in the window */
};

/* Puts a part of a segment, for one window. */
static int part_put(struct overlap *o, const struct fxt_segment *s, __u64 from, __u64 to)
{
	struct fxt_segment part = *s;

	part.from = from > s->from ? from : s->from;
	part.to = to;
	return o->put(o->state, &part, 1);
}

/* Puts a segment of the shared walk to all windows that overlap the segment. */
static int shared_put(void *state, const struct fxt_segment *s, __u64 windows __attribute__((unused)))
{
	struct overlap *o = state;
	size_t i;
	int err = 0;

	while (!err && o->in.count && o->in.window[0].from >= s->from)
		err = part_put(o, s, fxt_path_windows_take_first(&o->in).from, s->to);
	if (!err && o->in.count)
		err = o->put(o->state, s, o->in.count);
	for (i = 0; i < o->fresh.count && !err; i++) {
		struct fxt_path_window *window = &o->fresh.window[i];

		err = part_put(o, s, window->from, window->to);
		window->to = ~window->from;
		if (!err && window->from < s->from)
			err = fxt_path_windows_put_ordered(&o->in, window);
	}
	o->fresh.count = 0;
	return err;
}

/* Starts the walk of the next window. */
static int next_begin(struct overlap *o)
{
	return ++o->next == o->end ? 0 : fxt_path_walker_begin(&o->own, o->next);
}

/*
 * Lets the own walk join the shared walk, if both were at the same time: called with the
 * first part of a segment from there.
 */
static int on_piece(void *state, const struct fxt_segment *piece)
{
	struct overlap *o = state;
	int err = 0;

	while (!err && o->meets && o->next != o->end && !o->own.depth && o->own.step == o->at &&
	       o->own.ns == o->ns && !fxt_path_walker_done(&o->own)) {
		err = fxt_path_walker_piece(&o->own, piece);
		if (!err)
			err = fxt_path_windows_put(&o->fresh, &(struct fxt_path_window){
				.from = o->own.from, .to = o->own.last.to });
		if (!err)
			err = next_begin(o);
	}
	o->meets = false;
	return err;
}

static int shared_on(struct overlap *o)
{
	o->meets = !o->all.depth;
	o->at = o->all.step;
	o->ns = o->all.ns;
	return fxt_path_walker_on(&o->all);
}

/* Returns whether the own walk is not as far as the shared walk. */
static bool own_is_behind(const struct overlap *o)
{
	if (fxt_path_walker_done(&o->all) || o->own.depth)
		return true;
	return !o->all.depth && (o->own.ns > o->all.ns || (o->own.ns == o->all.ns && o->own.step > o->all.step));
}

static int walk_on(struct overlap *o)
{
	int err;

	if (o->next == o->end)
		return shared_on(o);
	if (fxt_path_walker_done(&o->own)) {
		err = fxt_path_walker_end(&o->own);
		return err ? err : next_begin(o);
	}
	return own_is_behind(o) ? fxt_path_walker_on(&o->own) : shared_on(o);
}

/* Walks windows that cover a time without a gap. */
static int overlap_walk(struct overlap *o, const struct fxt_path_window *window, const struct fxt_path_window *end,
			__u64 from)
{
	int err;

	o->next = window;
	o->end = end;
	err = fxt_path_windows_put(&o->fresh, window);
	if (!err)
		err = fxt_path_walker_begin(&o->all, window);
	o->all.from = from;
	if (!err)
		err = next_begin(o);
	while (!err && (o->next != end || !fxt_path_walker_done(&o->all)))
		err = walk_on(o);
	return err ? err : fxt_path_walker_end(&o->all);
}

static int by_thread(const void *a, const void *b)
{
	const struct fxt_path_window *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->to != y->to)
		return x->to > y->to ? -1 : 1;
	return (x->step < y->step) - (x->step > y->step);
}

/* State of the walk of a window that overlaps no other. */
struct single {
	fxt_path_put *put;
	void *state;
	struct fxt_path_rests *rests;
};

static int single_put(void *state, const struct fxt_segment *s, __u64 windows)
{
	struct single *single = state;

	return single->put(single->state, s, windows);
}

static int single_rest(void *state, const struct fxt_path_rest *rest)
{
	struct single *single = state;

	return fxt_path_rests_put(single->rests, rest);
}

static int single_walk(struct fxt_path_walker *w, const struct fxt_path_window *window)
{
	int err = fxt_path_walker_begin(w, window);

	while (!err && !fxt_path_walker_done(w))
		err = fxt_path_walker_on(w);
	return err ? err : fxt_path_walker_end(w);
}

int fxt_path_walk_all(struct fxt_path *p, fxt_path_put *put, fxt_path_put_sum *put_sum, void *state)
{
	struct fxt_path_rests rests = { .p = p };
	struct single own = { put, state, &rests };
	struct fxt_path_walker single = { .p = p, .put = single_put, .state = &own, .on_rest = single_rest };
	const struct fxt_path_window *window = p->windows.window, *end = window + p->windows.count, *last;
	struct overlap o = {
		.put = put, .state = state, .all = { .p = p, .put = shared_put, .on_piece = on_piece },
		.own = { .p = p, .put = put, .state = state },
	};
	int err = 0;

	o.all.state = &o;
	if (window)
		qsort(p->windows.window, p->windows.count, sizeof(*window), by_thread);
	for (; window != end && !err; window = last) {
		__u64 from = window->from;

		for (last = window + 1; last != end && last->task == window->task && last->to > from; last++)
			from = last->from < from ? last->from : from;
		err = last == window + 1 ? single_walk(&single, window) : overlap_walk(&o, window, last, from);
	}
	if (!err)
		err = fxt_path_rests_end(&rests, put_sum, state);
	fxt_path_rests_uninit(&rests);
	free(single.levels);
	free(o.all.levels);
	free(o.own.levels);
	free(o.in.window);
	free(o.fresh.window);
	return err;
}
