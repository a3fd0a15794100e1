// SPDX-License-Identifier: GPL-2.0-only
/* The page's slices, instants, counters and log lines. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fxt/events.h"
#include "page/timeline.h"
#include "util/keyed.h"

/* Open slices of a track; deeper ones are left out. */
#define OPEN_MAX	512u
#define TRACKS_MAX	(1u << 16)

/* Separates a text's parts: its name, and its arguments; and an argument's name from its value. */
#define PART	"\x1e"
#define VALUE	"\x1f"


struct fxt_page_slice {
	struct fxt_page_row row;
	bool whole;		/* its end is known, and its row has been put */
};

static struct fxt_page_track *track_of(struct fxt_page_timeline *t, const struct fxt_page_track_name *name)
{
	__u64 key = fxt_keyed_bytes(name, sizeof(*name));
	struct fxt_page_track *track;

	/* Names of the same hash have the numbers behind it. */
	for (; (track = fxt_map_get(&t->tracks, key)); key++) {
		fxt_spill_touch(t->m->spill, track);
		if (!memcmp(&track->of, name, sizeof(*name)))
			return track;
	}
	if (t->track_count == TRACKS_MAX)
		return NULL;
	track = fxt_map_new(&t->tracks, key, sizeof(*track));
	if (!track)
		return NULL;
	track->of = *name;
	track->number = t->track_count++;
	return track;
}

/* The track of an event; *err: NULL is no error where there are too many. */
static struct fxt_page_track *event_track(struct fxt_page_timeline *t, const struct fxt_record *r,
					  enum fxt_page_kind kind, __u32 name, int *err)
{
	bool async = r->kind == FXT_KIND_EVENT && r->event.type >= FXT_EVENT_ASYNC_BEGIN;
	bool by_id = async || kind == FXT_PAGE_COUNTER;
	const struct fxt_task *task = by_id ? NULL : fxt_tasks_get(&t->m->tasks, r->thread.thread);
	struct fxt_page_track_name of = {
		.process = r->thread.process,
		.thread = by_id ? 0 : r->thread.thread,
		.id = by_id ? r->event.id + 1 : task && task->phase != FXT_PHASE_DEAD ? task->key : 0,
		.kind = kind,
		.name = name,
	};
	struct fxt_page_track *track = track_of(t, &of);

	if (track && !by_id)
		track->key = of.id;
	*err = track || t->track_count == TRACKS_MAX ? 0 : -ENOMEM;
	t->refused += !track;
	return track;
}

/* Of a text, what the page's separators are made of is no part. */
static void text_put(struct fxt_buffer *to, const char *bytes, size_t count)
{
	size_t i;

	if (to->length + count > FXT_PAGE_TEXT_MAX)
		count = to->length < FXT_PAGE_TEXT_MAX ? FXT_PAGE_TEXT_MAX - to->length : 0;
	fxt_buffer_put(to, bytes, count);
	for (i = to->length - (to->failed ? 0 : count); i < to->length; i++)
		if (to->bytes[i] == *PART || to->bytes[i] == *VALUE)
			to->bytes[i] = ' ';
}

static void arg_put(struct fxt_buffer *to, const struct fxt_arg *arg)
{
	char number[32];

	fxt_buffer_put(to, PART, 1);
	text_put(to, arg->name.bytes, arg->name.length);
	fxt_buffer_put(to, VALUE, 1);
	switch (arg->type) {
	case FXT_ARG_STRING:
		text_put(to, arg->string.bytes, arg->string.length);
		return;
	case FXT_ARG_INT32:
		snprintf(number, sizeof(number), "%" PRId32, arg->int32);
		break;
	case FXT_ARG_INT64:
		snprintf(number, sizeof(number), "%" PRId64, (int64_t)arg->int64);
		break;
	case FXT_ARG_UINT32:
		snprintf(number, sizeof(number), "%" PRIu32, arg->uint32);
		break;
	case FXT_ARG_DOUBLE:
		snprintf(number, sizeof(number), "%g", arg->real);
		break;
	case FXT_ARG_POINTER:
		snprintf(number, sizeof(number), "0x%" PRIx64, (uint64_t)arg->uint64);
		break;
	case FXT_ARG_UINT64:
	case FXT_ARG_KOID:
		snprintf(number, sizeof(number), "%" PRIu64, (uint64_t)arg->uint64);
		break;
	case FXT_ARG_BOOL:
		strcpy(number, arg->boolean ? "true" : "false");
		break;
	default:
		strcpy(number, "");
	}
	text_put(to, number, strlen(number));
}

/* Gives a row the name and the arguments of a record, behind the text that it has. */
static int describe(struct fxt_page_timeline *t, struct fxt_page_row *row, const struct fxt_text *name,
		    const struct fxt_record *r)
{
	struct fxt_buffer *text = &t->text;
	int got = 0, i;

	text->length = 0;
	if (row->text) {
		char *room = fxt_buffer_room(text, FXT_PAGE_TEXT_MAX);

		got = room ? fxt_page_text_get(&t->rows, row->text, room, FXT_PAGE_TEXT_MAX) : -ENOMEM;
		if (got < 0)
			return got;
		text->length = got;
	} else if (name) {
		row->name = fxt_page_string(&t->strings, name->bytes, name->length);
		if (!row->name)
			text_put(text, name->bytes, name->length);
	}
	for (i = 0; i < r->arg_count && text->length < FXT_PAGE_TEXT_MAX; i++)
		arg_put(text, &r->args[i]);
	if (text->failed)
		return -ENOMEM;
	return text->length > (size_t)got ? fxt_page_text_put(&t->rows, text->bytes, text->length, &row->text) : 0;
}

