// SPDX-License-Identifier: GPL-2.0-only
/* Sums the segments of critical paths. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "analyze/path/sums.h"
#include "util/array.h"

void fxt_path_sums_init(struct fxt_path_sums *sums, struct fxt_spill *spill, enum fxt_report_by by)
{
	*sums = (struct fxt_path_sums){ .by = by, .numbers.memory.spill = spill };
}

void fxt_path_sums_uninit(struct fxt_path_sums *sums)
{
	fxt_map_uninit(&sums->numbers, NULL);
	free(sums->rows);
}

/* Adds a row for the key.  Returns its number, or NULL. */
static size_t *row_add(struct fxt_path_sums *sums, __u64 key)
{
	size_t *number;

	if (fxt_array_more(sums->rows, sums->count))
		return NULL;
	number = fxt_map_new(&sums->numbers, key, sizeof(*number));
	if (number)
		*number = sums->count++;
	return number;
}

/* Adds a part to the row of its group and kind. */
static int add(struct fxt_path_sums *sums, const void *group, unsigned int kind, const struct fxt_path_sum *part)
{
	__u64 key = (uintptr_t)group * FXT_SEGMENT_KINDS + kind;
	size_t *number = fxt_map_get(&sums->numbers, key);

	if (!number) {
		number = row_add(sums, key);
		if (!number)
			return -ENOMEM;
		sums->rows[*number] = *part;
	} else {
		struct fxt_path_sum *row = &sums->rows[*number];

		row->ns += part->ns;
		row->count += part->count;
		/* Segments come backwards in time. */
		if (part->from < row->from) {
			row->from = part->from;
			row->key = part->key;
			row->task = part->task;
		}
	}
	sums->ns += part->ns;
	return 0;
}

static int thread_add(struct fxt_path_sums *sums, struct fxt_tasks *tasks, const struct fxt_segment *s,
		      __u64 ns, __u64 count, const struct fxt_task *task, unsigned int kind)
{
	struct fxt_path_sum part = {
		.task = task, .from = s->from, .ns = ns, .count = count, .kind = s->kind,
		.behind = s->behind,
	};
	const void *group;
	int err;

	part.key = task->key;
	group = fxt_report_common(sums->by, tasks, task, &part.name, &err);
	return err ? err : add(sums, group, kind, &part);
}

int fxt_path_sums_add(struct fxt_path_sums *sums, struct fxt_tasks *tasks, const struct fxt_segment *s, __u64 ns,
		      __u64 count)
{
	return thread_add(sums, tasks, s, ns, count, s->task, s->kind);
}

int fxt_path_sums_add_behind(struct fxt_path_sums *sums, struct fxt_tasks *tasks, const struct fxt_segment *s,
			     __u64 ns, __u64 count)
{
	struct fxt_path_sum part = {
		.from = s->from, .ns = ns, .count = count, .kind = s->kind,
		.behind = s->behind,
	};

	if (s->culprit)
		return thread_add(sums, tasks, s, ns, count, s->culprit, s->behind);
	if (s->behind == FXT_CULPRIT_IRQ || s->behind == FXT_CULPRIT_SOFTIRQ || s->behind == FXT_CULPRIT_IDLE)
		part.name = s->reason;
	return add(sums, part.name, s->behind, &part);
}

int fxt_path_sums_add_reason(struct fxt_path_sums *sums, const struct fxt_segment *s, __u64 ns, __u64 count)
{
	struct fxt_path_sum part = { .name = s->reason, .from = s->from, .ns = ns, .count = count, .kind = s->kind };

	return add(sums, s->reason, s->kind, &part);
}

static int descending(const void *a, const void *b)
{
	const struct fxt_path_sum *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	if (x->kind != y->kind)
		return (int)x->kind - (int)y->kind;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

void fxt_path_sums_sort(struct fxt_path_sums *sums)
{
	if (sums->count)
		qsort(sums->rows, sums->count, sizeof(*sums->rows), descending);
}
