// SPDX-License-Identifier: GPL-2.0-only
/* Blanks begins and ends of durations that have no pair in a snapshot. */
#include <errno.h>
#include <stdlib.h>

#include "flight/unpaired.h"
#include "fxt/linux.h"
#include "util/array.h"

/* A record that begins or ends a duration. */
struct fxt_edge {
	__u64 track;		/* the thread, or a CPU's track */
	__u64 ticks;
	size_t order;		/* order in the snapshot: a CPU's edges are in the order of its writes */
	__u64 *w;
	__u32 cpu;
};

static int edge_add(struct fxt_unpaired *e, __u64 *w, __u32 cpu)
{
	__u64 index = fxt_field(*w, 24, 31);

	int err = fxt_array_more(e->edges, e->count);

	if (err)
		return err;
	e->edges[e->count] = (struct fxt_edge){
		/* The thread is in the CPU's thread table, or in the record itself. */
		.track = index ? 1ULL << 63 | (__u64)cpu << 8 | index : w[3],
		.ticks = w[1],
		.order = e->count,
		.w = w,
		.cpu = cpu,
	};
	e->count++;
	return 0;
}

int fxt_unpaired_add(struct fxt_unpaired *u, __u32 cpu, __u64 *records, size_t words)
{
	__u64 *w, *end = records + words;
	int err = 0;

	for (w = records; w < end && !err; w += fxt_field(*w, 4, 15)) {
		__u64 type = fxt_field(*w, 16, 19);

		if (fxt_field(*w, 0, 3) == FXT_RECORD_EVENT &&
		    (type == FXT_EVENT_DURATION_BEGIN || type == FXT_EVENT_DURATION_END))
			err = edge_add(u, w, cpu);
	}
	return err;
}

static int compare(const void *a, const void *b)
{
	const struct fxt_edge *x = a, *y = b;

	if (x->track != y->track)
		return x->track < y->track ? -1 : 1;
	if (x->ticks != y->ticks)
		return x->ticks < y->ticks ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void blank(const struct fxt_edge *edge)
{
	__u64 words = fxt_field(*edge->w, 4, 15), i;

	for (i = 0; i < words; i++)
		edge->w[i] = fxt_provider_section(FXT_PROVIDER_CPU(edge->cpu));
}

static int begins(const struct fxt_edge *edge)
{
	return fxt_field(*edge->w, 16, 19) == FXT_EVENT_DURATION_BEGIN;
}

/* Returns whether both have the same category and name, or the end has none. */
static int alike(const struct fxt_edge *begin, const struct fxt_edge *end)
{
	__u64 of = fxt_field(*end->w, 32, 63);

	return !of || of == fxt_field(*begin->w, 32, 63);
}

static int pair(const struct fxt_edge *begin, const struct fxt_edge *end, __u64 covered)
{
	return !begins(end) && alike(begin, end) &&
	       (begin->cpu == end->cpu || begin->ticks >= covered);
}

/*
 * Matches ends with begins.  Slices don't nest: an end belongs to the begin right before it.  The last begin may be
 * open.
 */
static void match(const struct fxt_unpaired *e, __u64 covered)
{
	const struct fxt_edge *open = NULL, *edge;

	for (edge = e->edges; edge < e->edges + e->count; edge++) {
		int paired;

		if (open && open->track != edge->track)
			open = NULL;
		paired = open && pair(open, edge, covered);
		if (open && !paired)
			blank(open);
		if (!begins(edge) && !paired)
			blank(edge);
		open = begins(edge) ? edge : NULL;
	}
}

void fxt_unpaired_blank(struct fxt_unpaired *u, __u64 covered)
{
	if (u->count)
		qsort(u->edges, u->count, sizeof(*u->edges), compare);
	match(u, covered);
}

void fxt_unpaired_uninit(struct fxt_unpaired *u)
{
	free(u->edges);
	*u = (struct fxt_unpaired){};
}
