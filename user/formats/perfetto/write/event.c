// SPDX-License-Identifier: GPL-2.0-only
/* Writes events of threads and operations as track events. */
#include <errno.h>
#include <stdlib.h>

#include "stages/pairing.h"
#include "formats/perfetto/write/packet_builder.h"
#include "model/async.h"

/* Starts the packet of a slice's or an operation's event. */
static void event_begin(struct fxt_pf_builder *b, struct fxt_pf_file *f, const struct fxt_record *r,
			enum fxt_pf_type type, __u64 uuid)
{
	fxt_pf_builder_begin(b, f, r->ticks, uuid, type);
	if (type == FXT_PF_END && !r->name.length && !r->category.length)
		fxt_pf_builder_end_nameless(b, f, r);
	else
		fxt_pf_builder_event(b, f, r, &r->name);
	if (type == FXT_PF_BEGIN)
		fxt_pf_flow_bind(b, r);
}

/* Writes the start or end of a slice on a track. */
static int on_track(struct fxt_pf_file *f, const struct fxt_record *r, enum fxt_pf_type type, __u64 uuid)
{
	struct fxt_pf_builder b;

	event_begin(&b, f, r, type, uuid);
	fxt_pf_open_slice(f, r, uuid);
	return fxt_pf_builder_end(&b, f);
}

static int of_thread(struct fxt_pf_file *f, const struct fxt_record *r, enum fxt_pf_type type)
{
	__u64 uuid;
	int err = fxt_pf_track_thread(f, r, &uuid);

	return err ? err : on_track(f, r, type, uuid);
}

/* Writes an event of an operation; the argument that names its track is left out. */
static int async(struct fxt_pf_file *f, const struct fxt_record *r, enum fxt_pf_type type)
{
	struct fxt_pf_builder *b;
	struct fxt_record bare;
	__u64 uuid;
	int err = fxt_pf_track_async(f, r, &uuid);

	if (err)
		return err;
	b = fxt_pf_operation_begin(f, r);
	if (!b)
		return -ENOMEM;
	if (fxt_pf_track_name(r)) {
		bare = *r;
		memmove(bare.args, bare.args + 1, --bare.arg_count * sizeof(*bare.args));
		r = &bare;
	}
	event_begin(b, f, r, type, uuid);
	fxt_pf_builder_thread(b, r);
	return 0;
}

static bool idless(const struct fxt_record *r)
{
	const struct fxt_arg *id = fxt_record_arg(r, FXT_PF_JSON_ID);

	return id && id->type == FXT_ARG_NULL;
}

/* Returns the number of JSON's id, where the record's number stands for more parts of the id. */
static __u64 json_number(const struct fxt_record *r)
{
	const struct fxt_arg *id = fxt_record_arg(r, FXT_PF_JSON_ID), *digits = fxt_record_arg(r, FXT_PF_JSON_ID_DIGITS);
	char text[24], *end;
	__u64 number;

	if (id && !fxt_arg_number(id, &number))
		return number;
	id = id ? id : digits;
	if (!id || id->type != FXT_ARG_STRING || !id->string.length || id->string.length >= sizeof(text))
		return r->event.id;
	memcpy(text, id->string.bytes, id->string.length);
	text[id->string.length] = '\0';
	number = strtoull(text, &end, id == digits ? 10 : 16);
	return *end || strchr("+- ", *text) ? r->event.id : number;
}

/*
 * Writes an operation of JSON in the older form, so that Perfetto creates the same tracks: one for each number, shared
 * by processes unless the number is local.  Without an id it has no track, as from JSON.
 */
static int async_json(struct fxt_pf_file *f, const struct fxt_record *r)
{
	static const char phases[] = "bne";
	bool local = fxt_arg_equal(fxt_record_arg(r, FXT_PF_JSON_ID2), FXT_ASYNC_LOCAL), none = idless(r);
	const struct fxt_arg *scope = fxt_record_arg(r, FXT_PF_JSON_ID_SCOPE);
	Pf__TrackEvent__LegacyEvent *legacy;
	struct fxt_pf_builder b;
	__u64 uuid;
	char *scope_text = scope && scope->type == FXT_ARG_STRING ? fxt_text_copy(&scope->string) : NULL;
	int err = fxt_pf_track_thread(f, r, &uuid);

	if (!err && scope && scope->type == FXT_ARG_STRING && !scope_text)
		err = -ENOMEM;
	if (err)
		goto out;
	fxt_pf_builder_begin(&b, f, r->ticks, uuid, 0);
	fxt_pf_builder_event(&b, f, r, &r->name);
	fxt_pf_flow_bind(&b, r);
	legacy = fxt_pf_builder_legacy(&b, phases[r->event.type - FXT_EVENT_ASYNC_BEGIN]);
	legacy->has_local_id = local && !none;
	legacy->has_unscoped_id = !local && !none;
	legacy->local_id = legacy->unscoped_id = json_number(r);
	legacy->id_scope = scope_text;
	err = fxt_pf_builder_end(&b, f);
out:
	free(scope_text);
	return err;
}

