// SPDX-License-Identifier: GPL-2.0-only
/* Keeps tracks: their descriptors, and their open slices. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "formats/perfetto/read/read.h"
#include "formats/perfetto/read/unread.h"

#define PARENTS_MAX	16

struct fxt_pf_track *fxt_pf_track(struct fxt_pf_reader *rd, __u64 uuid, int *err)
{
	/* Number 0 is the whole trace's track. */
	struct fxt_pf_track *t = fxt_map_get(&rd->tracks, uuid);

	*err = 0;
	if (t)
		return t;
	*err = -E2BIG;
	if (*rd->state_bytes + sizeof(*t) > FXT_PF_STATE_MAX)
		return NULL;
	t = fxt_map_new(&rd->tracks, uuid, sizeof(*t));
	*err = t ? 0 : -ENOMEM;
	if (!t)
		return NULL;
	t->uuid = t->id = uuid;
	t->multiplier = 1;
	*rd->state_bytes += sizeof(*t);
	return t;
}

static void idle_leave(struct fxt_pf_track *t)
{
	if (!t->at_idle)
		return;
	*t->at_idle = t->next_idle;
	if (t->next_idle)
		t->next_idle->at_idle = t->at_idle;
	t->at_idle = NULL;
}

/* Notes a track to forget: fxtrec describes tracks of operations again once it has cleared the sequence's state. */
static void idle_follow(struct fxt_pf_reader *rd, struct fxt_pf_track *t)
{
	idle_leave(t);
	if (!t->ours || t->kind != FXT_PF_TRACK_OTHER || t->slices.count)
		return;
	t->at_idle = &rd->idle;
	t->next_idle = rd->idle;
	if (rd->idle)
		rd->idle->at_idle = &t->next_idle;
	rd->idle = t;
}

int fxt_pf_text_set(struct fxt_pf_reader *rd, struct fxt_pf_text **at, const char *text)
{
	struct fxt_pf_text *new;
	int err;

	if (!text || (*at && !strcmp((*at)->bytes, text)))
		return 0;
	new = fxt_pf_text_new(rd, text, &err);
	if (!new)
		return err;
	fxt_pf_text_free(rd, *at);
	*at = new;
	return 0;
}

static int process_describe(struct fxt_pf_reader *rd, struct fxt_pf_track *t,
			    const Pf__ProcessDescriptor *process, const __u64 *ns)
{
	const char *name = process->process_name;

	t->kind = FXT_PF_TRACK_PROCESS;
	t->process = (__u32)process->pid;
	if (!name && process->n_cmdline)
		name = process->cmdline[0];
	return name && *name ? fxt_pf_process_named(rd, t->process, name, ns) : 0;
}

static int thread_describe(struct fxt_pf_reader *rd, struct fxt_pf_track *t,
			   const Pf__ThreadDescriptor *thread, const __u64 *ns)
{
	const char *name = thread->thread_name;

	t->kind = FXT_PF_TRACK_THREAD;
	t->process = (__u32)thread->pid;
	t->thread = thread->tid;
	return name && *name ? fxt_pf_thread_named(rd, t->thread, t->process, name, ns) : 0;
}

/* Makes fxtrec's additional track for slices of a thread the thread's own. */
static void lane_set(struct fxt_pf_reader *rd, struct fxt_pf_track *t)
{
	const struct fxt_pf_track *parent = fxt_map_get(&rd->tracks, t->parent);

	if (!parent || parent->kind != FXT_PF_TRACK_THREAD)
		return;
	t->kind = FXT_PF_TRACK_THREAD;
	t->process = parent->process;
	t->thread = parent->thread;
}

/* Reads the description of an operation's track; fxtrec's have the id of their events. */
static void operation_describe(struct fxt_pf_track *t, const char *description)
{
	static const char *const prefixes[] = { FXT_PF_ASYNC_PREFIX, FXT_PF_NAMED_PREFIX };
	size_t i, length;
	char *end;
	__u64 id;

	t->described = true;
	t->named = t->name && t->name->length;
	for (i = 0; i < 2 && description; i++) {
		length = strlen(prefixes[i]);
		if (strncmp(description, prefixes[i], length) || description[length] < '0' || description[length] > '9')
			continue;
		id = strtoull(description + length, &end, 10);
		if (*end)
			continue;
		t->ours = true;
		t->named = i == 1;
		t->id = id;
	}
}

int fxt_pf_track_describe(struct fxt_pf_reader *rd, const Pf__TrackDescriptor *d, const __u64 *ns)
{
	const char *name = d->name ? d->name : d->static_name ? d->static_name : d->atrace_name;
	struct fxt_pf_track *t;
	int err;

	t = fxt_pf_track(rd, d->uuid, &err);
	if (!t)
		return err;
	fxt_pf_unread(rd->c, FXT_PF_UNREAD_TRACK, &d->base);
	if (d->process)
		fxt_pf_unread(rd->c, FXT_PF_UNREAD_PROCESS, &d->process->base);
	if (d->thread)
		fxt_pf_unread(rd->c, FXT_PF_UNREAD_THREAD, &d->thread->base);
	t->parent = d->parent_uuid;
	t->met = true;
	idle_leave(t);
	if (d->counter)
		return fxt_pf_counter_describe(rd, t, name, d->description, d->counter);
	if (d->thread)
		return thread_describe(rd, t, d->thread, ns);
	if (d->process)
		return process_describe(rd, t, d->process, ns);
	if (d->description && !strcmp(d->description, FXT_PF_LANE))
		lane_set(rd, t);
	/* The first name stays, as it is common to a track's events. */
	err = t->named ? 0 : fxt_pf_text_set(rd, &t->name, name);
	operation_describe(t, d->description);
	idle_follow(rd, t);
	return err;
}