static int open_put(struct fxt_page_timeline *t, struct fxt_page_track *track, const struct fxt_page_slice *slice)
{
	if (track->count == OPEN_MAX) {
		track->deeper += !slice->whole;
		return 0;
	}
	if (track->count == track->room) {
		__u32 room = track->room ? 4 * track->room : 1;
		struct fxt_page_slice *open = fxt_spill_alloc(t->m->spill, room * sizeof(*open));

		if (!open)
			return -ENOMEM;
		fxt_spill_touch(t->m->spill, track);
		if (track->open)
			memcpy(open, track->open, track->count * sizeof(*open));
		fxt_spill_free(t->m->spill, track->open, track->room * sizeof(*open));
		track->open = open;
		track->room = room;
	}
	fxt_spill_touch(t->m->spill, track->open);
	track->open[track->count++] = *slice;
	if (track->count > track->depth)
		track->depth = track->count;
	return 0;
}

static bool counts(const struct fxt_page_timeline *t, __u64 from, __u64 to)
{
	return from <= t->m->to && to >= t->m->from;
}

static int begin(struct fxt_page_timeline *t, struct fxt_page_track *track, const struct fxt_record *r, __u64 to)
{
	struct fxt_page_slice slice = { .whole = to != ~0ULL };
	struct fxt_page_row *row = &slice.row;
	int err;

	row->kind = FXT_PAGE_SLICE;
	row->track = track->number;
	row->from = r->ticks;
	row->to = to > r->ticks ? to : r->ticks;
	row->depth = track->count < OPEN_MAX ? track->count : OPEN_MAX;
	row->cpu = fxt_page_string(&t->strings, r->category.bytes, r->category.length);
	err = describe(t, row, &r->name, r);
	if (!err && slice.whole && counts(t, row->from, row->to)) {
		struct fxt_page_row put = *row;

		err = fxt_page_timeline_put(t, &put);
	}
	if (err)
		return err;
	fxt_spill_touch(t->m->spill, track);
	return open_put(t, track, &slice);
}

/* Ends what is known to end at a time. */
static void past_drop(struct fxt_page_track *track, __u64 ns)
{
	while (track->count && track->open[track->count - 1].whole && track->open[track->count - 1].row.to <= ns)
		track->count--;
}

static int end(struct fxt_page_timeline *t, struct fxt_page_track *track, const struct fxt_record *r)
{
	struct fxt_page_row row;
	int err;

	if (track->deeper) {
		track->deeper--;
		return 0;
	}
	/* Those that overlap it, and don't nest. */
	while (track->count && track->open[track->count - 1].whole)
		track->count--;
	if (!track->count)
		return 0;
	row = track->open[--track->count].row;
	row.to = r->ticks;
	if (!counts(t, row.from, row.to))
		return 0;
	err = describe(t, &row, NULL, r);
	return err ? err : fxt_page_timeline_put(t, &row);
}

static int slice(struct fxt_page_timeline *t, const struct fxt_record *r)
{
	struct fxt_page_track *track;
	int err;

	track = event_track(t, r, FXT_PAGE_SLICE, 0, &err);
	if (!track)
		return err;
	if (track->open)
		fxt_spill_touch(t->m->spill, track->open);
	past_drop(track, r->ticks);
	switch (r->event.type) {
	case FXT_EVENT_DURATION_COMPLETE:
		return begin(t, track, r, r->event.end);
	case FXT_EVENT_DURATION_BEGIN:
	case FXT_EVENT_ASYNC_BEGIN:
		return begin(t, track, r, ~0ULL);
	default:
		return end(t, track, r);
	}
}

static int instant_row(struct fxt_page_timeline *t, struct fxt_page_row *row, const struct fxt_record *r,
		       const struct fxt_text *name)
{
	struct fxt_page_track *track;
	int err;

	*row = (struct fxt_page_row){ .kind = FXT_PAGE_INSTANT, .from = r->ticks };
	track = event_track(t, r, FXT_PAGE_INSTANT, 0, &err);
	if (!track)
		return err;
	row->track = track->number;
	return describe(t, row, name, r);
}

static int instant(struct fxt_page_timeline *t, const struct fxt_record *r)
{
	struct fxt_page_row row;
	int err;

	if (!counts(t, r->ticks, r->ticks) || t->track_count == TRACKS_MAX)
		return 0;
	err = instant_row(t, &row, r, &r->name);
	row.cpu = fxt_page_string(&t->strings, r->category.bytes, r->category.length);
	return err ? err : fxt_page_timeline_put(t, &row);
}

