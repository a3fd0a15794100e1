// SPDX-License-Identifier: GPL-2.0-only
/* Reads the older form of track events: phases of the Trace Event Format, times in microseconds. */
#include <string.h>

#include "convert/skip.h"
#include "formats/perfetto/read/event.h"
#include "model/async.h"

void fxt_pf_legacy_time(struct fxt_pf_event_reader *e, const Pf__TracePacket *packet)
{
	if (packet->has_timestamp)
		return;
	if (e->event->has_timestamp_absolute_us)
		e->ns = (__u64)e->event->timestamp_absolute_us * 1000;
	else if (e->event->has_timestamp_delta_us)
		e->ns = (e->s->time_us += e->event->timestamp_delta_us) * 1000;
}

/*
 * Returns whether an event belongs to its sequence's thread: an event without a track, or with a phase and track 0.  If
 * only a track's descriptor names the thread, slices alone belong to it; Perfetto shows operations there without a
 * process.
 */
static bool is_of_sequence(const struct fxt_pf_event_reader *e)
{
	const Pf__TrackEvent *event = e->event;
	bool track = event->has_track_uuid ? event->track_uuid || event->has_type : e->s->track != 0;
	int phase = event->legacy_event ? event->legacy_event->phase : 0;

	return !track && e->s->has_thread && (!e->s->by_track || phase == 'B' || phase == 'E' || phase == 'X');
}

void fxt_pf_legacy_thread(struct fxt_pf_event_reader *e)
{
	const Pf__TrackEvent__LegacyEvent *legacy = e->event->legacy_event;

	if (is_of_sequence(e)) {
		e->process = e->s->process;
		e->thread = e->s->thread;
		e->thread_given = true;
	}
	if (!legacy)
		return;
	if (legacy->has_pid_override)
		e->process = (__u32)legacy->pid_override;
	if (legacy->has_tid_override) {
		e->thread = (__u32)legacy->tid_override;
		e->thread_given = true;
	}
}

/* Finds FXT's event type of a phase; false: there is none. */
static bool type_of(int phase, enum fxt_event_type *type)
{
	switch (phase) {
	case 'B':
		*type = FXT_EVENT_DURATION_BEGIN;
		return true;
	case 'E':
		*type = FXT_EVENT_DURATION_END;
		return true;
	case 'X':
		*type = FXT_EVENT_DURATION_COMPLETE;
		return true;
	case 'I':
	case 'i':
	case 'R':
		*type = FXT_EVENT_INSTANT;
		return true;
	case 'b':
	case 'S':
		*type = FXT_EVENT_ASYNC_BEGIN;
		return true;
	case 'n':
	case 'T':
	case 'p':
		*type = FXT_EVENT_ASYNC_INSTANT;
		return true;
	case 'e':
	case 'F':
		*type = FXT_EVENT_ASYNC_END;
		return true;
	case 's':
		*type = FXT_EVENT_FLOW_BEGIN;
		return true;
	case 't':
		*type = FXT_EVENT_FLOW_STEP;
		return true;
	case 'f':
		*type = FXT_EVENT_FLOW_END;
		return true;
	default:
		*type = FXT_EVENT_INSTANT;
		return phase > 0 && phase < 128 && strchr(FXT_PF_JSON_NO_SLICES, phase);
	}
}

/* Adds JSON's fields of an instant, where fxtrec hasn't written them as arguments. */
static void instant_args(struct fxt_record *r, const Pf__TrackEvent__LegacyEvent *legacy)
{
	const char *phase = strchr(FXT_PF_JSON_NO_SLICES "R", legacy->phase);
	const char *scope = legacy->instant_event_scope == FXT_PF_SCOPE_GLOBAL ? "g" :
			    legacy->instant_event_scope == FXT_PF_SCOPE_PROCESS ? "p" : NULL;

	if (phase && !fxt_record_arg(r, FXT_PF_JSON_PHASE))
		fxt_build_arg_string(r, fxt_build_string(FXT_PF_JSON_PHASE), fxt_build_text(phase, 1));
	if (scope && !fxt_record_arg(r, FXT_PF_JSON_SCOPE))
		fxt_build_arg_string(r, fxt_build_string(FXT_PF_JSON_SCOPE), fxt_build_string(scope));
}