void fxt_pf_track_owner(struct fxt_pf_reader *rd, const struct fxt_pf_track *t, __u64 *process,
			__u64 *thread)
{
	unsigned int i;

	*process = *thread = 0;
	for (i = 0; t && i < PARENTS_MAX; i++) {
		if (t->kind == FXT_PF_TRACK_THREAD || t->kind == FXT_PF_TRACK_PROCESS) {
			*process = t->process;
			*thread = t->thread;
			return;
		}
		t = t->parent ? fxt_map_get(&rd->tracks, t->parent) : NULL;
	}
}

bool fxt_pf_track_is_early(struct fxt_pf_reader *rd, struct fxt_pf_track *t)
{
	const struct fxt_pf_track *of = t;
	unsigned int i;

	/* Number 0, the whole trace's track, has no descriptor; fxtrec's tracks come with theirs. */
	for (i = 0; !t->ours && !t->early && i < PARENTS_MAX && (!of || of->uuid); i++) {
		if (!of || !of->met)
			t->early = true;
		else if (of->kind == FXT_PF_TRACK_THREAD || of->kind == FXT_PF_TRACK_PROCESS || !of->parent)
			break;
		else
			of = fxt_map_get(&rd->tracks, of->parent);
	}
	return t->early;
}

/*
 * Describes the unsettled operations of a number: as the event, a start of a duration or of an operation, or an instant
 * for neither.  An argument is a text with a literal as its name, and only operations have one.  Returns 0 or -ENOMEM.
 */
static int resolve(struct fxt_pf_reader *rd, __u64 id, struct fxt_record *r)
{
	const enum fxt_event_type type = r->event.type;

	r->event.type = FXT_EVENT_ASYNC_BEGIN;
	r->event.id = id;
	r->input = fxt_reading_number(&rd->c->reading);
	fxt_reading_map(&rd->c->reading, r);
	return fxt_resolve_track(&rd->c->chain.resolve, r, type);
}

int fxt_pf_tracks_early_put(struct fxt_pf_reader *rd)
{
	struct fxt_pf_track *t;
	struct fxt_record r;
	size_t at = 0;
	int err = 0;

	while (!err && (t = fxt_map_next(&rd->tracks, &at))) {
		__u64 process, thread;

		if (!t->early || !t->met)
			continue;
		fxt_pf_track_owner(rd, t, &process, &thread);
		fxt_build_event(&r, t->kind == FXT_PF_TRACK_THREAD ? FXT_EVENT_DURATION_BEGIN : t->described ?
				FXT_EVENT_ASYNC_BEGIN : FXT_EVENT_INSTANT, 0, process, thread, fxt_build_text("", 0),
				fxt_build_text("", 0));
		if (t->named)
			fxt_build_arg_string(&r, fxt_build_string(FXT_TRACK_ARG), fxt_pf_text_of(t->name));
		err = resolve(rd, t->uuid, &r);
	}
	return err;
}

int fxt_pf_track_open(struct fxt_pf_reader *rd, struct fxt_pf_track *t, const struct fxt_record *r)
{
	int err;

	idle_leave(t);
	err = fxt_feed_slices_add(&rd->feed, &t->slices, r, fxt_span(r->category.bytes, r->category.length),
				  rd->feed.provider);
	t->deeper += err == -E2BIG;
	return err == -E2BIG ? 0 : err;
}

void fxt_pf_track_close(struct fxt_pf_reader *rd, struct fxt_pf_track *t)
{
	if (t->deeper) {
		t->deeper--;
	} else if (t->slices.count) {
		fxt_feed_slices_remove(&rd->feed, &t->slices, t->slices.count - 1);
		idle_follow(rd, t);
	}
}

void fxt_pf_track_names(const struct fxt_pf_track *t, struct fxt_record *r)
{
	const struct fxt_feed_slice *open;

	if (!t->slices.count || t->deeper || r->name.length || r->category.length)
		return;
	open = &t->slices.slice[t->slices.count - 1];
	r->name = fxt_build_text(open->name, open->bytes);
	r->category = fxt_build_text(open->name + open->bytes, open->more);
}

static void track_free(void *value)
{
	struct fxt_pf_track *t = value;

	free(t->category);
	free(t->name);
	free(t->arg);
	free(t);
}

void fxt_pf_tracks_forget(struct fxt_pf_reader *rd)
{
	struct fxt_pf_track *t;

	while ((t = rd->idle)) {
		idle_leave(t);
		fxt_map_remove(&rd->tracks, t->uuid);
		*rd->state_bytes -= sizeof(*t) + (t->name ? t->name->length + 64 : 0);
		fxt_feed_slices_free(&rd->feed, &t->slices);
		track_free(t);
	}
}

void fxt_pf_tracks_free(struct fxt_pf_reader *rd)
{
	struct fxt_pf_track *t;
	size_t at = 0;

	while ((t = fxt_map_next(&rd->tracks, &at)))
		fxt_feed_slices_free(&rd->feed, &t->slices);
	fxt_map_uninit(&rd->tracks, track_free);
}
