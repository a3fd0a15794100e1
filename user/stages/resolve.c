// SPDX-License-Identifier: GPL-2.0-only
/* Resolves events with types that depend on earlier records. */
#include <errno.h>
#include <string.h>

#include "stages/resolve.h"
#include "model/build.h"

/* Key of flows, calls and tracks: an input, and a number in it. */
struct key {
	__u64 id, input;
};

/* A copy of a text; its memory is reused. */
struct kept {
	struct fxt_text text;
	char *room;
	__u32 bytes;
};

struct flow {
	struct key key;
	bool open;
};

struct open_call {
	struct key key;
	bool open;
	struct kept name;
};

struct operations {
	struct key key;
	struct fxt_resolve_open *last;
	bool described;		/* type and the following members are valid */
	enum fxt_event_type type;
	__u64 process, thread;
	/* Name of the events' argument, which is a literal, and its value; empty: no argument. */
	struct fxt_text arg;
	struct kept value;
};

/* An open operation of a track, or an unused one. */
struct fxt_resolve_open {
	struct fxt_resolve_open *before;
	struct kept category, name;
};

void fxt_resolve_init(struct fxt_resolve *s, struct fxt_spill *spill)
{
	*s = (struct fxt_resolve){ .flows.memory.spill = spill, .calls.memory.spill = spill,
				  .tracks.memory.spill = spill };
}

void fxt_resolve_uninit(struct fxt_resolve *s)
{
	fxt_map_uninit(&s->flows, NULL);
	fxt_map_uninit(&s->calls, NULL);
	fxt_map_uninit(&s->tracks, NULL);
}

/* Returns the object of a key, a new one if need be; NULL without memory. */
static void *get(struct fxt_map *map, struct key key, size_t size)
{
	void *found = fxt_map_named(map, &key, sizeof(key));

	return found ? found : fxt_map_new_named(map, &key, sizeof(key), size);
}

/* Copies a text, unless it is in the sorter's table.  0 or -ENOMEM. */
static int keep(struct fxt_map *map, struct kept *kept, const struct fxt_text *text)
{
	kept->text = *text;
	if (!(text->ref & FXT_REF_INLINE))
		return 0;
	if (kept->bytes < text->length) {
		kept->bytes = 2 * text->length;
		kept->room = fxt_arena_alloc(&map->memory, kept->bytes);
	}
	if (!kept->room)
		return -ENOMEM;
	memcpy(kept->room, text->bytes, text->length);
	kept->text.bytes = kept->room;
	return 0;
}

/* Sets the thread or process of a flow's track, by a descriptor that comes later in the file. */
static void flow_track_resolve(struct fxt_resolve *s, struct fxt_record *r, const struct fxt_arg *id)
{
	const struct operations *track;
	struct key key = { .input = r->input };

	fxt_arg_number(id, &key.id);
	track = fxt_map_named(&s->tracks, &key, sizeof(key));
	if (!track || !track->described)
		return;
	r->thread.process = track->process;
	r->thread.thread = track->thread;
	if (track->type == FXT_EVENT_DURATION_BEGIN)
		r->arg_count = 0;
}

/* Resolves an event of a flow.  In the older form, only a start opens a flow, and further events may follow an end. */
static int flow_resolve(struct fxt_resolve *s, struct fxt_record *r)
{
	struct flow *flow = get(&s->flows, (struct key){ r->event.id, r->input }, sizeof(*flow));
	const struct fxt_arg *last = r->arg_count ? &r->args[r->arg_count - 1] : NULL;
	bool older = last && fxt_text_equal(&last->name, FXT_FLOW_OLDER), was_open;

	if (!flow)
		return -ENOMEM;
	r->arg_count -= older;
	was_open = flow->open;
	if (r->event.type == FXT_EVENT_FLOW_STEP && !was_open && !older)
		r->event.type = FXT_EVENT_FLOW_BEGIN;
	if (r->event.type == FXT_EVENT_FLOW_BEGIN ? was_open : !was_open)
		return 0;
	flow->open = r->event.type != FXT_EVENT_FLOW_END || older;
	if (r->arg_count)
		flow_track_resolve(s, r, &r->args[0]);
	return 1;
}

static int call_begin(struct fxt_resolve *s, struct open_call *call, struct fxt_record *r)
{
	int err;

	if (call->open) {
		const struct fxt_text name = call->name.text;

		s->next = *r;
		s->waits = true;
		r->event.type = FXT_EVENT_DURATION_END;
		r->name = name;
		r->arg_count = 0;
		call->open = false;
		return 1;
	}
	err = keep(&s->calls, &call->name, &r->name);
	call->open = !err;
	return err ? err : 1;
}

