// SPDX-License-Identifier: GPL-2.0-only
/* Writes flows: between the slices that are open around their events, else between instants. */
#include <errno.h>
#include <stdlib.h>

#include "formats/perfetto/write/packet_builder.h"
#include "store/hash.h"

#define FLOWS_MIXED	"flows between operations and slices of threads, or of operations without an event at the time"

/* A started flow, which may have any number of ends. */
struct open_flow {
	/* Number in the file, as Perfetto uses each only once; 0: the flow is between instants or operations. */
	__u64 number;
	bool of_operations;
};

static __u64 flow_id(const struct fxt_record *r)
{
	__u64 h = (r->event.id ^ FXT_HASH_START) * FXT_GOLDEN;

	h ^= h >> 32;
	h = ~fxt_hash_bytes(h, r->category.bytes, r->category.length);
	return fxt_hash_bytes(h, r->name.bytes, r->name.length);
}

/* Adds JSON's flow of a slice, as its reader keeps it: the older form, with two directions and one number. */
void fxt_pf_flow_bind(struct fxt_pf_builder *b, const struct fxt_record *r)
{
	const struct fxt_arg *id = fxt_record_arg(r, FXT_PF_JSON_BIND);
	const struct fxt_arg *in = fxt_record_arg(r, FXT_JSON_FIELD "flow_in");
	const struct fxt_arg *out = fxt_record_arg(r, FXT_JSON_FIELD "flow_out");
	bool goes_in = in && in->type == FXT_ARG_BOOL && in->boolean;
	bool goes_out = out && out->type == FXT_ARG_BOOL && out->boolean;
	Pf__TrackEvent__LegacyEvent *legacy;
	__u64 number;

	if (!id || !(goes_in || goes_out))
		return;
	if (id->type == FXT_ARG_STRING)
		number = fxt_hash_bytes(FXT_HASH_START, id->string.bytes, id->string.length);
	else if (id->type == FXT_ARG_INT32 || id->type == FXT_ARG_INT64)
		number = id->type == FXT_ARG_INT32 ? id->int32 : id->int64;
	else if (fxt_arg_number(id, &number))
		return;
	legacy = fxt_pf_builder_legacy(b, 0);
	legacy->has_bind_id = legacy->has_flow_direction = true;
	legacy->bind_id = number;
	legacy->flow_direction = goes_in && goes_out ? FXT_PF_FLOW_INOUT : goes_in ? FXT_PF_FLOW_IN : FXT_PF_FLOW_OUT;
}

static int instant(struct fxt_pf_file *f, const struct fxt_record *r, __u64 uuid)
{
	Pf__TrackEvent__LegacyEvent *legacy;
	struct fxt_pf_builder b;

	fxt_pf_builder_begin(&b, f, r->ticks, uuid, FXT_PF_INSTANT);
	fxt_pf_builder_event(&b, f, r, &r->name);
	b.flow = flow_id(r);
	legacy = fxt_pf_builder_legacy(&b, 0);
	legacy->has_unscoped_id = legacy->has_flow_direction = true;
	legacy->unscoped_id = r->event.id;
	if (r->event.type == FXT_EVENT_FLOW_END) {
		legacy->flow_direction = FXT_PF_FLOW_IN;
		b.event.n_terminating_flow_ids = 1;
		b.event.terminating_flow_ids = &b.flow;
	} else {
		legacy->flow_direction = r->event.type == FXT_EVENT_FLOW_BEGIN ? FXT_PF_FLOW_OUT : FXT_PF_FLOW_INOUT;
		b.event.n_flow_ids = 1;
		b.event.flow_ids = &b.flow;
	}
	return fxt_pf_builder_end(&b, f);
}

/*
 * Writes an event of the older form, which binds to the slice around it: phases s, t and f. bind_id has the record's
 * own number; it has no meaning without a direction.
 */
