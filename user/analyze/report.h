/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums the accounts of threads by a common property, and sorts the sums. */
#ifndef FXT_ANALYZE_REPORT_H
#define FXT_ANALYZE_REPORT_H

#include "analyze/accounts.h"
#include "analyze/columns.h"
#include "analyze/selection.h"

/* Groupings: identifier, name for --by, name of the JSON array. */
#define FXT_REPORT_BY(ROW)				\
	ROW(THREAD, "thread", "threads")		\
	ROW(PROCESS, "process", "processes")		\
	ROW(COMM, "comm", "comms")			\
	ROW(CGROUP, "cgroup", "cgroups")		\
	ROW(CONTAINER, "container", "containers")	\
	ROW(CPU, "cpu", "cpus")				\
	ROW(REASON, "reason", "reasons")		\
	ROW(LOCK, "lock", "locks")

#define FXT_REPORT_BY_ENUM(id, name, array)	FXT_BY_##id,
enum fxt_report_by {
	FXT_REPORT_BY(FXT_REPORT_BY_ENUM)
	FXT_BYS,
};

/* Names by number; the first array ends with NULL. */
extern const char *const fxt_report_by_names[], *const fxt_report_by_arrays[];

struct fxt_report_row {
	struct fxt_account *account;
	const char *name;		/* name of the group; NULL: not known */
	__u64 p50, p90, p99, p999;	/* ns of wakeup latency */
	__u64 order, key;		/* sort keys: descending by order, then ascending by the thread's key */
};

__u64 fxt_report_value(const struct fxt_report_row *row, enum fxt_report_column column);

struct fxt_report {
	struct fxt_spill *spill;
	enum fxt_report_by by;
	struct fxt_report_row *rows;	/* sorted */
	size_t count;
	struct fxt_map groups;		/* accounts of groups */
	struct fxt_account all;		/* account of all rows */
};

/*
 * Sums the accounts of count machines, after their end, as far as a selection holds them.  sort: sorts descending
 * by the column; FXT_COLUMNS: by run time.  Returns 0 or -ENOMEM; the caller calls uninit in both cases.
 */
int fxt_report_init(struct fxt_report *report, struct fxt_accounts *accounts, __u32 count, enum fxt_report_by by,
		    const struct fxt_selection *selection, enum fxt_report_column sort);
void fxt_report_uninit(struct fxt_report *report);

/* Computes the percentiles of all rows, and sorts the rows again.  Returns 0 or -ENOMEM. */
int fxt_report_sort(struct fxt_report *report, enum fxt_report_column sort);

/*
 * Folds threads of one machine with the same name and similar behaviour into one row.  A thread keeps its row if its
 * run time or its waits are far above the mean of its name.  accounts, sort: as for init.  Returns 0 or -ENOMEM.
 */
int fxt_report_fold(struct fxt_report *report, struct fxt_accounts *accounts, enum fxt_report_column sort);

/* Returns the group of a task on its machine, unique by its address; sets its name, or NULL: not known. */
const void *fxt_report_common(enum fxt_report_by by, struct fxt_tasks *tasks, const struct fxt_task *task,
			      const char **name, int *err);

/* Returns the grouping of a name, or FXT_BYS. */
enum fxt_report_by fxt_report_by_named(const char *name);

#endif
