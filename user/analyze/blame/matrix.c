// SPDX-License-Identifier: GPL-2.0-only
/* Victims and culprits, each by thread or summed. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "analyze/blame/matrix.h"
#include "util/array.h"

/* Limits of a crowd: at least CROWD threads, and on average at least CROWD_A_NAME threads per name. */
#define CROWD		40u
#define CROWD_A_NAME	3u

#define COLUMN_NAME(id, name, value)	name,
const char *const fxt_matrix_column_names[] = { FXT_MATRIX_COLUMNS(COLUMN_NAME) NULL };

static __u64 value_of(const struct fxt_matrix_row *r, enum fxt_matrix_column column)
{
	switch (column) {
#define COLUMN_CASE(id, name, value) case FXT_MATRIX_##id: return value;
	FXT_MATRIX_COLUMNS(COLUMN_CASE)
	default:
		return 0;
	}
}

const void *fxt_matrix_common(const struct fxt_matrix *x, const struct fxt_task *task, const char **name, int *err)
{
	return fxt_report_common(x->by, &x->blames[task->machine].m->tasks, task, name, err);
}

/* Sets for each suspect the first one of the same group. */
static int same_set(struct fxt_matrix *x)
{
	struct fxt_suspects *s = x->suspects;
	struct fxt_map firsts = { .memory.spill = x->spill };
	const char *name;
	const void *common;
	__u32 i, *first;
	int err = 0;

	x->same = calloc(s->count, sizeof(*x->same));
	for (i = 0; x->same && i < s->count && !err; i++) {
		x->same[i] = i;
		if (x->by == FXT_BY_THREAD || s->of[i].kind != FXT_CULPRIT_THREAD)
			continue;
		common = fxt_matrix_common(x, s->of[i].what, &name, &err);
		first = err ? NULL : fxt_map_get(&firsts, (uintptr_t)common);
		if (!first && !err) {
			first = fxt_map_new(&firsts, (uintptr_t)common, sizeof(*first));
			if (first)
				*first = i;
		}
		if (first)
			x->same[i] = *first;
		else
			err = err ? err : -ENOMEM;
	}
	fxt_map_uninit(&firsts, NULL);
	return x->same ? err : -ENOMEM;
}

static int row_add(struct fxt_matrix *x, const struct fxt_task *task, const char *name,
		   struct fxt_culprits *culprits)
{
	int err = fxt_array_more(x->rows, x->count);

	if (err)
		return err;
	x->rows[x->count++] = (struct fxt_matrix_row){ .task = task, .key = task->key, .name = name, .culprits = culprits };
	return 0;
}

/* The sum of a row. */
struct group {
	size_t row;
	struct fxt_culprits culprits;
};

static const struct fxt_group *group_of(const struct fxt_task *task)
{
	return task->process ? task->process->group : NULL;
}

static void share_add(struct fxt_matrix_share *share, const struct fxt_group *victim, const struct fxt_group *culprit,
		      __u64 ns)
{
	if (!victim || !culprit)
		share->unknown += ns;
	else if (victim == culprit)
		share->own += ns;
	else
		share->foreign += ns;
}

/* Adds the time of one culprit to a row. */
static int part_add(struct fxt_matrix *x, struct fxt_matrix_row *row, const struct fxt_victim *v,
		    __u32 number, __u64 ns)
{
	const struct fxt_culprit *c = &x->suspects->of[number];
	struct fxt_spill *spill = x->spill;
	__u32 count = x->suspects->count;
	const struct fxt_group *group;
	int err = 0;

	row->wait += ns;
	x->wait += ns;
	group = group_of(v->task);
	if (c->kind == FXT_CULPRIT_THREAD) {
		const struct fxt_group *other;

		other = group_of(c->what);
		share_add(&row->share, group, other, ns);
		share_add(&x->share, group, other, ns);
	}
	if (x->by != FXT_BY_THREAD)
		err = fxt_culprits_add(row->culprits, spill, count, x->same[number], ns);
	return err ? err : fxt_culprits_add(&x->all, spill, count, x->same[number], ns);
}

/* Finds the row of a victim, or adds one for a new group; NULL: -ENOMEM. */
static struct fxt_matrix_row *row_of(struct fxt_matrix *x, struct fxt_victim *v)
{
	const char *name;
	const void *common = fxt_matrix_common(x, v->task, &name, &(int){ 0 });
	struct group *group;

