// SPDX-License-Identifier: GPL-2.0-only
/* Keeps offsets of a clock by its own time, each from a snapshot on, in a bounded list. */
#include <errno.h>
#include <stdlib.h>

#include "formats/perfetto/read/read.h"

/* Returns the number of offsets that start at or before a time of the clock. */
static __u32 offsets_before(const struct fxt_pf_clock_offsets *o, __u64 ns)
{
	__u32 low = 0, high = o->count;

	while (low < high) {
		__u32 middle = low + (high - low) / 2;

		if (o->list[middle].from <= ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

__u64 fxt_pf_offset_at(struct fxt_pf_clock_offsets *o, __u64 ns)
{
	__u32 at = o->recent;

	if (o->list[at].from > ns || (at + 1 < o->count && o->list[at + 1].from <= ns)) {
		at = offsets_before(o, ns);
		at -= at > 0;
		o->recent = at;
	}
	return o->list[at].offset;
}

/* Makes capacity for one more offset; drops every second one where there are too many.  0, -ENOMEM, -E2BIG. */
static int offsets_room(struct fxt_pf_reader *rd, struct fxt_pf_clock_offsets *o)
{
	__u32 room = o->room ? 2 * o->room : 4, i;
	struct fxt_pf_clock_offset *list;

	if (o->count < o->room)
		return 0;
	if (room <= FXT_PF_CLOCK_OFFSETS && *rd->state_bytes + (room - o->room) * sizeof(*list) <= FXT_PF_STATE_MAX) {
		list = realloc(o->list, room * sizeof(*list));
		if (!list)
			return -ENOMEM;
		*rd->state_bytes += (room - o->room) * sizeof(*list);
		o->list = list;
		o->room = room;
		return 0;
	}
	if (!o->count)
		return -E2BIG;
	/* The first and the last offset stay. */
	for (i = 1; 2 * i - 1 < o->count; i++)
		o->list[i] = o->list[2 * i - 1];
	o->count = i;
	o->recent = 0;
	return 0;
}

static bool near(__u64 offset, __u64 other, __u64 jitter)
{
	return offset == other || offset - other + jitter < 2 * jitter;
}

int fxt_pf_offset_add(struct fxt_pf_reader *rd, struct fxt_pf_clock_offsets *o, __u64 ns, __u64 offset, __u64 jitter)
{
	__u32 at = offsets_before(o, ns);
	int err;

	if (at && near(offset, o->list[at - 1].offset, jitter))
		return 0;
	if (at < o->count && near(offset, o->list[at].offset, jitter)) {
		o->list[at].from = ns;
		return 0;
	}
	if (at && o->list[at - 1].from == ns) {
		o->list[at - 1].offset = offset;
		return 0;
	}
	err = offsets_room(rd, o);
	if (err)
		return err;
	at = offsets_before(o, ns);
	memmove(o->list + at + 1, o->list + at, (o->count - at) * sizeof(*o->list));
	o->list[at] = (struct fxt_pf_clock_offset){ ns, offset };
	o->count++;
	return 0;
}

void fxt_pf_clocks_free(struct fxt_pf_reader *rd)
{
	__u32 i;

	for (i = 0; i < FXT_PF_CLOCKS; i++)
		free(rd->offsets[i].list);
}
