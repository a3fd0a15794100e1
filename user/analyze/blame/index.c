// SPDX-License-Identifier: GPL-2.0-only
/* Indexes a queue's runs by culprit. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/blame/index.h"

static __u32 color_at(const struct fxt_blame_queue *q, size_t run)
{
	return fxt_blame_color(&q->index->colors, fxt_blame_run_at(q, run)->number);
}

/* Counts the runs of each color, shifted by one color, to become the starts. */
static void starts_make(struct fxt_blame_queue *q)
{
	struct fxt_blame_index *x = q->index;
	size_t i;

	for (i = 0; i < x->count; i++)
		++x->starts[color_at(q, x->base + i) + 2ul];
	for (i = 2; i < x->colors.count + 2ul; i++) {
		__u32 before = x->starts[i - 1];

		x->starts[i] += before;
	}
}

/* Sorts the runs by color. */
static int places_make(struct fxt_blame *b, struct fxt_blame_queue *q)
{
	struct fxt_blame_index *x = q->index;
	size_t i, end;
	__u32 color;

	x->starts = fxt_spill_alloc(b->m->spill, (x->colors.count + 2ul) * sizeof(*x->starts));
	x->places = fxt_spill_alloc(b->m->spill, (x->count + 1) * sizeof(*x->places));
	if (!x->starts || !x->places)
		return -ENOMEM;
	starts_make(q);
	for (i = 0; i < x->count; i++) {
		const struct fxt_blame_run run = *fxt_blame_run_at(q, x->base + i);
		size_t at = x->starts[fxt_blame_color(&x->colors, run.number) + 1ul]++;

		x->places[at] = (struct fxt_blame_place){ run.to - run.from, i };
	}
	for (i = 0, color = 0; color < x->colors.count; color++) {
		__u64 sum = 0;

		for (end = x->starts[color + 1ul]; i < end; i++)
			sum = x->places[i].sum += sum;
	}
	return 0;
}

/* Returns ns of a color in all runs before the given one. */
static __u64 sum_before(const struct fxt_blame_index *x, __u32 color, size_t run)
{
	size_t start = x->starts[color], from = start, to = x->starts[color + 1ul], middle;

	while (from < to) {
		middle = from + (to - from) / 2;
		if (x->places[middle].run + x->base < run)
			from = middle + 1;
		else
			to = middle;
	}
	return from == start ? 0 : x->places[from - 1].sum;
}

struct fxt_blame_sum fxt_blame_index_run(const struct fxt_blame_part *part, size_t number)
{
	const struct fxt_blame_run *run = fxt_blame_run_at(part->queue, number);
	__u64 from = run->from > part->at ? run->from : part->at, to = run->to < part->to ? run->to : part->to;

	return (struct fxt_blame_sum){ to - from, fxt_blame_color(&part->queue->index->colors, run->number) };
}

__u64 fxt_blame_index_sum(const struct fxt_blame_part *part, __u32 color)
{
	const struct fxt_blame_index *x = part->queue->index;
	struct fxt_blame_sum end;
	__u64 ns = 0;

	if (part->first == part->end)
		return 0;
	/* The part may cut its first and its last run. */
	end = fxt_blame_index_run(part, part->first);
	ns += end.color == color ? end.ns : 0;
	if (part->end - part->first == 1)
		return ns;
	end = fxt_blame_index_run(part, part->end - 1);
	ns += end.color == color ? end.ns : 0;
	return ns + sum_before(x, color, part->end - 1) - sum_before(x, color, part->first + 1);
}

static int by_color(const void *a, const void *b)
{
	const struct fxt_blame_sum *x = a, *y = b;

	return (x->color > y->color) - (x->color < y->color);
}

/* Adds up to FXT_BLAME_LEAF runs, cut to a part, to a summary. */
static void runs_add(const struct fxt_blame_part *part, size_t first, size_t count, struct fxt_blame_summary *to)
{
	struct fxt_blame_summary all = { 0 };
	struct fxt_blame_sum runs[FXT_BLAME_LEAF];
	size_t i;

	for (i = 0; i < count; i++)
		runs[i] = fxt_blame_index_run(part, first + i);
	qsort(runs, count, sizeof(*runs), by_color);
	for (i = 0; i < count; i++) {
		if (all.used && all.of[all.used - 1].color == runs[i].color)
			all.of[all.used - 1].ns += runs[i].ns;
		else if (runs[i].ns)
			all.of[all.used++] = runs[i];
	}
	fxt_blame_summary_merge(to, &all);
}

static int level_make(struct fxt_blame *b, struct fxt_blame_queue *q, unsigned int number)
{
	struct fxt_blame_index *x = q->index;
	struct fxt_blame_level *level = &x->levels[number];
	const struct fxt_blame_part whole = { .queue = q, .to = ~0ULL };
	size_t i;

	level->count = x->count / ((size_t)FXT_BLAME_LEAF << number);
	if (!level->count)
		return 0;
	level->of = fxt_spill_alloc(b->m->spill, level->count * sizeof(*level->of));
	if (!level->of)
		return -ENOMEM;
	for (i = 0; i < level->count; i++) {
		struct fxt_blame_summary sums = { 0 };

		if (number) {
			sums = level[-1].of[2 * i];
			fxt_blame_summary_merge(&sums, &level[-1].of[2 * i + 1]);
		} else {
			runs_add(&whole, x->base + i * FXT_BLAME_LEAF, FXT_BLAME_LEAF, &sums);
		}
		level->of[i] = sums;
	}
	return 0;
}