static int message_end(struct fxt_page_timeline *t)
{
	if (!t->message.held)
		return 0;
	t->message.held = false;
	return fxt_page_timeline_put(t, &t->message.row);
}

/* A log record, and the event of the same message right behind it, are one instant: the event. */
static int message(struct fxt_page_timeline *t, const struct fxt_record *r)
{
	struct fxt_page_message *m = &t->message;
	struct fxt_record line = *r;
	int err;

	if (m->held && r->kind == FXT_KIND_EVENT && r->event.type == FXT_EVENT_INSTANT &&
	    r->ticks == m->row.from && r->thread.process == m->process && r->thread.thread == m->thread)
		m->held = false;
	err = message_end(t);
	if (err || r->kind != FXT_KIND_LOG || !counts(t, r->ticks, r->ticks) || t->track_count == TRACKS_MAX)
		return err;
	line.arg_count = 0;
	m->held = true;
	m->process = r->thread.process;
	m->thread = r->thread.thread;
	err = instant_row(t, &m->row, &line, &r->text);
	m->row.cpu = fxt_page_string(&t->strings, "log", 3);
	return err;
}

static bool value_of(const struct fxt_arg *arg, double *value)
{
	__u64 number;

	if (arg->type == FXT_ARG_DOUBLE)
		*value = arg->real;
	else if (arg->type == FXT_ARG_INT32)
		*value = arg->int32;
	else if (arg->type == FXT_ARG_INT64)
		*value = arg->int64;
	else if (!fxt_arg_number(arg, &number))
		*value = number;
	else
		return false;
	return *value - *value == 0;
}

/* "name", or "name series" where an event has more than one. */
static __u32 counter_name(struct fxt_page_timeline *t, const struct fxt_record *r, const struct fxt_arg *arg)
{
	t->text.length = 0;
	text_put(&t->text, r->name.bytes, r->name.length);
	if (r->arg_count > 1) {
		fxt_buffer_put(&t->text, " ", 1);
		text_put(&t->text, arg->name.bytes, arg->name.length);
	}
	return fxt_page_string(&t->strings, t->text.bytes, t->text.length);
}

static int counter(struct fxt_page_timeline *t, const struct fxt_record *r)
{
	struct fxt_page_row row = { .kind = FXT_PAGE_COUNTER, .from = r->ticks };
	struct fxt_page_track *track;
	double value;
	int i, err = 0;

	if (!counts(t, r->ticks, r->ticks))
		return 0;
	for (i = 0; i < r->arg_count && !err; i++) {
		if (!value_of(&r->args[i], &value))
			continue;
		track = event_track(t, r, FXT_PAGE_COUNTER, counter_name(t, r, &r->args[i]), &err);
		if (!track)
			continue;
		if (!track->count || value < track->low)
			track->low = value;
		if (!track->count || value > track->high)
			track->high = value;
		track->count = 1;
		row.from = r->ticks;
		row.track = track->number;
		memcpy(&row.value, &value, sizeof(value));
		err = fxt_page_timeline_put(t, &row);
	}
	return err;
}

/* What the machine reads itself: facts of the recording, losses, what threads are blocked in. */
static bool machines_own(const struct fxt_record *r)
{
	return fxt_text_equal(&r->category, "fxtrec") ||
	       (fxt_text_equal(&r->category, "sched") && fxt_text_equal(&r->name, "blocked"));
}

int fxt_page_timeline_event(struct fxt_page_timeline *t, const struct fxt_record *r)
{
	int err = r->timed ? message(t, r) : 0;

	if (err || r->kind != FXT_KIND_EVENT || r->event.type >= FXT_EVENT_FLOW_BEGIN || machines_own(r))
		return err;
	switch (r->event.type) {
	case FXT_EVENT_COUNTER:
		return counter(t, r);
	case FXT_EVENT_INSTANT:
	case FXT_EVENT_ASYNC_INSTANT:
		return instant(t, r);
	default:
		return slice(t, r);
	}
}

int fxt_page_timeline_events_end(struct fxt_page_timeline *t)
{
	struct fxt_page_track *track;
	size_t at = 0;
	int err = message_end(t);
	__u32 i;

	while (!err && (track = fxt_map_next(&t->tracks, &at))) {
		fxt_spill_touch(t->m->spill, track);
		if (track->of.kind != FXT_PAGE_SLICE)
			continue;
		for (i = 0; i < track->count && !err; i++) {
			struct fxt_page_row row;

			fxt_spill_touch(t->m->spill, &track->open[i]);
			row = track->open[i].row;
			row.to = t->m->to;
			row.phase = 1;
			if (!track->open[i].whole && counts(t, row.from, row.to))
				err = fxt_page_timeline_put(t, &row);
		}
	}
	return err;
}

void fxt_page_timeline_events_uninit(struct fxt_page_timeline *t)
{
	struct fxt_page_track *track;
	size_t at = 0;

	while ((track = fxt_map_next(&t->tracks, &at))) {
		fxt_spill_touch(t->m->spill, track);
		if (track->open)
			fxt_spill_free(t->m->spill, track->open, track->room * sizeof(*track->open));
	}
}
