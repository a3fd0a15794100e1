// SPDX-License-Identifier: GPL-2.0-only
/* The page's events: instants, counters, log lines, and the parts that slices share with them. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/loss.h"
#include "page/timeline.h"
#include "page/timeline_track.h"
#include "util/list.h"

#define TRACKS_MAX	(1u << 16)

/* Separators in a text: PART between the name and the arguments, VALUE between an argument's name and value. */
#define PART	"\x1e"
#define VALUE	"\x1f"

static struct fxt_page_track *track_of(struct fxt_page_timeline *t, const struct fxt_page_track_name *name)
{
	struct fxt_page_track *track = fxt_map_named(&t->tracks, name, sizeof(*name));

	if (track || t->track_count == TRACKS_MAX)
		return track;
	track = fxt_map_new_named(&t->tracks, name, sizeof(*name), sizeof(*track));
	if (!track)
		return NULL;
	fxt_list_append(t->first_track, t->last_track, track);
	track->number = t->track_count++;
	return track;
}

struct fxt_page_track *fxt_page_track_get(struct fxt_page_timeline *t, const struct fxt_page_track_name *name, int *err)
{
	struct fxt_page_track *track = track_of(t, name);

	*err = track || t->track_count == TRACKS_MAX ? 0 : -ENOMEM;
	t->refused += !track;
	return track;
}

/*
 * Returns the life of a thread's id.  The first life is 0, as a thread that runs when the trace begins may have an
 * event before its first scheduling event.
 */
static __u64 life_of(const struct fxt_page_timeline *t, const struct fxt_task *task)
{
	if (!task)
		return 0;
	if (task->phase == FXT_PHASE_DEAD)
		return FXT_PAGE_NO_LIFE;
	return task->begin == t->m->begin ? 0 : task->key;
}

struct fxt_page_track *fxt_page_event_track(struct fxt_page_timeline *t, const struct fxt_record *r,
					  enum fxt_page_kind kind, __u32 name, int *err)
{
	bool async = r->kind == FXT_KIND_EVENT && r->event.type >= FXT_EVENT_ASYNC_BEGIN;
	bool by_id = async || kind == FXT_PAGE_COUNTER;
	const struct fxt_task *task = by_id ? NULL : fxt_tasks_get(&t->m->tasks, r->thread.thread);
	struct fxt_page_track_name of = {
		.process = r->thread.process,
		.thread = by_id ? 0 : r->thread.thread,
		/* Instants of asynchronous work share one track. */
		.id = async ? 1 : by_id ? r->event.id + 1 : life_of(t, task),
		.kind = kind,
		.name = name,
	};
	struct fxt_page_track *track = fxt_page_track_get(t, &of, err);

	if (track && task && of.id != FXT_PAGE_NO_LIFE)
		track->key = task->key;
	return track;
}

/* Puts a text without the page's separators. */
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

