// SPDX-License-Identifier: GPL-2.0-only
/* Counts the events that a file of FXT has and Perfetto's reader of FXT drops. */
#include <errno.h>

#include "convert/crossing.h"
#include "formats/fxt/unshown.h"
#include "model/async.h"

struct shown_flow {
	bool open;
};

void fxt_unshown_init(struct fxt_unshown *u, struct fxt_spill *spill)
{
	*u = (struct fxt_unshown){ .flows.memory.spill = spill, .slices.memory.spill = spill,
					  .operations.memory.spill = spill };
}

void fxt_unshown_uninit(struct fxt_unshown *u)
{
	fxt_map_uninit(&u->flows, NULL);
	fxt_map_uninit(&u->slices, NULL);
	fxt_map_uninit(&u->operations, NULL);
}

/* Counts a flow after its end, as a flow has one end, or of an operation, as flows bind only to slices of threads. */
static int flow_event(struct fxt_unshown *u, struct fxt_conversion *c, const struct fxt_record *r)
{
	struct shown_flow *flow = fxt_map_get(&u->flows, r->event.id);

	if (fxt_record_arg(r, FXT_TRACK_ID_ARG)) {
		fxt_note(&c->unheld, "flows of operations, which have no thread: Perfetto shows none", 1);
		return 0;
	}
	if (!flow && r->event.type != FXT_EVENT_FLOW_BEGIN)
		return 0;
	if (!flow)
		flow = fxt_map_new(&u->flows, r->event.id, sizeof(*flow));
	if (!flow)
		return -ENOMEM;
	if (r->event.type != FXT_EVENT_FLOW_BEGIN && !flow->open)
		fxt_note(&c->unheld, "steps and ends of flows after the first end: Perfetto shows none", 1);
	flow->open = r->event.type != FXT_EVENT_FLOW_END && (flow->open || r->event.type == FXT_EVENT_FLOW_BEGIN);
	return 0;
}

struct shown_operation {
	struct fxt_async_id of;
	__u64 process;		/* process that it started in */
};

/* Counts an event of an operation that another process started: FXT's ids are per process, but JSON's are global. */
static int operation_event(struct fxt_unshown *u, struct fxt_conversion *c, const struct fxt_record *r)
{
	const struct fxt_async_id of = fxt_async_id(r);
	bool begins = r->event.type == FXT_EVENT_ASYNC_BEGIN;
	struct shown_operation *operation;

	if (of.process)
		return 0;
	operation = fxt_map_named(&u->operations, &of, sizeof(of));
	if (!operation && begins)
		operation = fxt_map_new_named(&u->operations, &of, sizeof(of), sizeof(*operation));
	if (!operation)
		return begins ? -ENOMEM : 0;
	if (begins)
		operation->process = r->thread.process;
	else if (operation->process != r->thread.process)
		fxt_note(&c->unheld, "events of operations that another process began: Perfetto shows none", 1);
	return 0;
}

struct shown_thread {
	__u64 process, thread;
	struct fxt_crossing nest;
};

/* Counts a slice that overlaps another one. */
static int slice_event(struct fxt_unshown *u, struct fxt_conversion *c, const struct fxt_record *r)
{
	const __u64 key[2] = { r->thread.process, r->thread.thread };
	struct shown_thread *thread = fxt_map_named(&u->slices, key, sizeof(key));

	if (!thread)
		thread = fxt_map_new_named(&u->slices, key, sizeof(key), sizeof(*thread));
	if (!thread)
		return -ENOMEM;
	if (fxt_crossing_add(&thread->nest, r, true))
		fxt_note(&c->unheld, "complete slices that overlap another one but aren't within it: Perfetto drops them",
			 1);
	return 0;
}

int fxt_unshown_event(struct fxt_unshown *u, struct fxt_conversion *c, const struct fxt_record *r)
{
	if (r->event.type == FXT_EVENT_DURATION_COMPLETE)
		return slice_event(u, c, r);
	if (r->event.type >= FXT_EVENT_FLOW_BEGIN)
		return flow_event(u, c, r);
	return r->event.type >= FXT_EVENT_ASYNC_BEGIN ? operation_event(u, c, r) : 0;
}