/* Sets an operation's id from the ids of JSON, which have a category, a scope, and one process or all. */
static int operation_id(struct fxt_pf_event_reader *e, struct fxt_record *r, const Pf__TrackEvent__LegacyEvent *legacy)
{
	struct fxt_text scope = fxt_build_string(legacy->id_scope ? legacy->id_scope : "");
	bool known = fxt_record_arg(r, FXT_PF_JSON_ID) || fxt_record_arg(r, FXT_PF_JSON_ID_DIGITS);
	__u64 number = r->event.id;

	r->event.id = fxt_async_scoped(number, scope, legacy->has_local_id, r->thread.process);
	if (!known && r->event.id != number) {
		fxt_build_arg_pointer(r, fxt_build_string(FXT_PF_JSON_ID), number);
		fxt_build_arg_text(r, FXT_PF_JSON_ID_SCOPE, scope);
		if (legacy->has_local_id)
			fxt_build_arg_string(r, fxt_build_string(FXT_PF_JSON_ID2), fxt_build_string(FXT_ASYNC_LOCAL));
	}
	return fxt_pf_json(e->rd);
}

/* Returns whether a flow is fxtrec's, which renumbers flows, and keeps the record's own number. */
static bool flow_is_ours(const Pf__TrackEvent__LegacyEvent *legacy)
{
	return legacy->has_bind_id && !legacy->has_flow_direction && legacy->has_unscoped_id;
}

int fxt_pf_legacy(struct fxt_pf_event_reader *e, struct fxt_text category, struct fxt_text name)
{
	const Pf__TrackEvent__LegacyEvent *legacy = e->event->legacy_event;
	int err = fxt_pf_slice_flush(e->rd), provider = e->rd->feed.provider;
	enum fxt_event_type type;
	struct fxt_record r;
	__s64 duration = legacy->duration_us;

	if (err)
		return err;
	if (!type_of(legacy->phase, &type)) {
		fxt_skip(e->rd->c, "track events of other phases", 1);
		return 0;
	}
	fxt_build_event(&r, type, e->ns, e->process, e->thread, category, name);
	r.event.id = flow_is_ours(legacy) ? legacy->bind_id : legacy->has_unscoped_id ? legacy->unscoped_id :
		     legacy->has_local_id ? legacy->local_id :
		     legacy->has_global_id ? legacy->global_id : legacy->bind_id;
	if (type == FXT_EVENT_DURATION_COMPLETE)
		r.event.end = e->ns + (duration > 0 ? (__u64)duration * 1000 : 0);
	fxt_pf_args(e->rd, e->s, &r, e->event->debug_annotations, e->event->n_debug_annotations);
	if (e->event->log_message && type < FXT_EVENT_FLOW_BEGIN)
		err = fxt_pf_message(e->rd, e->s, e->event, &r);
	if (err < 0)
		return err;
	if (type == FXT_EVENT_INSTANT)
		instant_args(&r, legacy);
	if (type >= FXT_EVENT_FLOW_BEGIN && e->track->described && !e->thread_given)
		fxt_build_arg_uint(&r, fxt_build_string(FXT_TRACK_ID_ARG), e->track->id);
	if (type == FXT_EVENT_FLOW_END && !legacy->bind_to_enclosing && !flow_is_ours(legacy))
		fxt_build_arg_null(&r, fxt_build_string(FXT_PF_JSON_BP));
	if (type >= FXT_EVENT_ASYNC_BEGIN && type <= FXT_EVENT_ASYNC_END) {
		err = operation_id(e, &r, legacy);
		provider = e->rd->json;
	}
	if (!err)
		err = fxt_pf_put(e->rd, &r, e->ns, provider);
	return err ? err : fxt_pf_flows(e, &r);
}
