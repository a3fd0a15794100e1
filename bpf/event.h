/* SPDX-License-Identifier: GPL-2.0-only */
/* Records in this CPU's EVENTS ring, from any context. */
#ifndef FXT_BPF_EVENT_H
#define FXT_BPF_EVENT_H

#include "env.h"

/* Reserve and commit a record on this CPU; global functions, for the reason that info.h gives. */
__u64 fxt_events_reserve(__u32 bytes, __u64 ticks);
int fxt_events_commit(void);

#define FXT_EVENTS_RESERVE(area, bytes, ticks)	fxt_events_reserve(bytes, ticks)
#define FXT_COPY(to, from, bytes)	bpf_probe_read_kernel(to, bytes, from)

#include "fxt/slice.h"

struct fxt_event {
	struct fxtrec_area *area;
	__u64 ticks;
};

/* Starts an event.  Returns 0 if the CPU has no rings. */
static __always_inline int fxt_event_begin(struct fxt_event *e)
{
	e->area = fxt_area();
	if (!e->area)
		return 0;
	e->ticks = fxt_clock();
	return 1;
}

/* Commits the event's record, if one was reserved.  Returns 0. */
static __always_inline int fxt_event_end(int reserved)
{
	return reserved ? fxt_events_commit() : 0;
}

#endif
