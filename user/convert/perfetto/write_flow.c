// SPDX-License-Identifier: GPL-2.0-only
/* Flows: between the slices that are open around their events, else between instants. */
#include <errno.h>
#include <stdlib.h>

#include "convert/perfetto/packet_builder.h"
#include "util/hash.h"

/* Threads with open slices, and flows that began; those beyond are drawn between instants. */
#define OPEN_MAX	(16u << 10)

struct open_slices {
	__u32 depth;		/* begins without their ends */
	__u64 end;		/* of slices that are one record, the last */
};

struct begun {
	__u64 number;		/* Perfetto uses each only once; 0: the flow is between instants */
};

static __u64 flow_id(const struct fxt_record *r)
{
	__u64 h = (r->event.id ^ FXT_HASH_START) * FXT_GOLDEN;

	h ^= h >> 32;
	h = ~fxt_hash_bytes(h, r->category.bytes, r->category.length);
	return fxt_hash_bytes(h, r->name.bytes, r->name.length);
}

/* A map's value, a new one while there is room; NULL: there is none, which costs a flow its slices. */
static void *value_of(struct fxt_map *map, __u64 key, size_t bytes)
{
	void *value = fxt_map_get(map, key);

	return value || map->count >= OPEN_MAX ? value : fxt_map_new(map, key, bytes);
}

void fxt_pf_flow_slice(struct fxt_pf_file *f, const struct fxt_record *r, __u64 uuid)
{
	bool ends = r->event.type == FXT_EVENT_DURATION_END;
	struct open_slices *open = ends ? fxt_map_get(&f->open, uuid) : value_of(&f->open, uuid, sizeof(*open));

	if (!open)
		return;
	if (r->event.type == FXT_EVENT_DURATION_COMPLETE)
		open->end = r->event.end > open->end ? r->event.end : open->end;
	else if (!ends)
		open->depth++;
	else if (open->depth)
		open->depth--;
}

static bool enclosed(const struct fxt_pf_file *f, __u64 uuid, __u64 ns)
{
	const struct open_slices *open = fxt_map_get(&f->open, uuid);

	return open && (open->depth || open->end > ns);
}

/* What JSON says of a slice, as its reader keeps it: the older form, of two directions and one number. */
void fxt_pf_flow_bind(struct fxt_pf_builder *b, const struct fxt_record *r)
{
	const struct fxt_arg *id = fxt_record_arg(r, FXT_PF_JSON_BIND);
	const struct fxt_arg *in = fxt_record_arg(r, "json.flow_in"), *out = fxt_record_arg(r, "json.flow_out");
	bool goes_in = in && in->type == FXT_ARG_BOOL && in->boolean;
	bool goes_out = out && out->type == FXT_ARG_BOOL && out->boolean;
	__u64 number;

	if (!id || !(goes_in || goes_out))
		return;
	if (id->type == FXT_ARG_STRING)
		number = fxt_hash_bytes(FXT_HASH_START, id->string.bytes, id->string.length);
	else if (id->type == FXT_ARG_INT32 || id->type == FXT_ARG_INT64)
		number = id->type == FXT_ARG_INT32 ? id->int32 : id->int64;
	else if (fxt_arg_number(id, &number))
		return;
	pf__track_event__legacy_event__init(&b->legacy);
	b->event.legacy_event = &b->legacy;
	b->legacy.has_bind_id = b->legacy.has_flow_direction = true;
	b->legacy.bind_id = number;
	b->legacy.flow_direction = goes_in && goes_out ? FXT_PF_FLOW_INOUT : goes_in ? FXT_PF_FLOW_IN :
				   FXT_PF_FLOW_OUT;
}

static int instant(struct fxt_pf_file *f, const struct fxt_record *r, __u64 uuid)
{
	struct fxt_pf_builder b;

	fxt_pf_builder_begin(&b, f, r->ticks, uuid, FXT_PF_INSTANT);
	fxt_pf_builder_event(&b, f, r, &r->name);
	b.flow = flow_id(r);
	pf__track_event__legacy_event__init(&b.legacy);
	b.event.legacy_event = &b.legacy;
	b.legacy.has_unscoped_id = b.legacy.has_flow_direction = true;
	b.legacy.unscoped_id = r->event.id;
	if (r->event.type == FXT_EVENT_FLOW_END) {
		b.legacy.flow_direction = FXT_PF_FLOW_IN;
		b.event.n_terminating_flow_ids = 1;
		b.event.terminating_flow_ids = &b.flow;
	} else {
		b.legacy.flow_direction = r->event.type == FXT_EVENT_FLOW_BEGIN ?
					  FXT_PF_FLOW_OUT : FXT_PF_FLOW_INOUT;
		b.event.n_flow_ids = 1;
		b.event.flow_ids = &b.flow;
	}
	return fxt_pf_builder_end(&b, f);
}

/*
 * The older form binds to the slice around it: phases s, t and f.  The record's own number is in bind_id, which
 * means nothing without a direction.
 */
static int bound(struct fxt_pf_file *f, const struct fxt_record *r, __u64 uuid, __u64 number, bool inside)
{
	struct fxt_pf_builder b;

	fxt_pf_builder_begin(&b, f, r->ticks, uuid, 0);
	b.event.has_type = false;
	fxt_pf_builder_event(&b, f, r, &r->name);
	pf__track_event__legacy_event__init(&b.legacy);
	b.event.legacy_event = &b.legacy;
	b.legacy.has_phase = b.legacy.has_unscoped_id = b.legacy.has_bind_id = true;
	b.legacy.phase = r->event.type == FXT_EVENT_FLOW_BEGIN ? 's' : r->event.type == FXT_EVENT_FLOW_STEP ? 't' : 'f';
	b.legacy.unscoped_id = number;
	b.legacy.bind_id = r->event.id;
	b.legacy.has_bind_to_enclosing = r->event.type == FXT_EVENT_FLOW_END;
	b.legacy.bind_to_enclosing = inside && !fxt_record_arg(r, FXT_PF_JSON_BP);
	return fxt_pf_builder_end(&b, f);
}

int fxt_pf_flow(struct fxt_pf_file *f, const struct fxt_record *r)
{
	struct begun *begun;
	__u64 uuid, id = flow_id(r);
	bool inside;
	int err = fxt_pf_track_thread(f, r, &uuid);

	if (err)
		return err;
	inside = enclosed(f, uuid, r->ticks);
	if (r->event.type == FXT_EVENT_FLOW_BEGIN) {
		begun = inside ? value_of(&f->flows, id, sizeof(*begun)) : fxt_map_get(&f->flows, id);
		if (begun)
			begun->number = inside ? ++f->flow_count : 0;
	} else {
		begun = fxt_map_get(&f->flows, id);
	}
	/* An end may be of a slice that comes later, a step may not. */
	if (begun && begun->number && (inside || r->event.type == FXT_EVENT_FLOW_END))
		return bound(f, r, uuid, begun->number, inside);
	return instant(f, r, uuid);
}
