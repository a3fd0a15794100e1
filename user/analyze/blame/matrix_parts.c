// SPDX-License-Identifier: GPL-2.0-only
/* Parts of victims in a matrix: their shares by control group, and their culprits. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "analyze/blame/index.h"
#include "analyze/blame/matrix.h"
#include "util/array.h"

/* All sums of a row's parts are made if the parts have at most this many runs, on average. */
#define RUNS_A_PART	64u

/* Colors of suspects that are no thread, or have no known control group; first color of control groups. */
enum { SHARE_OTHER, SHARE_UNKNOWN, SHARE_GROUPS };

/* Calls a function for each queue with parts.  Returns 0 or the first -errno. */
static int queues_do(struct fxt_matrix *x, int (*call)(struct fxt_matrix *x, struct fxt_blame *b, struct fxt_blame_queue *q))
{
	struct fxt_blame_queue *q;
	int err = 0;
	__u32 i;

	for (i = 0; i < x->blame_count; i++) {
		struct fxt_blame *b = &x->blames[i];

		for (q = b->queues; q && !err; q = q->next_queue)
			if (q->parts)
				err = call(x, b, q);
	}
	return err;
}

static const struct fxt_group *group_of(const struct fxt_task *task)
{
	return task->process ? task->process->group : NULL;
}

/* Finds or adds the color of a control group; 0: -ENOMEM. */
static __u32 share_color(struct fxt_matrix *x, const struct fxt_group *group)
{
	__u32 *color;

	if (!group)
		return SHARE_UNKNOWN;
	color = fxt_map_get(&x->share_colors, (uintptr_t)group);
	if (color)
		return *color;
	color = fxt_map_new(&x->share_colors, (uintptr_t)group, sizeof(*color));
	return color ? *color = SHARE_GROUPS + x->share_colors.count - 1 : SHARE_OTHER;
}

static int shares_set(struct fxt_matrix *x)
{
	const struct fxt_suspects *s = x->suspects;
	__u32 i;

	x->shares = calloc(s->count, sizeof(*x->shares));
	for (i = 0; x->shares && i < s->count; i++) {
		if (s->of[i].kind != FXT_CULPRIT_THREAD)
			continue;
		x->shares[i] = share_color(x, group_of(s->of[i].what));
		if (!x->shares[i])
			return -ENOMEM;
	}
	return x->shares ? 0 : -ENOMEM;
}

/* Makes the index of the time by control group. */
static int shares_index(struct fxt_matrix *x, struct fxt_blame *b, struct fxt_blame_queue *q)
{
	int err = x->shares ? 0 : shares_set(x);
	const struct fxt_blame_colors colors = { x->shares, SHARE_GROUPS + x->share_colors.count };

	return err ? err : fxt_blame_index_make(b, q, &colors, false);
}

/* Makes the index of the time by culprit. */
static int index_make(struct fxt_matrix *x, struct fxt_blame *b, struct fxt_blame_queue *q)
{
	const struct fxt_blame_colors colors = { x->same, x->suspects->count };

	return fxt_blame_index_make(b, q, &colors, true);
}

static int index_free(struct fxt_matrix *x __attribute__((unused)), struct fxt_blame *b, struct fxt_blame_queue *q)
{
	fxt_blame_index_free(b, q);
	return 0;
}

int fxt_matrix_parts_begin(struct fxt_matrix *x)
{
	x->share_colors.memory.spill = x->spill;
	return queues_do(x, shares_index);
}

/* Returns ns of a control group's threads in a part, without the sums in apart. */
static __u64 share_sum(struct fxt_matrix *x, const struct fxt_blame_part *part, __u32 color)
{
	__u64 sum = fxt_blame_index_sum(part, color), ns;
	__u32 number;
	size_t at = 0;

	while (fxt_culprits_next(&part->apart, &at, &number, &ns))
		sum -= x->shares[number] == color ? ns : 0;
	return sum;
}