	if (x->by == FXT_BY_THREAD)
		return row_add(x, v->task, name, &v->culprits) ? NULL : &x->rows[x->count - 1];
	group = fxt_map_get(&x->groups, (uintptr_t)common);
	if (!group) {
		group = fxt_map_new(&x->groups, (uintptr_t)common, sizeof(*group));
		if (!group || row_add(x, v->task, name, &group->culprits))
			return NULL;
		group->row = x->count - 1;
	}
	return &x->rows[group->row];
}

static int victim_add(struct fxt_matrix *x, struct fxt_victim *v)
{
	struct fxt_matrix_row *row = row_of(x, v);
	size_t at = 0;
	__u32 number;
	__u64 ns;
	int err = row ? 0 : -ENOMEM;

	if (row) {
		row->waits += v->waits_count;
		if (v->longest > row->longest) {
			row->longest = v->longest;
			row->longest_from = v->longest_from;
			row->longest_key = v->task->key;
		}
	}
	while (!err && fxt_culprits_next(&v->culprits, &at, &number, &ns))
		err = part_add(x, row, v, number, ns);
	return err ? err : fxt_matrix_parts_add(x, row - x->rows, v);
}

static int descending(const void *a, const void *b)
{
	const struct fxt_matrix_row *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? 1 : -1;
	return (x->key > y->key) - (x->key < y->key);
}

static int victims_add(struct fxt_matrix *x, struct fxt_blame *blame, const struct fxt_selection *selection)
{
	struct fxt_victim *v, *next;
	int err = 0;

	for (v = blame->first; v && !err; v = next) {
		next = v->next;
		if ((v->culprits.ns || v->parts) && fxt_selection_task(selection, v->task))
			err = victim_add(x, v);
	}
	return err;
}

bool fxt_matrix_crowd(const struct fxt_blame *blames, __u32 count)
{
	struct fxt_map names = { 0 };
	size_t threads = 0, distinct = 0;
	const struct fxt_victim *v;
	const char *name;
	int err = 0;
	__u32 i;

	for (i = 0; i < count && !err; i++) {
		struct fxt_machine *m = blames[i].m;

		for (v = blames[i].first; v && !err; v = v->next) {
			fxt_report_common(FXT_BY_COMM, &m->tasks, v->task, &name, &err);
			threads++;
			if (!err && !fxt_map_get(&names, (uintptr_t)name)) {
				err = fxt_map_put(&names, (uintptr_t)name, &names);
				distinct++;
			}
		}
	}
	fxt_map_uninit(&names, NULL);
	return !err && threads >= CROWD && threads >= CROWD_A_NAME * distinct;
}

int fxt_matrix_init(struct fxt_matrix *x, struct fxt_blame *blames, __u32 count, enum fxt_report_by by,
		    const struct fxt_selection *selection, enum fxt_matrix_column sort)
{
	__u32 i;
	size_t k;
	int err;

	*x = (struct fxt_matrix){
		.blames = blames,
		.blame_count = count,
		.suspects = blames->suspects,
		.spill = blames->m->spill,
		.by = by,
	};
	x->groups.memory.spill = x->spill;
	err = same_set(x);
	for (i = 0; i < count && !err; i++)
		err = fxt_blame_settle(&blames[i]);
	if (!err)
		err = fxt_matrix_parts_begin(x);
	for (i = 0; i < count && !err; i++)
		err = victims_add(x, &blames[i], selection);
	if (!err)
		err = fxt_matrix_parts_end(x);
	for (k = 0; k < x->count; k++)
		x->rows[k].order = value_of(&x->rows[k], sort);
	if (!err && x->count)
		qsort(x->rows, x->count, sizeof(*x->rows), descending);
	return err;
}

void fxt_matrix_uninit(struct fxt_matrix *x)
{
	struct group *group;
	size_t at = 0;

	while ((group = fxt_map_next(&x->groups, &at)))
		fxt_culprits_clear(&group->culprits, x->spill);
	fxt_culprits_clear(&x->all, x->spill);
	fxt_map_uninit(&x->groups, NULL);
	fxt_matrix_parts_uninit(x);
	free(x->rows);
	free(x->same);
}