int fxt_page_event_describe(struct fxt_page_timeline *t, struct fxt_page_row *row, const struct fxt_text *name,
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

static int instant_row(struct fxt_page_timeline *t, struct fxt_page_row *row, const struct fxt_record *r,
		       const struct fxt_text *name)
{
	struct fxt_page_track *track;
	int err;

	*row = (struct fxt_page_row){ .kind = FXT_PAGE_INSTANT, .from = r->ticks };
	track = fxt_page_event_track(t, r, FXT_PAGE_INSTANT, 0, &err);
	if (!track)
		return err;
	row->track = track->number;
	return fxt_page_event_describe(t, row, name, r);
}

static int instant(struct fxt_page_timeline *t, const struct fxt_record *r)
{
	struct fxt_page_row row;
	int err;

	if (!fxt_page_event_counts(t, r->ticks, r->ticks) || t->track_count == TRACKS_MAX)
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

/* Puts a message.  A log record, and an event of the same message right after it, are one instant: the event. */
static int message(struct fxt_page_timeline *t, const struct fxt_record *r)
{
	struct fxt_page_message *m = &t->message;
	struct fxt_record line = *r;
	int err;

	if (m->held && r->kind == FXT_KIND_EVENT && r->event.type == FXT_EVENT_INSTANT &&
	    r->ticks == m->row.from && r->thread.process == m->process && r->thread.thread == m->thread)
		m->held = false;
	err = message_end(t);
	if (err || r->kind != FXT_KIND_LOG || !fxt_page_event_counts(t, r->ticks, r->ticks) || t->track_count == TRACKS_MAX)
		return err;
	line.arg_count = 0;
	m->held = true;
	m->process = r->thread.process;
	m->thread = r->thread.thread;
	err = instant_row(t, &m->row, &line, &r->text);
	m->row.cpu = fxt_page_string(&t->strings, "log", 3);
	return err;
}

/* Returns the number of "name", or of "name series" for an event with several series. */
static __u32 counter_name(struct fxt_page_timeline *t, const struct fxt_record *r, const struct fxt_arg *arg,
			  bool several)
{
	t->text.length = 0;
	text_put(&t->text, r->name.bytes, r->name.length);
	if (several) {
		fxt_buffer_put(&t->text, " ", 1);
		text_put(&t->text, arg->name.bytes, arg->name.length);
	}
	return fxt_page_string(&t->strings, t->text.bytes, t->text.length);
}

static int counter(struct fxt_page_timeline *t, const struct fxt_record *r)
{
	struct fxt_page_row row = { .kind = FXT_PAGE_COUNTER, .from = r->ticks };
	bool several = fxt_counter_continues(&t->counter, r) || t->counter.full || fxt_counter_series(r) > 1;
	struct fxt_page_track *track;
	double value;
	int i, err = 0;

	if (!fxt_page_event_counts(t, r->ticks, r->ticks))
		return 0;
	for (i = 0; i < r->arg_count && !err; i++) {
		if (!fxt_counter_value(&r->args[i], &value) || value - value != 0)
			continue;
		track = fxt_page_event_track(t, r, FXT_PAGE_COUNTER, counter_name(t, r, &r->args[i], several),
					     &err);
		if (!track)
			continue;
		if (!track->counted || value < track->low)
			track->low = value;
		if (!track->counted || value > track->high)
			track->high = value;
		track->counted = true;
		row.from = r->ticks;
		row.track = track->number;
		memcpy(&row.value, &value, sizeof(value));
		err = fxt_page_timeline_put(t, &row);
	}
	return err;
}

/*
 * Returns whether an event of the recorder is handled elsewhere: the machine reads losses of scheduling, and facts of
 * the recording are not events.
 */
static bool recorders_own(const struct fxt_record *r)
{
	bool known;
	__u32 cpu;

	if (r->event.type == FXT_EVENT_COUNTER)
		return false;
	if (fxt_text_equal(&r->name, "lost"))
		return fxt_lost_where(r, &known, &cpu) == FXTREC_RING_SCHED;
	return !fxt_text_equal(&r->name, "latency") && !fxt_text_equal(&r->name, "dsleep");
}

/* Returns whether an event is shown in another way, or not at all. */
static bool is_read(const struct fxt_record *r)
{
	if (fxt_text_equal(&r->category, "fxtrec"))
		return recorders_own(r);
	return fxt_text_equal(&r->category, "sched") && fxt_text_equal(&r->name, "blocked");
}

int fxt_page_timeline_event(struct fxt_page_timeline *t, const struct fxt_record *r)
{
	int err = r->timed ? message(t, r) : 0;

	if (err || r->kind != FXT_KIND_EVENT || r->event.type >= FXT_EVENT_FLOW_BEGIN || is_read(r))
		return err;
	switch (r->event.type) {
	case FXT_EVENT_COUNTER:
		return counter(t, r);
	case FXT_EVENT_INSTANT:
	case FXT_EVENT_ASYNC_INSTANT:
		return instant(t, r);
	default:
		return fxt_page_slice_put(t, r);
	}
}

int fxt_page_timeline_events_end(struct fxt_page_timeline *t)
{
	int err = message_end(t);

	return err ? err : fxt_page_slices_end(t);
}