static void share_add(struct fxt_matrix *x, struct fxt_matrix_share *to, const struct fxt_victim *v,
		      const struct fxt_blame_part *part, __u64 ns)
{
	const struct fxt_group *group;
	const __u32 *color;
	__u64 own, unknown;

	group = group_of(v->task);
	color = group ? fxt_map_get(&x->share_colors, (uintptr_t)group) : NULL;
	own = color ? share_sum(x, part, *color) : 0;
	unknown = share_sum(x, part, SHARE_UNKNOWN);
	ns -= share_sum(x, part, SHARE_OTHER);
	to->own += own;
	to->unknown += group ? unknown : ns;
	to->foreign += group ? ns - own - unknown : 0;
}

int fxt_matrix_parts_add(struct fxt_matrix *x, size_t number, const struct fxt_victim *v)
{
	struct fxt_matrix_row *row = &x->rows[number];
	struct fxt_blame_part *part;
	int err = 0;

	for (part = v->parts; part && !err; part = part->next) {
		struct fxt_matrix_share share = { 0 };
		__u64 ns;

		ns = fxt_blame_part_ns(part);
		share_add(x, &share, v, part, ns);
		row->wait += ns;
		x->wait += ns;
		row->share.own += share.own;
		row->share.unknown += share.unknown;
		row->share.foreign += share.foreign;
		x->share.own += share.own;
		x->share.unknown += share.unknown;
		x->share.foreign += share.foreign;
		err = fxt_array_more(x->parts, x->part_count);
		if (!err)
			x->parts[x->part_count++] = (struct fxt_matrix_part){ part, part->next, part->queue, number };
	}
	return err;
}

static int by_queue(const void *a, const void *b)
{
	const struct fxt_matrix_part *x = a, *y = b;
	const struct fxt_blame_queue *one = x->queue, *other = y->queue;

	if (one->machine != other->machine)
		return one->machine < other->machine ? -1 : 1;
	if (one->number != other->number)
		return one->number < other->number ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

/* Returns the number of consecutive parts of the same queue, and (unless any is set) of the same row. */
static size_t same_count(const struct fxt_matrix *x, size_t first, bool any)
{
	size_t i = first + 1;

	while (i < x->part_count && x->parts[i].queue == x->parts[first].queue &&
	       (any || x->parts[i].row == x->parts[first].row))
		i++;
	return i - first;
}

/* Adds all sums of the parts of a row in one queue, or puts the parts into the row's list. */
static int row_add(struct fxt_matrix *x, const struct fxt_matrix_part *first, struct fxt_blame_part **parts, size_t count)
{
	struct fxt_matrix_row *row = &x->rows[first->row];
	size_t base, i;

	if (fxt_blame_parts_span(parts, count, &base) <= RUNS_A_PART * count)
		return fxt_blame_parts_sum(x->blames, parts, count, row->culprits);
	for (i = 0; i < count; i++) {
		parts[i]->next = row->parts;
		row->parts = parts[i];
	}
	return 0;
}

static int sums_make(struct fxt_matrix *x, struct fxt_blame_part **parts)
{
	size_t i, count;
	int err = 0;

	for (i = 0; i < x->part_count; i++)
		parts[i] = x->parts[i].part;
	for (i = 0; i < x->part_count && !err; i += count) {
		count = same_count(x, i, true);
		err = fxt_blame_parts_sum(x->blames, &parts[i], count, &x->all);
	}
	for (i = 0; i < x->part_count && !err; i += count) {
		count = same_count(x, i, false);
		err = row_add(x, &x->parts[i], &parts[i], count);
	}
	for (i = 0; i < x->count && !err; i++)
		if (x->rows[i].parts)
			err = fxt_blame_greatest(x->blames, x->rows[i].culprits, x->rows[i].parts);
	return err;
}

int fxt_matrix_parts_end(struct fxt_matrix *x)
{
	struct fxt_blame_part **parts;
	int err;

	if (!x->part_count)
		return 0;
	qsort(x->parts, x->part_count, sizeof(*x->parts), by_queue);
	parts = calloc(x->part_count, sizeof(*parts));
	err = parts ? queues_do(x, index_make) : -ENOMEM;
	if (!err)
		err = sums_make(x, parts);
	free(parts);
	return err;
}

void fxt_matrix_parts_uninit(struct fxt_matrix *x)
{
	size_t i;

	for (i = 0; i < x->part_count; i++)
		x->parts[i].part->next = x->parts[i].next;
	queues_do(x, index_free);
	fxt_map_uninit(&x->share_colors, NULL);
	free(x->shares);
	free(x->parts);
}
