// SPDX-License-Identifier: GPL-2.0-only
/* Records of a recording in progress, put into time order. */
#include <errno.h>
#include <stdlib.h>

#include "stream/entry.h"
#include "live/queue.h"
#include "model/complete.h"
#include "util/array.h"

#define ROOM_MIN	1024u

static struct fxt_live_entry *entry_at(const struct fxt_live_lane *l, size_t number)
{
	return &l->entries[number & (l->room - 1)];
}

/* Advances to the next entry before l->until, for fxt_merge.  Returns whether there is one. */
static int lane_next(struct fxt_merge_source *source, __u64 *ns)
{
	struct fxt_live_lane *l = (struct fxt_live_lane *)source;

	if (l->at == l->end || entry_at(l, l->at)->ns >= l->until)
		return 0;
	*ns = entry_at(l, l->at++)->ns;
	return 1;
}

static int lane_get(struct fxt_merge_source *source, __u64 ns, struct fxt_record *r)
{
	struct fxt_live_lane *l = (struct fxt_live_lane *)source;
	const struct fxt_live_entry *e = entry_at(l, l->at - 1);

	if (e->kind == FXT_KIND_CONTEXT_SWITCH || e->kind == FXT_KIND_WAKEUP)
		fxt_record_set_brief(r, e->kind, ns, &e->view, NULL, 0, 0);
	else
		*r = *e->record;
	return 0;
}

static struct fxt_live_lane *lane_add(struct fxt_live_queue *q)
{
	struct fxt_live_lane *l;

	if (fxt_array_more(q->lane, q->count))
		return NULL;
	l = calloc(1, sizeof(*l));
	if (!l)
		return NULL;
	l->source = (struct fxt_merge_source){ .next = lane_next, .get = lane_get };
	q->lane[q->count++] = l;
	return l;
}

int fxt_live_queue_init(struct fxt_live_queue *q)
{
	*q = (struct fxt_live_queue){ 0 };
	return lane_add(q) ? 0 : -ENOMEM;
}

/* Frees the entries before a running number. */
static void lane_drop(struct fxt_live_lane *l, size_t until)
{
	for (; l->begin != until; l->begin++) {
		const struct fxt_live_entry *e = entry_at(l, l->begin);

		if (e->kind != FXT_KIND_CONTEXT_SWITCH && e->kind != FXT_KIND_WAKEUP)
			free(e->record);
	}
}

void fxt_live_queue_uninit(struct fxt_live_queue *q)
{
	while (q->count) {
		struct fxt_live_lane *l = q->lane[--q->count];

		lane_drop(l, l->end);
		free(l->entries);
		free(l);
	}
	free(q->lane);
	fxt_map_uninit(&q->by_cpu, NULL);
}

static int lane_grow(struct fxt_live_lane *l)
{
	size_t room = l->room ? 2 * l->room : ROOM_MIN, i;
	struct fxt_live_entry *entries = malloc(room * sizeof(*entries));

	if (!entries)
		return -ENOMEM;
	for (i = l->begin; i != l->end; i++)
		entries[i & (room - 1)] = *entry_at(l, i);
	free(l->entries);
	l->entries = entries;
	l->room = room;
	return 0;
}

/* Inserts an entry in time order, after entries of the same time; most entries go to the end. */
static int lane_put(struct fxt_live_lane *l, const struct fxt_live_entry *e)
{
	size_t at = l->end;
	int err = l->end - l->begin == l->room ? lane_grow(l) : 0;

	if (err)
		return err;
	for (; at != l->begin && entry_at(l, at - 1)->ns > e->ns; at--)
		*entry_at(l, at) = *entry_at(l, at - 1);
	*entry_at(l, at) = *e;
	l->end++;
	return 0;
}

