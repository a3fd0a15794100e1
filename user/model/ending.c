// SPDX-License-Identifier: GPL-2.0-only
/* Detects that a recording's end is missing. */
#include "codec/provider.h"
#include "model/ending.h"
#include "model/sched_read.h"

/* The clocks of two CPUs may differ by this much; no file has fewer ns of events after a reading. */
#define NEAR_NS	1000000ULL

bool fxt_ending_is_reading(const struct fxt_record *r)
{
	return fxt_record_is_event(r, "fxtrec", "clock");
}

void fxt_ending_read(struct fxt_ending *e, const struct fxt_record *r, __u64 ns)
{
	if (!fxt_provider_is_recording(r->provider) || fxt_record_arg(r, "begins"))
		return;
	e->readings++;
	e->read_ns = ns;
}

void fxt_ending_add(struct fxt_ending *e, const struct fxt_record *r)
{
	__u64 ns;

	if (!r->timed || r->kind == FXT_KIND_MALFORMED)
		return;
	ns = fxt_provider_ns(r->provider, r->ticks);
	if (fxt_ending_is_reading(r))
		fxt_ending_read(e, r, ns);
	else if ((r->kind == FXT_KIND_CONTEXT_SWITCH || r->kind == FXT_KIND_WAKEUP) && ns > e->last_ns)
		e->last_ns = ns;
}

bool fxt_ending_is_missing(const struct fxt_ending *e)
{
	return e->readings == 1 || (e->readings && e->last_ns > e->read_ns + NEAR_NS);
}