/* Returns the highest level with a summary that starts at a run and ends before another; FXT_BLAME_LEVELS: none. */
static unsigned int level_find(const struct fxt_blame_index *x, size_t at, size_t end)
{
	unsigned int level = FXT_BLAME_LEVELS, i;

	for (i = 0; i < FXT_BLAME_LEVELS && x->levels[i].count; i++) {
		if (at % ((size_t)FXT_BLAME_LEAF << i) || end - at < (size_t)FXT_BLAME_LEAF << i)
			break;
		level = i;
	}
	return level;
}

void fxt_blame_index_summary(const struct fxt_blame_part *part, struct fxt_blame_summary *to)
{
	const struct fxt_blame_index *x = part->queue->index;
	size_t at = part->first - x->base, end = part->end - x->base, count;

	if (at == end)
		return;
	runs_add(part, part->first, 1, to);
	if (end - at > 1)
		runs_add(part, part->end - 1, 1, to);
	for (at++; at + 1 < end; at += count) {
		unsigned int level = level_find(x, at, end - 1);

		if (level < FXT_BLAME_LEVELS) {
			count = (size_t)FXT_BLAME_LEAF << level;
			fxt_blame_summary_merge(to, &x->levels[level].of[at / count]);
			continue;
		}
		count = FXT_BLAME_LEAF - at % FXT_BLAME_LEAF;
		count = count < end - 1 - at ? count : end - 1 - at;
		runs_add(part, x->base + at, count, to);
	}
}

static int by_end(const void *a, const void *b)
{
	const struct fxt_blame_part *const *x = a, *const *y = b;

	return ((*x)->end > (*y)->end) - ((*x)->end < (*y)->end);
}

/* Returns the parts of a queue in the order of their ends, as a heap array. */
static struct fxt_blame_part **parts_sorted(const struct fxt_blame_queue *q)
{
	struct fxt_blame_part **sorted = calloc(q->part_count, sizeof(*sorted)), *part;
	size_t count = 0;

	for (part = q->parts; sorted && part; part = part->of_queue)
		sorted[count++] = part;
	if (sorted)
		qsort(sorted, count, sizeof(*sorted), by_end);
	return sorted;
}

/* A Fenwick tree of sums, with elements 1 to count. */
struct tree {
	__u32 *of;
	size_t count;
};

static void tree_add(const struct tree *tree, size_t at, __u32 more)
{
	for (; at <= tree->count; at += at & -at)
		tree->of[at] += more;
}

static __u32 tree_sum(const struct tree *tree, size_t at)
{
	__u32 sum = 0;

	for (; at; at -= at & -at)
		sum += tree->of[at];
	return sum;
}

/* Counts for each part the runs that are the last of their colors before its end: the number of its colors. */
static void distinct_count(const struct fxt_blame_queue *q, struct fxt_blame_part **parts,
			   const struct tree *tree, __u32 *last)
{
	const struct fxt_blame_index *x = q->index;
	size_t i, k = 0;

	for (i = 0; i <= x->count && k < q->part_count; i++) {
		__u32 *at;

		for (; k < q->part_count && parts[k]->end == x->base + i; k++)
			parts[k]->distinct = tree_sum(tree, i) - tree_sum(tree, parts[k]->first - x->base);
		if (i == x->count)
			break;
		at = &last[color_at(q, x->base + i)];
		if (*at)
			tree_add(tree, *at, -1u);
		*at = i + 1;
		tree_add(tree, i + 1, 1);
	}
}

static int distinct_make(struct fxt_blame *b, const struct fxt_blame_queue *q)
{
	const struct fxt_blame_index *x = q->index;
	size_t tree_bytes = (x->count + 1) * sizeof(__u32), last_bytes = x->colors.count * sizeof(__u32);
	struct tree tree = { fxt_spill_alloc(b->m->spill, tree_bytes), x->count };
	__u32 *last = fxt_spill_alloc(b->m->spill, last_bytes);
	struct fxt_blame_part **parts = parts_sorted(q);
	int err = tree.of && last && parts ? 0 : -ENOMEM;

	if (!err)
		distinct_count(q, parts, &tree, last);
	free(parts);
	fxt_spill_free(b->m->spill, tree.of, tree_bytes);
	fxt_spill_free(b->m->spill, last, last_bytes);
	return err;
}

int fxt_blame_index_make(struct fxt_blame *b, struct fxt_blame_queue *q, const struct fxt_blame_colors *colors,
			 bool greatest)
{
	unsigned int i;
	int err;

	fxt_blame_index_free(b, q);
	q->index = calloc(1, sizeof(*q->index));
	if (!q->index)
		return -ENOMEM;
	q->index->colors = *colors;
	q->index->base = q->kept;
	q->index->count = q->next - q->kept;
	err = places_make(b, q);
	for (i = 0; greatest && i < FXT_BLAME_LEVELS && !err; i++)
		err = level_make(b, q, i);
	return err || !greatest ? err : distinct_make(b, q);
}

void fxt_blame_index_free(struct fxt_blame *b, struct fxt_blame_queue *q)
{
	struct fxt_blame_index *x = q->index;
	unsigned int i;

	if (!x)
		return;
	fxt_spill_free(b->m->spill, x->starts, (x->colors.count + 2ul) * sizeof(*x->starts));
	fxt_spill_free(b->m->spill, x->places, (x->count + 1) * sizeof(*x->places));
	for (i = 0; i < FXT_BLAME_LEVELS; i++)
		fxt_spill_free(b->m->spill, x->levels[i].of, x->levels[i].count * sizeof(*x->levels[i].of));
	free(x);
	q->index = NULL;
}
