// SPDX-License-Identifier: GPL-2.0-only
/* Finds crossing slices of a thread. */
#include "convert/crossing.h"

#define NOT_KNOWN	(~0ULL)

static void begin(struct fxt_crossing *nest, __u64 end)
{
	if (nest->depth < FXT_CROSSING_MAX)
		nest->ends[nest->depth++] = end;
	else
		nest->deeper += end == NOT_KNOWN;
}

/* Ends the innermost started slice; returns whether a complete slice inside ends later. */
static bool end(struct fxt_crossing *nest, __u64 ns)
{
	__u32 i = nest->depth;
	bool crossed = false;

	if (nest->deeper) {
		nest->deeper--;
		return false;
	}
	while (i && nest->ends[i - 1] != NOT_KNOWN)
		crossed |= nest->ends[--i] > ns;
	if (!i)
		return false;
	nest->depth = i - 1;
	return crossed || (nest->depth && nest->ends[nest->depth - 1] < ns);
}

bool fxt_crossing_add(struct fxt_crossing *nest, const struct fxt_record *r, bool dropped)
{
	bool crosses;

	while (nest->depth && nest->ends[nest->depth - 1] <= r->ticks)
		nest->depth--;
	if (r->event.type == FXT_EVENT_DURATION_END)
		return end(nest, r->ticks);
	if (r->event.type == FXT_EVENT_DURATION_BEGIN)
		begin(nest, NOT_KNOWN);
	if (r->event.type == FXT_EVENT_DURATION_BEGIN || r->event.end <= r->ticks)
		return false;
	crosses = nest->depth && nest->ends[nest->depth - 1] < r->event.end;
	if (!crosses || !dropped)
		begin(nest, r->event.end);
	return crosses;
}
