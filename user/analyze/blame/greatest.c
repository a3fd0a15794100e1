// SPDX-License-Identifier: GPL-2.0-only
/* Sums of parts by culprit: the greatest sums of one thread, or all sums of many threads. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/blame/index.h"

/* The parts and sums of one thread or group. */
struct whole {
	const struct fxt_blame *b;
	const struct fxt_blame_part *parts;
	const struct fxt_culprits *sums;	/* sums of the time without parts */
	struct fxt_culprits apart;	/* sums that don't count in any part, by color */
};

/* Adds the sums that don't count in a part, by color. */
static int apart_add(const struct fxt_blame *b, const struct fxt_blame_part *part, struct fxt_culprits *to)
{
	const struct fxt_blame_colors *colors = &part->queue->index->colors;
	__u32 number;
	size_t at = 0;
	__u64 ns;
	int err = 0;

	while (!err && fxt_culprits_next(&part->apart, &at, &number, &ns))
		err = fxt_culprits_add(to, b->m->spill, colors->count, fxt_blame_color(colors, number), ns);
	return err;
}

/* Returns ns of a color in all parts. */
static __u64 parts_sum(const struct whole *w, __u32 color)
{
	const struct fxt_blame_part *part;
	__u64 ns = 0;

	for (part = w->parts; part; part = part->next)
		ns += fxt_blame_index_sum(part, color);
	return ns - fxt_culprits_get(&w->apart, color);
}

/* Adds the sums to a summary. */
static void sums_add(const struct whole *w, struct fxt_blame_summary *to)
{
	size_t at = 0;
	__u32 color;
	__u64 ns;

	while (fxt_culprits_next(w->sums, &at, &color, &ns)) {
		const struct fxt_blame_summary one = { .used = 1, .of[0] = { ns, color } };

		fxt_blame_summary_merge(to, &one);
	}
}

/* Returns the number of colors in sums that aren't in the parts. */
static __u32 missing_count(const struct whole *w, const struct fxt_culprits *sums)
{
	__u32 color, count = 0;
	size_t at = 0;
	__u64 ns;

	while (fxt_culprits_next(sums, &at, &color, &ns))
		count += !parts_sum(w, color);
	return count;
}

/*
 * Returns the number of culprits; for several parts, it isn't counted, as that would compare all parts with each other.
 */
static __u32 distinct_count(const struct whole *w)
{
	if (w->parts->next)
		return FXT_CULPRITS_UNCOUNTED;
	return w->parts->distinct - missing_count(w, &w->apart) + missing_count(w, w->sums);
}

/* Finds the culprits of a summary that have at least as much time as any other culprit, with their exact sums. */
static int greatest_add(const struct whole *w, const struct fxt_blame_summary *summary, __u64 ns, struct fxt_culprits *to)
{
	__u32 colors = w->parts->queue->index->colors.count, i, count, distinct;
	__u64 sum;
	int err = 0;

	for (i = 0; i < summary->used && !err; i++) {
		__u32 color = summary->of[i].color;

		sum = fxt_culprits_get(w->sums, color) + parts_sum(w, color);
		if (sum >= summary->lost)
			err = fxt_culprits_add(to, w->b->m->spill, colors, color, sum);
	}
	if (err || to->ns == ns)
		return err;
	distinct = distinct_count(w);
	count = fxt_culprits_count(to);
	fxt_culprits_add_others(to, ns - to->ns, distinct == FXT_CULPRITS_UNCOUNTED ? distinct : distinct - count);
	return 0;
}

int fxt_blame_greatest(const struct fxt_blame *b, struct fxt_culprits *culprits, const struct fxt_blame_part *parts)
{
	struct whole w = { .b = b, .parts = parts, .sums = culprits };
	struct fxt_blame_summary summary = { 0 };
	struct fxt_culprits greatest = { 0 };
	const struct fxt_blame_part *part;
	__u64 ns = culprits->ns;
	int err = 0;

	for (part = parts; part && !err; part = part->next) {
		ns += fxt_blame_part_ns(part);
		fxt_blame_index_summary(part, &summary);
		err = apart_add(b, part, &w.apart);
	}
	if (!err) {
		sums_add(&w, &summary);
		err = greatest_add(&w, &summary, ns, &greatest);
	}
	fxt_culprits_clear(&w.apart, b->m->spill);
	fxt_culprits_clear(culprits, b->m->spill);
	*culprits = greatest;
	return err;
}

/*
 * Counts the parts that contain each run, as differences; adds the first and the last run of
 * each part, which may be cut.
 */
static int weights_make(const struct fxt_blame *b, struct fxt_blame_part *const *parts, size_t count, size_t base,
			__u32 *weights, struct fxt_culprits *to)
{
	const struct fxt_blame_colors *colors = &parts[0]->queue->index->colors;
	struct fxt_spill *spill = b->m->spill;
	struct fxt_blame_sum end;
	size_t i;
	int err = 0;

	for (i = 0; i < count && !err; i++) {
		const struct fxt_blame_part *part = parts[i];

		if (part->first == part->end)
			continue;
		end = fxt_blame_index_run(part, part->first);
		err = fxt_culprits_add(to, spill, colors->count, end.color, end.ns);
		if (err || part->end - part->first == 1)
			continue;
		end = fxt_blame_index_run(part, part->end - 1);
		err = fxt_culprits_add(to, spill, colors->count, end.color, end.ns);
		weights[part->first + 1 - base]++;
		weights[part->end - 1 - base]--;
	}
	return err;
}

/* Adds each run once, multiplied by the number of parts that contain it. */
static int runs_add(const struct fxt_blame *b, const struct fxt_blame_queue *q, size_t base, size_t count,
		    __u32 *weights, struct fxt_culprits *to)
{
	const struct fxt_blame_colors *colors = &q->index->colors;
	__u64 weight = 0;
	size_t i;
	int err = 0;

	for (i = 0; i < count && !err; i++) {
		const struct fxt_blame_run *run;

		weight += (__s32)weights[i];
		run = fxt_blame_run_at(q, base + i);
		err = fxt_culprits_add(to, b->m->spill, colors->count, fxt_blame_color(colors, run->number),
				       weight * (run->to - run->from));
	}
	return err;
}

size_t fxt_blame_parts_span(struct fxt_blame_part *const *parts, size_t count, size_t *base)
{
	size_t i, end = 0;

	*base = ~(size_t)0;
	for (i = 0; i < count; i++) {
		*base = parts[i]->first < *base ? parts[i]->first : *base;
		end = parts[i]->end > end ? parts[i]->end : end;
	}
	return end > *base ? end - *base : 0;
}

int fxt_blame_parts_sum(const struct fxt_blame *b, struct fxt_blame_part *const *parts, size_t count,
			struct fxt_culprits *to)
{
	size_t base, span = fxt_blame_parts_span(parts, count, &base), bytes = (span + 1) * sizeof(__u32), i;
	__u32 *weights = fxt_spill_alloc(b->m->spill, bytes);
	struct fxt_culprits apart = { 0 };
	const struct fxt_blame_queue *q;
	int err = weights ? weights_make(b, parts, count, base, weights, to) : -ENOMEM;

	q = parts[0]->queue;
	if (!err)
		err = runs_add(b, q, base, span, weights, to);
	for (i = 0; i < count && !err; i++)
		err = apart_add(b, parts[i], &apart);
	if (!err)
		fxt_culprits_take(to, &apart);
	fxt_culprits_clear(&apart, b->m->spill);
	fxt_spill_free(b->m->spill, weights, bytes);
	return err;
}
