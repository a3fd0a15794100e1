// SPDX-License-Identifier: GPL-2.0-only
/* Sums the accounts of threads by a common property, and sorts the sums. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report.h"
#include "util/array.h"

#define BY_NAME(id, name, array)	name,
#define BY_ARRAY(id, name, array)	array,
const char *const fxt_report_by_names[] = { FXT_REPORT_BY(BY_NAME) NULL };
const char *const fxt_report_by_arrays[] = { FXT_REPORT_BY(BY_ARRAY) };

__u64 fxt_report_value(const struct fxt_report_row *r, enum fxt_report_column column)
{
	switch (column) {
#define COLUMN_CASE(id, name, kind, group, value, ...) case FXT_COLUMN_##id: return value;
	FXT_REPORT_COLUMNS(COLUMN_CASE)
	default:
		return 0;
	}
}

enum fxt_report_by fxt_report_by_named(const char *name)
{
	unsigned int i;

	for (i = 0; i < FXT_BYS && strcmp(fxt_report_by_names[i], name); i++)
		;
	return i;
}

const void *fxt_report_common(enum fxt_report_by by, struct fxt_tasks *tasks, const struct fxt_task *task,
			      const char **name, int *err)
{
	struct fxt_process *process;
	struct fxt_group *group;
	const void *unknown = tasks, *none = (const char *)tasks + 1;
	struct fxt_text text;

	process = task->process;
	group = process ? process->group : NULL;
	*err = 0;
	*name = NULL;
	switch (by) {
	case FXT_BY_PROCESS:
		if (process && process->name[0])
			*name = process->name;
		return process ? process : unknown;
	case FXT_BY_COMM:
		text = (struct fxt_text){ .bytes = task->name, .length = strlen(task->name) };
		*name = fxt_tasks_text(tasks, &text);
		*err = *name ? 0 : -ENOMEM;
		return *name;
	case FXT_BY_CGROUP:
		*name = group ? group->path : NULL;
		return *name ? *name : unknown;
	case FXT_BY_CONTAINER:
		*name = !group ? NULL : group->container ? group->container : "";
		return !group ? unknown : group->container ? group->container : none;
	default:
		*name = task->name;
		return task;
	}
}

static int row_add(struct fxt_report *r, struct fxt_account *account, const char *name)
{
	int err = fxt_array_more(r->rows, r->count);

	if (err)
		return err;
	r->rows[r->count++] = (struct fxt_report_row){ .account = account, .name = name };
	return 0;
}

static int account_add(struct fxt_report *r, struct fxt_accounts *a, struct fxt_account *account)
{
	struct fxt_account *sum;
	const char *name;
	const void *common;
	int err;

	common = fxt_report_common(r->by, &a->m->tasks, account->task, &name, &err);
	if (err || r->by == FXT_BY_THREAD)
		return err ? err : row_add(r, account, name);
	sum = fxt_map_get(&r->groups, (__u64)(uintptr_t)common);
	if (!sum) {
		sum = fxt_map_new(&r->groups, (__u64)(uintptr_t)common, sizeof(*sum));
		err = sum ? row_add(r, sum, name) : -ENOMEM;
	}
	if (!err)
		err = fxt_account_merge(sum, r->spill, account);
	return err ? err : fxt_wakers_merge(&sum->wakers, r->spill, &account->wakers);
}

/* Sets the row's values from its account, so that sorting doesn't need the account. */
static int row_set(struct fxt_report_row *row, enum fxt_report_column sort)
{
	const struct fxt_histogram *h = &row->account->latency;
	struct fxt_histogram_bucket *buckets;

	row->key = row->account->task->key;
	buckets = fxt_histogram_buckets(h);
	if (h->used && !buckets)
		return -ENOMEM;
	row->p50 = fxt_histogram_quantile(h, buckets, 500);
	row->p90 = fxt_histogram_quantile(h, buckets, 900);
	row->p99 = fxt_histogram_quantile(h, buckets, 990);
	row->p999 = fxt_histogram_quantile(h, buckets, 999);
	row->order = fxt_report_value(row, sort);
	free(buckets);
	return 0;
}

static int descending(const void *a, const void *b)
{
	const struct fxt_report_row *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? 1 : -1;
	return (x->key > y->key) - (x->key < y->key);
}

static int accounts_add(struct fxt_report *r, struct fxt_accounts *a, const struct fxt_selection *selection)
{
	struct fxt_account *account, *next;
	int err = 0;

	for (account = a->first; account && !err; account = next) {
		next = account->next;
		if (!fxt_selection_task(selection, account->task))
			continue;
		err = account_add(r, a, account);
		if (!err)
			err = fxt_account_merge(&r->all, r->spill, account);
	}
	return err;
}

int fxt_report_sort(struct fxt_report *r, enum fxt_report_column sort)
{
	size_t i;
	int err = 0;

	for (i = 0; i < r->count && !err; i++)
		err = row_set(&r->rows[i], sort == FXT_COLUMNS ? FXT_COLUMN_RUN : sort);
	if (!err && r->count)
		qsort(r->rows, r->count, sizeof(*r->rows), descending);
	return err;
}

int fxt_report_init(struct fxt_report *r, struct fxt_accounts *a, __u32 count, enum fxt_report_by by,
		    const struct fxt_selection *selection, enum fxt_report_column sort)
{
	size_t i;
	int err = 0;

	*r = (struct fxt_report){ .spill = a->m->spill, .by = by };
	r->groups.memory.spill = r->spill;
	for (i = 0; i < count && !err; i++)
		err = accounts_add(r, &a[i], selection);
	return err ? err : fxt_report_sort(r, sort);
}

void fxt_report_uninit(struct fxt_report *r)
{
	struct fxt_account *account;
	size_t at = 0;

	while ((account = fxt_map_next(&r->groups, &at)))
		fxt_account_uninit(account, r->spill);
	fxt_account_uninit(&r->all, r->spill);
	fxt_map_uninit(&r->groups, free);
	free(r->rows);
}
