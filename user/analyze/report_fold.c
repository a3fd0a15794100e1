// SPDX-License-Identifier: GPL-2.0-only
/* Rows of a report: threads of one name that behave alike become one row. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "analyze/report.h"

/* So many threads of a name, or more, are worth a row of their sum. */
#define ALIKE_MIN	3u
/* A thread stands out where its time is so many times its name's mean, and this part of the window. */
#define TIMES_MEAN	4u
#define PART_OF_WINDOW	100u

/* The threads of a name. */
struct alike {
	__u64 count;
	__u64 run, wait;		/* sums, ns */
	__u64 folded;			/* threads that don't stand out */
	struct fxt_account *sum;	/* of these */
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

/* Finds the sums of a row's name.  0 or -ENOMEM. */
static int alike_of(struct fxt_map *names, struct fxt_accounts *accounts, const struct fxt_report *r,
		    const struct fxt_report_row *row, const char **name, struct alike **alike)
{
	struct fxt_accounts *a;
	int err;

	fxt_report_touch(r, row);
	a = &accounts[row->account->task->machine];
	fxt_report_common(FXT_BY_COMM, &a->m->tasks, row->account->task, name, &err);
	if (err)
		return err;
	*alike = fxt_map_get(names, (__u64)(uintptr_t)*name);
	if (!*alike)
		*alike = fxt_map_new(names, (__u64)(uintptr_t)*name, sizeof(**alike));
	return *alike ? 0 : -ENOMEM;
}

static int names_count(struct fxt_map *names, struct fxt_accounts *accounts, const struct fxt_report *r)
{
	struct alike *alike;
	const char *name;
	size_t i;
	int err = 0;

	for (i = 0; i < r->count && !err; i++) {
		const struct fxt_report_row *row = &r->rows[i];

		err = alike_of(names, accounts, r, row, &name, &alike);
		if (err)
			break;
		alike->count++;
		alike->run += row->account->ns[FXT_PHASE_RUN];
		alike->wait += wait_of(row->account);
	}
	return err;
}

/* Counts the threads of each name that don't stand out. */
static int folded_count(struct fxt_map *names, struct fxt_accounts *accounts, const struct fxt_report *r)
{
	struct alike *alike;
	const char *name;
	size_t i;
	int err = 0;

	for (i = 0; i < r->count && !err; i++) {
		const struct fxt_account *account = r->rows[i].account;

		err = alike_of(names, accounts, r, &r->rows[i], &name, &alike);
		if (!err)
			alike->folded += !stands_out(account, alike, window_of(accounts, account));
	}
	return err;
}

/* Adds a row to the sum of its name, which takes the place of the first one.  1: the row is gone; 0: it stays; -ENOMEM. */
static int row_fold(struct fxt_report *r, struct fxt_report_row *row, struct alike *alike, const char *name)
{
	struct fxt_account *account = row->account;
	bool first = !alike->sum;
	int err;

	if (first) {
		alike->sum = fxt_map_new(&r->groups, (__u64)(uintptr_t)name, sizeof(*alike->sum));
		if (!alike->sum)
			return -ENOMEM;
		row->account = alike->sum;
		row->name = name;
	}
	fxt_spill_touch(r->spill, alike->sum);
	err = fxt_account_merge(alike->sum, r->spill, account);
	if (!err)
		err = fxt_wakers_merge(&alike->sum->wakers, r->spill, &account->wakers);
	return err ? err : !first;
}

static int rows_fold(struct fxt_report *r, struct fxt_map *names, struct fxt_accounts *accounts)
{
	size_t from, to = 0;
	int err = 0;

	for (from = 0; from < r->count && err >= 0; from++) {
		struct fxt_report_row row = r->rows[from];
		struct alike *alike;
		const char *name;

		err = alike_of(names, accounts, r, &row, &name, &alike);
		if (!err && alike->folded >= ALIKE_MIN &&
		    !stands_out(row.account, alike, window_of(accounts, row.account)))
			err = row_fold(r, &row, alike, name);
		if (!err)
			r->rows[to++] = row;
	}
	r->count = to;
	return err < 0 ? err : 0;
}

int fxt_report_fold(struct fxt_report *r, struct fxt_accounts *accounts, enum fxt_report_column sort)
{
	struct fxt_map names = { 0 };
	int err = names_count(&names, accounts, r);

	if (!err)
		err = folded_count(&names, accounts, r);
	if (!err)
		err = rows_fold(r, &names, accounts);
	if (!err)
		err = fxt_report_sort(r, sort);
	fxt_map_uninit(&names, NULL);
	return err;
}
