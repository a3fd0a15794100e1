// SPDX-License-Identifier: GPL-2.0-only
/* Turns track events into events of threads and operations, counters, flows and messages. */
#include <errno.h>
#include <stdlib.h>

#include "convert/skip.h"
#include "formats/perfetto/read/event.h"
#include "formats/perfetto/read/unread.h"

int fxt_pf_slice_flush(struct fxt_pf_reader *rd)
{
	if (!rd->slice_waits)
		return 0;
	rd->slice_waits = false;
	return fxt_pf_put(rd, &rd->slice, rd->slice.ticks, rd->feed.provider);
}

#define CATEGORIES_BYTES	256

static struct fxt_text category_at(const struct fxt_pf_event_reader *e, size_t i)
{
	if (i < e->event->n_categories)
		return fxt_build_string(e->event->categories[i]);
	return fxt_pf_interned_text(e->s, FXT_PF_CATEGORY,
				    e->event->category_iids[i - e->event->n_categories]);
}

/* Joins several categories with commas, as in the Trace Event Format. */
static struct fxt_text categories_join(const struct fxt_pf_event_reader *e, size_t count)
{
	char *joined = fxt_pf_arena_alloc(&e->rd->arenas[e->rd->arena], CATEGORIES_BYTES);
	size_t i, length = 0;

	for (i = 0; i < count && joined; i++) {
		struct fxt_text one = category_at(e, i);

		if (length + one.length + 1 > CATEGORIES_BYTES) {
			fxt_skip(e->rd->c, "categories that are too long together", 1);
			break;
		}
		if (i)
			joined[length++] = ',';
		memcpy(joined + length, one.bytes, one.length);
		length += one.length;
	}
	return fxt_build_text(joined ? joined : "", length);
}

static struct fxt_text category_of(const struct fxt_pf_event_reader *e)
{
	size_t count = e->event->n_categories + e->event->n_category_iids;

	if (count > 1)
		return categories_join(e, count);
	return count ? category_at(e, 0) : fxt_build_text("", 0);
}

static struct fxt_text name_of(const struct fxt_pf_event_reader *e)
{
	const Pf__TrackEvent__LegacyEvent *legacy = e->event->legacy_event;

	if (e->event->name)
		return fxt_build_string(e->event->name);
	if (e->event->has_name_iid)
		return fxt_pf_interned_text(e->s, FXT_PF_NAME, e->event->name_iid);
	if (legacy && legacy->has_name_iid)
		return fxt_pf_interned_text(e->s, FXT_PF_NAME, legacy->name_iid);
	return fxt_build_text("", 0);
}

/*
 * Starts a slice.  If the next event is its end, without anything else, one record has both; a slice with large memory
 * doesn't wait for that.
 */
static int slice_begin(struct fxt_pf_event_reader *e, struct fxt_record *r)
{
	struct fxt_pf_reader *rd = e->rd;
	int err;

	if (r->event.unsettled)
		return fxt_pf_put(rd, r, r->ticks, rd->feed.provider);
	if (fxt_pf_arena_is_large(&rd->arenas[rd->arena])) {
		err = fxt_pf_put(rd, r, r->ticks, rd->feed.provider);
		return err ? err : fxt_pf_track_open(rd, e->track, r);
	}
	rd->slice = *r;
	rd->slice_waits = true;
	rd->slice_track = e->track->uuid;
	/* The record's texts must stay valid while another packet is read. */
	rd->arena = !rd->arena;
	return fxt_pf_track_open(rd, e->track, r);
}

static bool is_bare(const Pf__TrackEvent *event)
{
	return !event->name && !event->has_name_iid && !event->n_category_iids &&
	       !event->n_categories && !event->n_debug_annotations && !event->legacy_event && !event->log_message;
}

static int slice_end(struct fxt_pf_event_reader *e, struct fxt_record *r)
{
	struct fxt_pf_reader *rd = e->rd;
	int err;

	if (rd->slice_waits && rd->slice_track == e->track->uuid && is_bare(e->event) &&
	    e->ns >= rd->slice.ticks && rd->slice.event.type == FXT_EVENT_DURATION_BEGIN) {
		rd->slice.event.type = FXT_EVENT_DURATION_COMPLETE;
		rd->slice.event.end = e->ns;
		fxt_pf_track_close(rd, e->track);
		return fxt_pf_slice_flush(rd);
	}
	err = fxt_pf_slice_flush(rd);
	if (!r->event.unsettled)
		fxt_pf_track_names(e->track, r);
	err = err ? err : fxt_pf_put(rd, r, e->ns, rd->feed.provider);
	if (!r->event.unsettled)
		fxt_pf_track_close(rd, e->track);
	return err;
}

