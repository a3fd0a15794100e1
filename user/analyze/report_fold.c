// SPDX-License-Identifier: GPL-2.0-only
/* Folds rows of a report: threads with the same name and similar behaviour become one row. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "analyze/report.h"

/* Least number of threads with a name for a common row. */
#define ALIKE_MIN	3u
/*
 * A thread stands out if its time is more than TIMES_MEAN times the mean of its name, and
 * more than 1 in PART_OF_WINDOW of the window.
 */
#define TIMES_MEAN	4u
#define PART_OF_WINDOW	100u

/* The threads of a name. */
struct alike {
	const char *name;
	__u64 count;
	__u64 run, wait;		/* sums in ns */
	__u64 folded;			/* threads that don't stand out */
	struct fxt_account *sum;	/* sum of the folded threads */
};

static __u64 wait_of(const struct fxt_account *a)
{
	return a->ns[FXT_PHASE_WAIT_WAKEUP] + a->ns[FXT_PHASE_WAIT_PREEMPTED];
}

/* Returns the length of the window of a thread's machine. */
static __u64 window_of(const struct fxt_accounts *accounts, const struct fxt_account *account)
{
	const struct fxt_machine *m = accounts[account->task->machine].m;

	return m->to - m->from;
}

static bool is_far(__u64 ns, __u64 sum, __u64 count, __u64 window)
{
	return ns > TIMES_MEAN * (sum / count) && ns > window / PART_OF_WINDOW;
}

static bool stands_out(const struct fxt_account *a, const struct alike *alike, __u64 window)
{
	return is_far(a->ns[FXT_PHASE_RUN], alike->run, alike->count, window) ||
	       is_far(wait_of(a), alike->wait, alike->count, window);
}

static struct alike *alike_of(struct fxt_map *names, struct fxt_tasks *tasks, const struct fxt_task *task)
{
	const char *name;
	struct alike *alike;
	int err;

	fxt_report_common(FXT_BY_COMM, tasks, task, &name, &err);
	if (err)
		return NULL;
	alike = fxt_map_get(names, (__u64)(uintptr_t)name);
	if (!alike)
		alike = fxt_map_new(names, (__u64)(uintptr_t)name, sizeof(*alike));
	if (alike)
		alike->name = name;
	return alike;
}

/* Finds the sums of each row's name, and adds to them.  Returns 0 or -ENOMEM. */
static int names_sum(struct alike **of, struct fxt_map *names, struct fxt_accounts *accounts, const struct fxt_report *r)
{
	size_t i;

	for (i = 0; i < r->count; i++) {
		const struct fxt_account *account = r->rows[i].account;

		of[i] = alike_of(names, &accounts[account->task->machine].m->tasks, account->task);
		if (!of[i])
			return -ENOMEM;
		of[i]->count++;
		of[i]->run += account->ns[FXT_PHASE_RUN];
		of[i]->wait += wait_of(account);
	}
	return 0;
}

/* Removes rows that stand out from the array of names, and counts the others of each name. */
static void outstanding_part(struct alike **of, const struct fxt_accounts *accounts, const struct fxt_report *r)
{
	size_t i;

	for (i = 0; i < r->count; i++) {
		if (stands_out(r->rows[i].account, of[i], window_of(accounts, r->rows[i].account)))
			of[i] = NULL;
		else
			of[i]->folded++;
	}
}

/*
 * Adds a row to the sum of its name, which replaces the first such row.  Returns 1: the row
 * is gone; 0: it stays; -ENOMEM.
 */
static int row_fold(struct fxt_report *r, struct fxt_report_row *row, struct alike *alike)
{
	struct fxt_account *account = row->account;
	bool first = !alike->sum;
	int err;

	if (first) {
		alike->sum = fxt_map_new(&r->groups, (__u64)(uintptr_t)alike->name, sizeof(*alike->sum));
		if (!alike->sum)
			return -ENOMEM;
		row->account = alike->sum;
		row->name = alike->name;
	}
	err = fxt_account_merge(alike->sum, r->spill, account);
	if (!err)
		err = fxt_wakers_merge(&alike->sum->wakers, r->spill, &account->wakers);
	return err ? err : !first;
}

static int rows_fold(struct fxt_report *r, struct alike *const *of)
{
	size_t from, to = 0;
	int gone = 0;

	for (from = 0; from < r->count && gone >= 0; from++) {
		struct fxt_report_row row = r->rows[from];

		gone = of[from] && of[from]->folded >= ALIKE_MIN ? row_fold(r, &row, of[from]) : 0;
		if (!gone)
			r->rows[to++] = row;
	}
	r->count = to;
	return gone < 0 ? gone : 0;
}

int fxt_report_fold(struct fxt_report *r, struct fxt_accounts *accounts, enum fxt_report_column sort)
{
	struct alike **of = calloc(r->count + 1, sizeof(*of));
	struct fxt_map names = { 0 };
	int err = of ? names_sum(of, &names, accounts, r) : -ENOMEM;

	if (!err) {
		outstanding_part(of, accounts, r);
		err = rows_fold(r, of);
	}
	if (!err)
		err = fxt_report_sort(r, sort);
	fxt_map_uninit(&names, NULL);
	free(of);
	return err;
}
