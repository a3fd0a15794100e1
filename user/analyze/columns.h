/* SPDX-License-Identifier: GPL-2.0-only */
/* The columns of a report: one table for its text, CSV and JSON, the screen of top, metrics and assertions. */
#ifndef FXT_ANALYZE_COLUMNS_H
#define FXT_ANALYZE_COLUMNS_H

#include <stdbool.h>

/* Sums of times, counts, and statistics of the latencies after wakeups. */
enum fxt_column_kind { FXT_KIND_TIME, FXT_KIND_COUNT, FXT_KIND_LATENCY };

/* Neighbours with a common head in the text, in the order of the text. */
enum fxt_column_group {
	FXT_GROUP_RUN, FXT_GROUP_WAIT, FXT_GROUP_OFF, FXT_GROUP_UNKNOWN, FXT_GROUP_COUNT, FXT_GROUP_LATE, FXT_GROUPS
};

struct fxt_column {
	const char *name;		/* of --sort, CSV and assertions; JSON and CSV add "_ns" to times */
	enum fxt_column_kind kind;
	enum fxt_column_group group;
	const char *title;		/* head in the text and on the screen, with the unit */
	unsigned int width, rank;	/* in the text; columns of rank 0 are in the narrowest table, too */
	unsigned int top, top_width;	/* on the screen: position, from 1, and width; 0: not on it */
	unsigned int least;		/* smallest number of latencies that gives a meaningful value */
	bool needs_wakeups;		/* unknown in a trace without wakeups */
	bool needs_reasons;		/* a class of waits: no column of a recording without reasons */
	bool no_reasons;		/* on the screen and in the text, classes of waits replace the column */
	bool if_any;			/* in the text only if a row has a value */
	const char *metric, *label;	/* name of a metric, and the label that distinguishes metrics of one name */
	const char *help;		/* text of the metric; NULL: the metric before has it */
};

/*
 * Rows in the order of CSV, the order that versions added them: identifier, name, kind, group, value of a row r, and further
 * members.  A percentile needs values above it: p99 needs a hundred in all.
 */
#define FXT_REPORT_COLUMNS(ROW)								\
	ROW(RUN, "run", TIME, RUN, r->account->ns[FXT_PHASE_RUN],			\
	    .title = "run ms", .width = 11, .rank = 0, .top = 1, .top_width = 9,	\
	    .metric = "fxtrec_run_seconds_total", .help = "Time on CPUs.")		\
	ROW(WAIT_WAKEUP, "wait_wakeup", TIME, WAIT, r->account->ns[FXT_PHASE_WAIT_WAKEUP], \
	    .title = "woken ms", .width = 10, .rank = 0, .top = 2, .top_width = 9, .needs_wakeups = true, \
	    .metric = "fxtrec_wait_seconds_total", .label = "after=\"wakeup\"",		\
	    .help = "Time that threads could run, and waited for a CPU.")		\
	ROW(WAIT_PREEMPTED, "wait_preempted", TIME, WAIT, r->account->ns[FXT_PHASE_WAIT_PREEMPTED], \
	    .title = "preempt ms", .width = 11, .rank = 0, .top = 3, .top_width = 11,	\
	    .metric = "fxtrec_wait_seconds_total", .label = "after=\"preemption\"")	\
	ROW(SLEEP, "sleep", TIME, OFF, r->account->ns[FXT_PHASE_SLEEP],			\
	    .title = "sleep ms", .width = 11, .rank = 3, .top = 11, .top_width = 10, .needs_wakeups = true, \
	    .no_reasons = true)								\
	ROW(BLOCKED, "blocked", TIME, OFF, r->account->ns[FXT_PHASE_BLOCKED],		\
	    .title = "block ms", .width = 10, .rank = 2, .top = 10, .top_width = 9, .needs_wakeups = true, \
	    .no_reasons = true,								\
	    .metric = "fxtrec_blocked_seconds_total", .help = "Time in uninterruptible sleep.") \
	ROW(STOPPED, "stopped", TIME, OFF, r->account->ns[FXT_PHASE_STOPPED],		\
	    .title = "stop ms", .width = 10, .rank = 2, .needs_wakeups = true, .if_any = true, \
	    .metric = "fxtrec_off_cpu_seconds_total", .label = "class=\"stopped\"",	\
	    .help = "Time that threads were off the CPU, by the class of the wait.")	\
	ROW(UNKNOWN, "unknown", TIME, UNKNOWN, r->account->ns[FXT_PHASE_UNKNOWN],	\
	    .title = "unknown ms", .width = 11, .rank = 4, .top = 12, .top_width = 11,	\
	    .metric = "fxtrec_unknown_seconds_total", .help = "Time of which nothing is known.") \
	ROW(SWITCHES, "switches", COUNT, COUNT, r->account->switches,			\
	    .title = "switches", .width = 9, .rank = 2, .top = 5, .top_width = 9,	\
	    .metric = "fxtrec_switches_total", .help = "Times that threads left a CPU.") \
	ROW(PREEMPTIONS, "preemptions", COUNT, COUNT, r->account->preemptions,		\
	    .title = "preempted", .width = 10, .rank = 3, .top = 13, .top_width = 10,	\
	    .metric = "fxtrec_preemptions_total", .help = "Of these, while they could run.") \
	ROW(WAKEUPS, "wakeups", COUNT, COUNT, r->account->wakeups,			\
	    .title = "wakeups", .width = 9, .rank = 4, .top = 8, .top_width = 8, .needs_wakeups = true, \
	    .metric = "fxtrec_wakeups_total", .help = "Wakeups of threads.")		\
	ROW(MIGRATIONS, "migrations", COUNT, COUNT, r->account->migrations,		\
	    .title = "moves", .width = 7, .rank = 4, .top = 9, .top_width = 6,		\
	    .metric = "fxtrec_migrations_total", .help = "Moves to another CPU.")	\
	ROW(P50, "p50", LATENCY, LATE, r->p50,						\
	    .title = "p50 us", .width = 9, .rank = 3, .top = 14, .top_width = 9, .least = 2) \
	ROW(P90, "p90", LATENCY, LATE, r->p90,						\
	    .title = "p90 us", .width = 9, .rank = 5, .top = 15, .top_width = 9, .least = 10) \
	ROW(P99, "p99", LATENCY, LATE, r->p99,						\
	    .title = "p99 us", .width = 10, .rank = 1, .top = 6, .top_width = 9, .least = 100) \
	ROW(P999, "p999", LATENCY, LATE, r->p999,					\
	    .title = "p99.9 us", .width = 10, .rank = 5, .top = 16, .top_width = 9, .least = 1000) \
	ROW(MAX, "max", LATENCY, LATE, r->account->latency.max,				\
	    .title = "max us", .width = 11, .rank = 0, .top = 7, .top_width = 9, .least = 1) \
	ROW(THROTTLED, "throttled", TIME, WAIT, r->account->throttled,			\
	    .title = "throttle ms", .width = 12, .rank = 1, .top = 4, .top_width = 12, .if_any = true, \
	    .metric = "fxtrec_throttled_seconds_total",					\
	    .help = "Of these waits, time that the limit of a control group kept threads from running.") \
	FXT_REPORT_CLASSES(FXT_REPORT_CLASS, ROW)