static bool is_operation(const struct fxt_record *r)
{
	return r->event.type >= FXT_EVENT_ASYNC_BEGIN && r->event.type <= FXT_EVENT_ASYNC_END;
}

/* Puts the flows through the event.  The flow's first event by time is known only after all packets. */
static int flows_put(struct fxt_pf_event_reader *e, const struct fxt_record *r,
		     const __u64 *ids, size_t count, enum fxt_event_type type, bool older)
{
	struct fxt_record flow;
	int err = 0;
	size_t i;

	for (i = 0; i < count && !err; i++) {
		fxt_build_event(&flow, type, e->ns, r->thread.process, r->thread.thread, fxt_build_string("flow"),
				fxt_build_string("flow"));
		flow.event.id = ids[i] >> 48 == FXT_PF_FLOW_BASE >> 48 ? ids[i] ^ FXT_PF_FLOW_BASE : ids[i];
		flow.event.unsettled = true;
		if (is_operation(r))
			fxt_build_arg_uint(&flow, fxt_build_string(FXT_TRACK_ID_ARG), r->event.id);
		if (older)
			fxt_build_arg_null(&flow, fxt_build_string(FXT_FLOW_OLDER));
		err = fxt_pf_put(e->rd, &flow, e->ns, e->rd->feed.provider);
	}
	return err;
}

/* Puts flows of the older form: the ends of a flow are events with the same bind_id. */
static int flow_legacy(struct fxt_pf_event_reader *e, const struct fxt_record *r)
{
	const Pf__TrackEvent__LegacyEvent *legacy = e->event->legacy_event;
	enum fxt_event_type type;
	int err;

	if (!legacy || !legacy->has_bind_id || !legacy->has_flow_direction || fxt_record_arg(r, FXT_PF_JSON_BIND))
		return 0;
	type = legacy->flow_direction == FXT_PF_FLOW_OUT ? FXT_EVENT_FLOW_BEGIN :
	       legacy->flow_direction == FXT_PF_FLOW_IN ? FXT_EVENT_FLOW_END : FXT_EVENT_FLOW_STEP;
	err = fxt_pf_slice_flush(e->rd);
	return err ? err : flows_put(e, r, (const __u64 *)&legacy->bind_id, 1, type, true);
}

int fxt_pf_flows(struct fxt_pf_event_reader *e, const struct fxt_record *r)
{
	const Pf__TrackEvent *event = e->event;
	int err = flow_legacy(e, r);

	if (err)
		return err;
	if (!event->n_flow_ids && !event->n_flow_ids_old && !event->n_terminating_flow_ids &&
	    !event->n_terminating_flow_ids_old)
		return 0;
	err = fxt_pf_slice_flush(e->rd);
	if (!err)
		err = flows_put(e, r, (const __u64 *)event->flow_ids, event->n_flow_ids,
				FXT_EVENT_FLOW_STEP, false);
	if (!err)
		err = flows_put(e, r, (const __u64 *)event->flow_ids_old, event->n_flow_ids_old,
				FXT_EVENT_FLOW_STEP, false);
	if (!err)
		err = flows_put(e, r, (const __u64 *)event->terminating_flow_ids,
				event->n_terminating_flow_ids, FXT_EVENT_FLOW_END, false);
	if (!err)
		err = flows_put(e, r, (const __u64 *)event->terminating_flow_ids_old,
				event->n_terminating_flow_ids_old, FXT_EVENT_FLOW_END, false);
	return err;
}

/* Returns whether an event is fxtrec's flow: an instant with the flow's direction. */
static bool is_flow(const Pf__TrackEvent *event)
{
	const Pf__TrackEvent__LegacyEvent *legacy = event->legacy_event;

	return event->type == FXT_PF_INSTANT && legacy && legacy->has_flow_direction &&
	       legacy->has_unscoped_id && !legacy->has_bind_id;
}

static void flow_set(const struct fxt_pf_event_reader *e, struct fxt_record *r)
{
	const Pf__TrackEvent__LegacyEvent *legacy = e->event->legacy_event;

	r->event.type = legacy->flow_direction == FXT_PF_FLOW_IN ? FXT_EVENT_FLOW_END :
			legacy->flow_direction == FXT_PF_FLOW_OUT ? FXT_EVENT_FLOW_BEGIN :
			FXT_EVENT_FLOW_STEP;
	r->event.id = legacy->unscoped_id;
}