static int bound(struct fxt_pf_file *f, const struct fxt_record *r, __u64 uuid, __u64 number, bool inside)
{
	Pf__TrackEvent__LegacyEvent *legacy;
	struct fxt_pf_builder b;

	fxt_pf_builder_begin(&b, f, r->ticks, uuid, 0);
	fxt_pf_builder_event(&b, f, r, &r->name);
	legacy = fxt_pf_builder_legacy(&b, r->event.type == FXT_EVENT_FLOW_BEGIN ? 's' :
				       r->event.type == FXT_EVENT_FLOW_STEP ? 't' : 'f');
	legacy->has_unscoped_id = legacy->has_bind_id = true;
	legacy->unscoped_id = number;
	legacy->bind_id = r->event.id;
	legacy->has_bind_to_enclosing = r->event.type == FXT_EVENT_FLOW_END;
	legacy->bind_to_enclosing = inside && !fxt_record_arg(r, FXT_PF_JSON_BP);
	return fxt_pf_builder_end(&b, f);
}

/*
 * Adds a flow of an operation to the packet of its event; a flow that is also of threads' slices has another number
 * there.
 */
static int of_operation(struct fxt_pf_file *f, const struct fxt_record *r, struct open_flow *open, __u64 id)
{
	if (r->event.type == FXT_EVENT_FLOW_BEGIN && !open)
		open = fxt_map_new(&f->flows, id, sizeof(*open));
	if (!open)
		return r->event.type == FXT_EVENT_FLOW_BEGIN ? -ENOMEM : 0;
	if (r->event.type == FXT_EVENT_FLOW_BEGIN) {
		open->number = 0;
		open->of_operations = true;
	}
	if (!open->of_operations || !fxt_pf_operation_flow(f, r->event.id ^ FXT_PF_FLOW_BASE, r->event.type == FXT_EVENT_FLOW_END))
		fxt_note(&f->c->unheld, FLOWS_MIXED, 1);
	return 0;
}

/*
 * Finds the track of a flow's slice, and whether a slice is open there: its thread's track; without a thread, an
 * instant of its process or of the trace also counts.
 */
static int track_of(struct fxt_pf_file *f, const struct fxt_record *r, __u64 *uuid, bool *inside)
{
	int err;

	if (!r->thread.thread) {
		err = fxt_pf_track_process(f, r, uuid);
		*inside = !err && fxt_pf_open_within(f, *uuid, r->ticks);
		if (err || *inside)
			return err;
	}
	err = fxt_pf_track_thread(f, r, uuid);
	*inside = !err && fxt_pf_open_within(f, *uuid, r->ticks);
	return err;
}

int fxt_pf_flow(struct fxt_pf_file *f, const struct fxt_record *r)
{
	__u64 uuid, id = flow_id(r);
	struct open_flow *open = fxt_map_get(&f->flows, id);
	bool inside;
	int err;

	if (fxt_pf_operation_is_of(f, r))
		return of_operation(f, r, open, id);
	if ((open && open->of_operations && r->event.type != FXT_EVENT_FLOW_BEGIN) ||
	    fxt_record_arg(r, FXT_TRACK_ID_ARG)) {
		fxt_note(&f->c->unheld, FLOWS_MIXED, 1);
		return 0;
	}
	err = track_of(f, r, &uuid, &inside);
	if (err)
		return err;
	if (r->event.type == FXT_EVENT_FLOW_BEGIN) {
		if (!open && inside) {
			open = fxt_map_new(&f->flows, id, sizeof(*open));
			if (!open)
				return -ENOMEM;
		}
		if (open) {
			open->number = inside ? ++f->flow_count : 0;
			open->of_operations = false;
		}
	}
	/* An end may belong to a slice that comes later, but a step may not. */
	if (!open || !open->number || !(inside || r->event.type == FXT_EVENT_FLOW_END))
		return instant(f, r, uuid);
	return bound(f, r, uuid, open->number, inside);
}