int fxt_live_put_view(struct fxt_live_queue *q, __u32 cpu, enum fxt_kind kind, const union fxt_sched_view *view,
		      __u64 ns)
{
	struct fxt_live_lane *l = q->last && q->last_cpu == cpu ? q->last : fxt_map_get(&q->by_cpu, cpu + 1ULL);
	struct fxt_live_entry e = { .ns = ns, .kind = kind, .view = *view };

	if (ns < q->passed) {
		q->late++;
		return 0;
	}
	if (!l) {
		l = lane_add(q);
		if (!l || fxt_map_put(&q->by_cpu, cpu + 1ULL, l))
			return -ENOMEM;
	}
	q->last = l;
	q->last_cpu = cpu;
	q->newest = ns > q->newest ? ns : q->newest;
	return lane_put(l, &e);
}

/* Returns the bytes of a record's texts. */
static size_t texts_bytes(const struct fxt_record *r)
{
	size_t bytes = r->category.length + r->name.length, i;

	for (i = 0; i < r->arg_count; i++) {
		bytes += r->args[i].name.length;
		if (r->args[i].type == FXT_ARG_STRING)
			bytes += r->args[i].string.length;
	}
	return bytes;
}

static void text_move(struct fxt_text *text, char **to)
{
	if (text->length)
		memcpy(*to, text->bytes, text->length);
	text->bytes = *to;
	*to += text->length;
}

/* Copies a record with its texts, since the copy outlives the decoder's tables. */
static struct fxt_record *record_copy(const struct fxt_record *r)
{
	struct fxt_record *copy = malloc(sizeof(*copy) + texts_bytes(r));
	char *to;
	size_t i;

	if (!copy)
		return NULL;
	to = (char *)(copy + 1);
	*copy = *r;
	copy->view = NULL;
	copy->payload.bytes = 0;
	text_move(&copy->category, &to);
	text_move(&copy->name, &to);
	for (i = 0; i < copy->arg_count; i++) {
		text_move(&copy->args[i].name, &to);
		if (copy->args[i].type == FXT_ARG_STRING)
			text_move(&copy->args[i].string, &to);
	}
	return copy;
}

/*
 * Returns the time when a record was written: a loss, which starts earlier, is reported with
 * the CPU's next record, however late that is.
 */
static __u64 recorded_at(const struct fxt_record *r, __u64 ns)
{
	return r->kind == FXT_KIND_EVENT && r->event.type == FXT_EVENT_DURATION_COMPLETE ? fxt_complete_end(r) : ns;
}

int fxt_live_put(struct fxt_live_queue *q, const struct fxt_record *r, __u64 ns)
{
	/* A late record of a loss or a name takes effect from now on. */
	struct fxt_live_entry e = { .ns = ns < q->passed ? q->passed : ns, .kind = r->kind };
	int err;

	/* Records of other kinds don't concern threads and CPUs. */
	if (r->kind != FXT_KIND_EVENT && r->kind != FXT_KIND_KERNEL_OBJECT && r->kind != FXT_KIND_LEGACY_SWITCH)
		return 0;
	q->late += r->timed && recorded_at(r, ns) < q->passed;
	e.record = record_copy(r);
	if (!e.record)
		return -ENOMEM;
	if (r->timed)
		e.record->ticks = e.ns;
	err = lane_put(q->lane[0], &e);
	if (err)
		free(e.record);
	return err;
}

int fxt_live_pass(struct fxt_live_queue *q, __u64 until, int (*put)(void *arg, const struct fxt_record *r),
		  void *arg)
{
	static struct fxt_record r;
	struct fxt_merge merge = { 0 };
	size_t i;
	int err = 0;

	if (until <= q->passed)
		return 0;
	for (i = 0; i < q->count && !err; i++) {
		q->lane[i]->at = q->lane[i]->begin;
		q->lane[i]->until = until;
		err = fxt_merge_add(&merge, &q->lane[i]->source);
	}
	while (!err && (err = fxt_merge_next(&merge, &r)) > 0)
		err = put(arg, &r);
	fxt_merge_uninit(&merge);
	for (i = 0; i < q->count; i++)
		lane_drop(q->lane[i], q->lane[i]->at);
	q->passed = until;
	return err;
}