static int plain(struct fxt_pf_event_reader *e)
{
	bool early = !e->thread_given && !is_flow(e->event) && !e->event->log_message &&
		     fxt_pf_track_is_early(e->rd, e->track);
	bool async = early || (e->track->kind != FXT_PF_TRACK_THREAD && !e->thread_given);
	static const enum fxt_event_type types[2][4] = {
		{ 0, FXT_EVENT_DURATION_BEGIN, FXT_EVENT_DURATION_END, FXT_EVENT_INSTANT },
		{ 0, FXT_EVENT_ASYNC_BEGIN, FXT_EVENT_ASYNC_END, FXT_EVENT_ASYNC_INSTANT },
	};
	enum fxt_pf_type type = e->event->type;
	struct fxt_record r;
	int err, alone;

	fxt_build_event(&r, types[async][type], e->ns, e->process, e->thread, category_of(e),
			name_of(e));
	r.event.id = e->track->id;
	if (async && e->track->named && !early)
		fxt_build_arg_string(&r, fxt_build_string(FXT_TRACK_ARG), fxt_pf_text_of(e->track->name));
	fxt_pf_args(e->rd, e->s, &r, e->event->debug_annotations, e->event->n_debug_annotations);
	if (e->event->has_callstack_iid)
		fxt_pf_stack_arg(e->rd, e->s, e->event, &r);
	if (async)
		fxt_pf_thread_arg_remove(&r);
	/* An instant of a process or of the trace is not part of an operation. */
	if (type == FXT_PF_INSTANT && async && !early && !e->track->described)
		r.event.type = FXT_EVENT_INSTANT;
	if (is_flow(e->event))
		flow_set(e, &r);
	/* Others' sequences may have starts and ends on one track: the times decide which belong together. */
	r.event.unsettled = early || (async && !e->track->ours && type != FXT_PF_INSTANT);
	alone = e->event->log_message ? fxt_pf_message(e->rd, e->s, e->event, &r) : 0;
	if (alone < 0)
		return alone;
	/*
	 * A flow of a thread's slice that ends here comes while the slice is open; a flow of an operation, after its
	 * end.
	 */
	if (type == FXT_PF_END && !async) {
		err = fxt_pf_flows(e, &r);
		return err ? err : slice_end(e, &r);
	}
	if (type == FXT_PF_END) {
		err = slice_end(e, &r);
		return err ? err : fxt_pf_flows(e, &r);
	}
	err = fxt_pf_slice_flush(e->rd);
	if (err)
		return err;
	if (alone)
		err = 0;
	else if (type == FXT_PF_BEGIN)
		err = slice_begin(e, &r);
	else
		err = fxt_pf_put(e->rd, &r, e->ns, e->rd->feed.provider);
	return err || is_flow(e->event) ? err : fxt_pf_flows(e, &r);
}

int fxt_pf_track_event(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s,
		       const Pf__TracePacket *packet, __u64 ns)
{
	const Pf__TrackEvent *event = packet->track_event;
	struct fxt_pf_event_reader e = { .rd = rd, .s = s, .event = event, .ns = ns };
	int err;

	fxt_pf_unread(rd->c, FXT_PF_UNREAD_EVENT, &event->base);
	if (event->legacy_event)
		fxt_pf_unread(rd->c, FXT_PF_UNREAD_LEGACY, &event->legacy_event->base);
	fxt_pf_legacy_time(&e, packet);
	e.track = fxt_pf_track(rd, event->has_track_uuid ? event->track_uuid : s->track, &err);
	if (!e.track)
		return err;
	fxt_pf_track_owner(rd, e.track, &e.process, &e.thread);
	fxt_pf_legacy_thread(&e);
	if (event->type >= FXT_PF_BEGIN && event->type <= FXT_PF_INSTANT)
		err = plain(&e);
	else if (event->type == FXT_PF_COUNTER)
		err = fxt_pf_counter(&e);
	else if (event->legacy_event && event->legacy_event->phase)
		err = fxt_pf_legacy(&e, category_of(&e), name_of(&e));
	else
		fxt_skip(rd->c, "track events of other types", 1);
	return err ? err : fxt_pf_counter_extras(&e);
}