/*
 * The columns of classes of waits: identifier, name, rank, position on the screen.  Time that threads are stopped has an
 * older column; class UNKNOWN is OTHER here, since the state of threads is known.
 */
#define FXT_WAIT_OTHER	FXT_WAIT_UNKNOWN
#define FXT_REPORT_CLASSES(CLASS, ROW)		\
	CLASS(ROW, IDLE, "idle", 3, 24)		\
	CLASS(ROW, LOCK, "lock", 1, 17)		\
	CLASS(ROW, DISK, "disk", 1, 18)		\
	CLASS(ROW, NETWORK, "network", 2, 19)	\
	CLASS(ROW, PIPE, "pipe", 2, 20)		\
	CLASS(ROW, MEMORY, "memory", 2, 21)	\
	CLASS(ROW, CHILD, "child", 3, 22)	\
	CLASS(ROW, KERNEL, "kernel", 3, 23)	\
	CLASS(ROW, OTHER, "other", 3, 25)

#define FXT_REPORT_CLASS(ROW, id, text, of_rank, position)				\
	ROW(id, text, TIME, OFF, r->account->off[FXT_WAIT_##id], .title = text " ms", .width = 11, .rank = of_rank, \
	    .top = position, .top_width = 11, .needs_wakeups = true, .needs_reasons = true, .if_any = true, \
	    .metric = "fxtrec_off_cpu_seconds_total", .label = "class=\"" text "\"")

#define FXT_REPORT_COLUMN_ENUM(id, ...)	FXT_COLUMN_##id,
enum fxt_report_column {
	FXT_REPORT_COLUMNS(FXT_REPORT_COLUMN_ENUM)
	FXT_COLUMNS,
};

extern const struct fxt_column fxt_columns[];
extern const char *const fxt_report_column_names[];	/* ended by NULL */

/* Fills an array of FXT_COLUMNS with the columns in the order of the text: group by group. */
void fxt_columns_by_group(enum fxt_report_column columns[]);

/* Returns the nanoseconds of the unit in a column's title; 0: a count. */
static inline double fxt_column_scale(enum fxt_report_column column)
{
	static const double scales[] = { [FXT_KIND_TIME] = 1e6, [FXT_KIND_COUNT] = 0, [FXT_KIND_LATENCY] = 1e3 };

	return scales[fxt_columns[column].kind];
}

/* Returns the end of a column's name in JSON and CSV. */
static inline const char *fxt_column_suffix(enum fxt_report_column column)
{
	return fxt_columns[column].kind == FXT_KIND_COUNT ? "" : "_ns";
}

/* Returns whether the text and the screen may have a column, for a recording with or without reasons of sleeps. */
static inline bool fxt_column_shown(enum fxt_report_column column, bool reasons)
{
	return reasons ? !fxt_columns[column].no_reasons : !fxt_columns[column].needs_reasons;
}

/* Returns whether a value is meaningful after that many wakeups. */
static inline bool fxt_report_known(enum fxt_report_column column, unsigned long long latencies)
{
	return latencies >= fxt_columns[column].least;
}

/* Returns the column of a name, or FXT_COLUMNS. */
enum fxt_report_column fxt_report_column_named(const char *name);

#endif