static int call_resolve(struct fxt_resolve *s, struct fxt_record *r)
{
	struct open_call *call = get(&s->calls, (struct key){ r->thread.thread, r->input }, sizeof(*call));
	struct fxt_text name;

	if (!call)
		return -ENOMEM;
	if (r->event.type == FXT_EVENT_DURATION_BEGIN)
		return call_begin(s, call, r);
	name = call->name.text;
	if (!call->open || (r->name.length && !fxt_text_same(&r->name, &name)))
		return 0;
	call->open = false;
	r->name = name;
	return 1;
}

static int track_begin(struct fxt_resolve *s, struct operations *track, const struct fxt_record *r)
{
	struct fxt_resolve_open *open = s->unused;
	int err;

	if (!open)
		open = fxt_arena_alloc(&s->tracks.memory, sizeof(*open));
	if (!open)
		return -ENOMEM;
	if (open == s->unused)
		s->unused = open->before;
	open->before = track->last;
	track->last = open;
	err = keep(&s->tracks, &open->category, &r->category);
	if (!err)
		err = keep(&s->tracks, &open->name, &r->name);
	return err ? err : 1;
}

static int names_resolve(struct fxt_resolve *s, struct operations *track, struct fxt_record *r)
{
	struct fxt_resolve_open *open;

	if (r->event.type == FXT_EVENT_ASYNC_BEGIN)
		return track_begin(s, track, r);
	open = r->event.type == FXT_EVENT_ASYNC_END ? track->last : NULL;
	if (!open)
		return 1;
	track->last = open->before;
	open->before = s->unused;
	s->unused = open;
	if (!r->name.length && !r->category.length) {
		r->category = open->category.text;
		r->name = open->name.text;
	}
	return 1;
}

/* Changes an event by the track's descriptor, which comes later in the file. */
static void described_set(const struct operations *track, struct fxt_record *r)
{
	static const enum fxt_event_type of_thread[] = {
		[FXT_EVENT_ASYNC_BEGIN] = FXT_EVENT_DURATION_BEGIN, [FXT_EVENT_ASYNC_END] = FXT_EVENT_DURATION_END,
		[FXT_EVENT_ASYNC_INSTANT] = FXT_EVENT_INSTANT,
	};

	r->thread.process = track->process;
	r->thread.thread = track->thread;
	if (track->type == FXT_EVENT_DURATION_BEGIN)
		r->event.type = of_thread[r->event.type];
	else if (track->arg.length)
		fxt_build_arg_string(r, track->arg, track->value.text);
}

static int track_resolve(struct fxt_resolve *s, struct fxt_record *r)
{
	struct operations *track = get(&s->tracks, (struct key){ r->event.id, r->input }, sizeof(*track));
	int err = track ? names_resolve(s, track, r) : -ENOMEM;

	if (err < 0)
		return err;
	if (track->described)
		described_set(track, r);
	/*
	 * An instant of a process or of the trace is not part of an operation; an instant of an undescribed track is.
	 */
	if (r->event.type == FXT_EVENT_ASYNC_INSTANT && track->described && track->type != FXT_EVENT_ASYNC_BEGIN)
		r->event.type = FXT_EVENT_INSTANT;
	return 1;
}

int fxt_resolve_track(struct fxt_resolve *s, const struct fxt_record *r, enum fxt_event_type type)
{
	struct operations *track = get(&s->tracks, (struct key){ r->event.id, r->input }, sizeof(*track));
	struct fxt_text value;

	if (!track)
		return -ENOMEM;
	track->described = true;
	track->type = type;
	track->process = r->thread.process;
	track->thread = r->thread.thread;
	if (!r->arg_count)
		return 0;
	track->arg = r->args[0].name;
	value = r->args[0].string;
	value.ref = FXT_REF_INLINE;
	return keep(&s->tracks, &track->value, &value);
}

/* Settles an event.  Returns 1; 0: the event is dropped; -errno. */
static int settle(struct fxt_resolve *s, struct fxt_record *r)
{
	r->event.unsettled = false;
	return r->event.type >= FXT_EVENT_FLOW_BEGIN ? flow_resolve(s, r) :
	       r->event.type >= FXT_EVENT_ASYNC_BEGIN ? track_resolve(s, r) : call_resolve(s, r);
}

int fxt_resolve_put(struct fxt_stage *stage, struct fxt_record *r)
{
	struct fxt_resolve *s = stage->arg;
	int got;

	if (r->kind != FXT_KIND_EVENT || !r->event.unsettled)
		return fxt_stage_pass(stage, r);
	got = settle(s, r);
	if (got > 0)
		got = fxt_stage_pass(stage, r);
	if (got || !s->waits)
		return got;
	s->waits = false;
	got = settle(s, &s->next);
	return got > 0 ? fxt_stage_pass(stage, &s->next) : got;
}
