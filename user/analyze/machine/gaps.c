// SPDX-License-Identifier: GPL-2.0-only
/* Gaps: when events were lost. */
#include <errno.h>
#include <string.h>

#include "analyze/machine/gaps.h"

static int grow(struct fxt_gaps *g, struct fxt_spill *spill)
{
	size_t room = g->room ? 2 * g->room : 16;
	struct fxt_gap *gap = fxt_spill_alloc(spill, room * sizeof(*gap));

	if (!gap)
		return -ENOMEM;
	if (g->gap) {
		memcpy(gap, g->gap, g->count * sizeof(*gap));
		fxt_spill_free(spill, g->gap, g->room * sizeof(*gap));
	}
	g->gap = gap;
	g->room = room;
	return 0;
}

int fxt_gaps_add(struct fxt_gaps *g, struct fxt_spill *spill, __u64 from, __u64 to)
{
	struct fxt_gap *last;

	if (from >= to)
		return 0;
	last = g->count ? &g->gap[g->count - 1] : NULL;
	fxt_spill_touch(spill, last);
	if (last && from <= last->to) {
		if (to > last->to)
			last->to = to;
		return 0;
	}
	if (g->count == g->room && grow(g, spill))
		return -ENOMEM;
	last = g->count ? &g->gap[g->count - 1] : NULL;
	g->gap[g->count++] = (struct fxt_gap){
		from, to, last ? last->before + (last->to - last->from) : 0
	};
	return 0;
}

void fxt_gaps_end(struct fxt_gaps *g, struct fxt_spill *spill, __u64 to)
{
	struct fxt_gap *last = g->count ? &g->gap[g->count - 1] : NULL;

	fxt_spill_touch(spill, last);
	if (last && last->to == ~0ULL && to >= last->from)
		last->to = to;
}

void fxt_gaps_uninit(struct fxt_gaps *g, struct fxt_spill *spill)
{
	if (g->gap)
		fxt_spill_free(spill, g->gap, g->room * sizeof(*g->gap));
}

const struct fxt_gap *fxt_gaps_after(const struct fxt_gaps *g, struct fxt_spill *spill, __u64 ns)
{
	size_t low = 0, high = g->count;

	if (!g->count)
		return NULL;
	/* Most questions are about what comes after all of them. */
	fxt_spill_touch(spill, &g->gap[high - 1]);
	if (g->gap[high - 1].to <= ns)
		return NULL;
	while (low < high) {
		size_t middle = (low + high) / 2;

		fxt_spill_touch(spill, &g->gap[middle]);
		if (g->gap[middle].to > ns)
			high = middle;
		else
			low = middle + 1;
	}
	return &g->gap[low];
}

/* ns of all gaps before a time. */
static __u64 before(const struct fxt_gaps *g, struct fxt_spill *spill, __u64 ns)
{
	const struct fxt_gap *gap = fxt_gaps_after(g, spill, ns), *last = &g->gap[g->count - 1];

	if (!gap)
		return last->before + (last->to - last->from);
	return gap->before + (ns > gap->from ? ns - gap->from : 0);
}

__u64 fxt_gaps_overlap(const struct fxt_gaps *g, struct fxt_spill *spill, __u64 from, __u64 to)
{
	if (!g->count || from >= to)
		return 0;
	return before(g, spill, to) - before(g, spill, from);
}