/* Writes an operation; the phases S, T, p and F are not operations to Perfetto's importer of JSON. */
static int operation(struct fxt_pf_file *f, const struct fxt_record *r, enum fxt_pf_type type)
{
	bool older = fxt_record_arg(r, FXT_PF_JSON_PHASE);

	return idless(r) || (fxt_pf_of_json(r) && !older) ? async_json(f, r) : async(f, r, type);
}

/*
 * Writes a slice in the older form, with its length.  With length 0, the slices that follow at its time are inside it.
 */
static int complete_legacy(struct fxt_pf_file *f, const struct fxt_record *r, __u64 uuid, __u64 end)
{
	const struct fxt_arg *duration = fxt_record_arg(r, FXT_PF_JSON_DURATION);
	Pf__TrackEvent__LegacyEvent *legacy;
	struct fxt_pf_builder b;

	fxt_pf_builder_begin(&b, f, r->ticks, uuid, 0);
	fxt_pf_builder_event(&b, f, r, &r->name);
	fxt_pf_open_slice(f, r, uuid);
	fxt_pf_flow_bind(&b, r);
	legacy = fxt_pf_builder_legacy(&b, 'X');
	legacy->has_duration_us = true;
	legacy->duration_us = (end - r->ticks) / 1000;
	/* Perfetto drops a slice without an end, as from JSON. */
	if (duration && duration->type == FXT_ARG_NULL)
		legacy->duration_us = -1;
	return fxt_pf_builder_end(&b, f);
}

/*
 * Returns whether JSON's slice can have the older form, which has microseconds and is on a thread's own track.  The
 * older form has no separate end, which would also end an unclosed slice around or within it.
 */
static bool whole(const struct fxt_record *r, __u64 end, __u64 uuid, __u64 thread)
{
	return fxt_pf_of_json(r) && uuid == thread && !((end - r->ticks) % 1000);
}

/*
 * Writes a slice in the older form, or with an end that follows at once and without a name, which the reader uses to
 * pair them.
 */
static int complete(struct fxt_pf_file *f, const struct fxt_record *r)
{
	struct fxt_pf_builder b;
	__u64 uuid, thread, end = r->event.end;
	int err = fxt_pf_track_thread(f, r, &thread);

	/* The start and end of a slice from packets are written again as they were. */
	uuid = thread;
	if (!err && fxt_pf_of_json(r))
		err = fxt_pf_track_lane(f, r, &uuid);
	if (end < r->ticks) {
		fxt_note(&f->c->unheld, "slices that end before they begin, written with no length", 1);
		end = r->ticks;
	}
	if (!err && (end == r->ticks || whole(r, end, uuid, thread)))
		return complete_legacy(f, r, uuid, end);
	if (!err)
		err = on_track(f, r, FXT_PF_BEGIN, uuid);
	if (err)
		return err;
	fxt_pf_builder_begin(&b, f, end, uuid, FXT_PF_END);
	return fxt_pf_builder_end(&b, f);
}

int fxt_pf_event(struct fxt_pf_file *f, const struct fxt_record *r)
{
	int err = fxt_pf_loss(f, r);

	if (!err)
		err = fxt_pf_kernel_event(f, r);
	if (err)
		return err < 0 ? err : 0;
	if (fxt_pairing_message(r))
		fxt_pf_bodies_ready(f, fxt_pairing_message(r)->length);
	switch (r->event.type) {
	case FXT_EVENT_INSTANT:
		return fxt_pf_instant(f, r);
	case FXT_EVENT_COUNTER:
		return fxt_pf_counter_put(f, r);
	case FXT_EVENT_DURATION_BEGIN:
		return of_thread(f, r, FXT_PF_BEGIN);
	case FXT_EVENT_DURATION_END:
		return of_thread(f, r, FXT_PF_END);
	case FXT_EVENT_DURATION_COMPLETE:
		return complete(f, r);
	case FXT_EVENT_ASYNC_BEGIN:
		return operation(f, r, FXT_PF_BEGIN);
	case FXT_EVENT_ASYNC_INSTANT:
		return operation(f, r, FXT_PF_INSTANT);
	case FXT_EVENT_ASYNC_END:
		return operation(f, r, FXT_PF_END);
	case FXT_EVENT_FLOW_BEGIN:
	case FXT_EVENT_FLOW_STEP:
	case FXT_EVENT_FLOW_END:
		return fxt_pf_flow(f, r);
	}
	fxt_note(&f->c->unheld, "events of unknown types", 1);
	return 0;
}
