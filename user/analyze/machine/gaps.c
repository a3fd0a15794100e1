// SPDX-License-Identifier: GPL-2.0-only
/* Gaps: times with lost events. */
#include <errno.h>

#include "analyze/machine/gaps.h"

static int grow(struct fxt_gaps *g, struct fxt_spill *spill)
{
	size_t room = g->room ? 2 * g->room : 16, i;
	struct fxt_gap *gap = fxt_spill_alloc(spill, room * sizeof(*gap));

	if (!gap)
		return -ENOMEM;
	for (i = 0; i < g->count; i++)
		gap[i] = g->gap[i];
	if (g->gap)
		fxt_spill_free(spill, g->gap, g->room * sizeof(*g->gap));
	g->gap = gap;
	g->room = room;
	return 0;
}

/* Returns the first gap of the list itself that ends after a time, or NULL. */
static const struct fxt_gap *own_after(const struct fxt_gaps *g, __u64 ns)
{
	size_t low = 0, high = g->count;

	if (!g->count)
		return NULL;
	/* Most queries are for times after all gaps. */
	if (g->gap[high - 1].to <= ns)
		return NULL;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (g->gap[middle].to > ns)
			high = middle;
		else
			low = middle + 1;
	}
	return &g->gap[low];
}

/* Returns ns of the list's own gaps before a time, excluding the overlap with shared. */
static __u64 before(const struct fxt_gaps *g, __u64 ns)
{
	const struct fxt_gap *gap = own_after(g, ns);
	__u64 ns_before, from, to = ns;

	if (!g->count)
		return 0;
	if (!gap) {
		gap = &g->gap[g->count - 1];
		to = gap->to;
	}
	ns_before = gap->before;
	from = gap->from;
	if (to <= from)
		return ns_before;
	return ns_before + (to - from) - (g->shared ? fxt_gaps_overlap(g->shared, from, to) : 0);
}

int fxt_gaps_add(struct fxt_gaps *g, struct fxt_spill *spill, __u64 from, __u64 to)
{
	struct fxt_gap *last;
	__u64 ns_before;

	if (from >= to)
		return 0;
	last = g->count ? &g->gap[g->count - 1] : NULL;
	if (last && from <= last->to) {
		if (to > last->to)
			last->to = to;
		return 0;
	}
	if (g->count == g->room && grow(g, spill))
		return -ENOMEM;
	ns_before = before(g, from);
	g->gap[g->count] = (struct fxt_gap){ from, to, ns_before };
	g->count++;
	return 0;
}

void fxt_gaps_end(struct fxt_gaps *g, __u64 to)
{
	struct fxt_gap *last = g->count ? &g->gap[g->count - 1] : NULL;

	if (last && last->to == ~0ULL && to >= last->from)
		last->to = to;
}

void fxt_gaps_uninit(struct fxt_gaps *g, struct fxt_spill *spill)
{
	if (g->gap)
		fxt_spill_free(spill, g->gap, g->room * sizeof(*g->gap));
}

/* Extends a gap over all overlapping gaps of both lists, alternately, until neither list has more. */
static void extend(const struct fxt_gaps *g, struct fxt_gap *gap)
{
	const struct fxt_gaps *lists[] = { g, g->shared };
	const struct fxt_gap *next;
	unsigned int i, same;

	for (i = same = 0; same < 2; i = !i, same++) {
		next = own_after(lists[i], gap->to);
		if (!next || next->from > gap->to)
			continue;
		gap->to = next->to;
		same = 0;
	}
}

bool fxt_gaps_after(const struct fxt_gaps *g, __u64 ns, struct fxt_gap *gap)
{
	const struct fxt_gap *own = own_after(g, ns);
	const struct fxt_gap *shared = g->shared ? own_after(g->shared, ns) : NULL;

	if (!own && !shared)
		return false;
	*gap = !own || (shared && shared->from < own->from) ? *shared : *own;
	if (g->shared)
		extend(g, gap);
	return true;
}

void fxt_gaps_piece(const struct fxt_gaps *g, __u64 from, __u64 to, __u64 *known, __u64 *again)
{
	struct fxt_gap gap;

	*known = *again = to;
	if (!fxt_gaps_after(g, from, &gap) || gap.from >= to)
		return;
	*known = gap.from > from ? gap.from : from;
	if (gap.to < to)
		*again = gap.to;
}

__u64 fxt_gaps_last(const struct fxt_gaps *g)
{
	const struct fxt_gap *last = g->count ? &g->gap[g->count - 1] : NULL;
	__u64 own = last ? last->to : 0, shared = g->shared ? fxt_gaps_last(g->shared) : 0;

	return own > shared ? own : shared;
}

__u64 fxt_gaps_known(const struct fxt_gaps *g, __u64 from, __u64 to)
{
	const struct fxt_gap *gap = own_after(g, from);

	if (gap && gap->from < to)
		to = gap->from > from ? gap->from : from;
	return g->shared ? fxt_gaps_known(g->shared, from, to) : to;
}

__u64 fxt_gaps_overlap(const struct fxt_gaps *g, __u64 from, __u64 to)
{
	__u64 own;

	if (from >= to)
		return 0;
	own = own_after(g, from) ? before(g, to) - before(g, from) : 0;
	return own + (g->shared ? fxt_gaps_overlap(g->shared, from, to) : 0);
}
