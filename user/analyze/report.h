/* SPDX-License-Identifier: GPL-2.0-only */
/* The accounts of threads, summed by what they have in common, and sorted. */
#ifndef FXT_ANALYZE_REPORT_H
#define FXT_ANALYZE_REPORT_H

#include "analyze/accounts.h"
#include "analyze/selection.h"

/* Identifier, name of --by, the JSON array's name. */
#define FXT_REPORT_BY(ROW)				\
	ROW(THREAD, "thread", "threads")		\
	ROW(PROCESS, "process", "processes")		\
	ROW(COMM, "comm", "comms")			\
	ROW(CGROUP, "cgroup", "cgroups")		\
	ROW(CONTAINER, "container", "containers")	\
	ROW(CPU, "cpu", "cpus")

#define FXT_REPORT_BY_ENUM(id, name, array)	FXT_BY_##id,
enum fxt_report_by {
	FXT_REPORT_BY(FXT_REPORT_BY_ENUM)
	FXT_BYS,
};

/* By number; NULL ends the names. */
extern const char *const fxt_report_by_names[], *const fxt_report_by_arrays[];

/* The figures of a row: identifier, name, what its unit is, its expression by a row r. */
#define FXT_REPORT_COLUMNS(ROW)								\
	ROW(RUN, "run", NS, r->account->ns[FXT_PHASE_RUN])				\
	ROW(WAIT_WAKEUP, "wait_wakeup", NS, r->account->ns[FXT_PHASE_WAIT_WAKEUP])	\
	ROW(WAIT_PREEMPTED, "wait_preempted", NS, r->account->ns[FXT_PHASE_WAIT_PREEMPTED]) \
	ROW(SLEEP, "sleep", NS, r->account->ns[FXT_PHASE_SLEEP])			\
	ROW(BLOCKED, "blocked", NS, r->account->ns[FXT_PHASE_BLOCKED])			\
	ROW(STOPPED, "stopped", NS, r->account->ns[FXT_PHASE_STOPPED])			\
	ROW(UNKNOWN, "unknown", NS, r->account->ns[FXT_PHASE_UNKNOWN])			\
	ROW(SWITCHES, "switches", COUNT, r->account->switches)				\
	ROW(PREEMPTIONS, "preemptions", COUNT, r->account->preemptions)			\
	ROW(WAKEUPS, "wakeups", COUNT, r->account->wakeups)				\
	ROW(MIGRATIONS, "migrations", COUNT, r->account->migrations)			\
	ROW(P50, "p50", NS, r->p50)							\
	ROW(P90, "p90", NS, r->p90)							\
	ROW(P99, "p99", NS, r->p99)							\
	ROW(P999, "p999", NS, r->p999)							\
	ROW(MAX, "max", NS, r->account->latency.max)					\
	ROW(THROTTLED, "throttled", NS, r->account->throttled)

#define FXT_REPORT_COLUMN_ENUM(id, name, unit, value)	FXT_COLUMN_##id,
enum fxt_report_column {
	FXT_REPORT_COLUMNS(FXT_REPORT_COLUMN_ENUM)
	FXT_COLUMNS,
};

enum fxt_unit { FXT_UNIT_NS, FXT_UNIT_COUNT };
extern const char *const fxt_report_column_names[];	/* NULL ends them */
extern const enum fxt_unit fxt_report_column_units[];

struct fxt_report_row {
	struct fxt_account *account;
	const char *name;		/* of what they have in common; NULL: not known */
	__u64 p50, p90, p99, p999;	/* ns of wakeup latency */
	__u64 order, key;		/* descending by the first, then ascending by the thread's key */
};

__u64 fxt_report_value(const struct fxt_report_row *row, enum fxt_report_column column);

/* Returns whether a value means something after so many wakeups: a percentile needs values above it, p99 a hundred in all. */
bool fxt_report_known(enum fxt_report_column column, __u64 latencies);

struct fxt_report {
	struct fxt_spill *spill;
	enum fxt_report_by by;
	struct fxt_report_row *rows;	/* sorted */
	size_t count;
	struct fxt_map groups;		/* of summed accounts */
	struct fxt_account all;		/* of all rows */
};

/*
 * Of the accounts of so many machines, after their end, that a selection holds.  sort: descending by
 * it, or where it is FXT_COLUMNS by run time.  0 or -ENOMEM; uninit in both cases.
 */
int fxt_report_init(struct fxt_report *report, struct fxt_accounts *accounts, __u32 count, enum fxt_report_by by,
		    const struct fxt_selection *selection, enum fxt_report_column sort);
void fxt_report_uninit(struct fxt_report *report);

/* Computes the percentiles of all rows, and sorts these anew.  0 or -ENOMEM. */
int fxt_report_sort(struct fxt_report *report, enum fxt_report_column sort);

/*
 * Makes one row of threads of one machine that have a name in common and behave alike.  A thread keeps its row where its
 * run time or its waits are far above the mean of its name.  accounts, sort: as of init.  0 or -ENOMEM.
 */
int fxt_report_fold(struct fxt_report *report, struct fxt_accounts *accounts, enum fxt_report_column sort);

/* What a task has in common with others of its machine: unique by its address; its name, NULL: not known. */
const void *fxt_report_common(enum fxt_report_by by, struct fxt_tasks *tasks, const struct fxt_task *task,
			      const char **name, int *err);

/* The column of a name, or FXT_COLUMNS; the grouping of a name, or FXT_BYS. */
enum fxt_report_column fxt_report_column_named(const char *name);
enum fxt_report_by fxt_report_by_named(const char *name);

#endif
