// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes events of operations, which wait for their flows: Perfetto distributes slices of a track without a thread over
 * several tracks, so a flow has to be in the packet of its slice.
 */
#include <errno.h>
#include <stdlib.h>

#include "formats/perfetto/write/packet_builder.h"

#define FLOWS_MAX	32u

struct fxt_pf_operation {
	struct fxt_pf_builder b;
	bool waits;
	__u64 ns, process, id;
	uint64_t flows[FLOWS_MAX], ends[FLOWS_MAX];
};

struct fxt_pf_builder *fxt_pf_operation_begin(struct fxt_pf_file *f, const struct fxt_record *r)
{
	struct fxt_pf_operation *o = f->operation;

	if (!o)
		o = f->operation = malloc(sizeof(*o));
	if (!o)
		return NULL;
	o->waits = true;
	o->ns = r->ticks;
	o->process = r->thread.process;
	o->id = r->event.id;
	return &o->b;
}

int fxt_pf_operation_flush(struct fxt_pf_file *f)
{
	if (!f->operation || !f->operation->waits)
		return 0;
	f->operation->waits = false;
	return fxt_pf_builder_end(&f->operation->b, f);
}

bool fxt_pf_operation_is_of(const struct fxt_pf_file *f, const struct fxt_record *r)
{
	const struct fxt_pf_operation *o = f->operation;
	__u64 id;

	return o && o->waits && r->kind == FXT_KIND_EVENT && r->event.type >= FXT_EVENT_FLOW_BEGIN &&
	       o->ns == r->ticks && o->process == r->thread.process &&
	       !fxt_arg_number(fxt_record_arg(r, FXT_TRACK_ID_ARG), &id) && o->id == id;
}

bool fxt_pf_operation_flow(struct fxt_pf_file *f, __u64 number, bool ends)
{
	struct fxt_pf_operation *o = f->operation;
	Pf__TrackEvent *event = &o->b.event;

	if (event->n_flow_ids == FLOWS_MAX || event->n_terminating_flow_ids == FLOWS_MAX)
		return false;
	event->flow_ids = o->flows;
	event->terminating_flow_ids = o->ends;
	if (ends)
		o->ends[event->n_terminating_flow_ids++] = number;
	else
		o->flows[event->n_flow_ids++] = number;
	return true;
}
