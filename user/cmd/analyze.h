/* SPDX-License-Identifier: GPL-2.0-only */
/* What the commands that analyze traces have in common: options, and the pass over the input. */
#ifndef FXT_CMD_ANALYZE_H
#define FXT_CMD_ANALYZE_H

#include <argp.h>

#include "analyze/machine/machines.h"
#include "analyze/report.h"
#include "analyze/selection.h"
#include "convert/convert.h"
#include "util/window.h"

struct analyze_options {
	struct fxt_convert_options convert;
	struct fxt_window window;
	struct fxt_selection selection;
	const char *machine;	/* of several, the chosen one's number or host; NULL: all */
	const char *format;	/* "json", "csv"; NULL: text */
	size_t top;		/* rows; 0: all, or the default */
	bool top_given;
	const char *sort;	/* NULL: by default */
	bool sched_only;	/* events that are neither scheduling nor marks don't matter */
	bool inputs_own;	/* the command itself handles that there are no inputs */
	bool again;		/* the input has been read before: what is said of it has been said */
};

/* One analysis: the conversion that gives the records, and what is made of them. */
struct analysis {
	struct fxt_conversion conversion;
	struct fxt_convert_progress progress;
	struct fxt_machines machines;
	struct fxt_origins origins;	/* of these */
	__u32 *firsts;		/* by file: the number of its first machine's input; behind them, of that machine */
	bool several;		/* a file is of several machines */
	struct fxt_host_own own;	/* a record of such a file */
	char *file;		/* the names of all inputs */
};

/*
 * Child parsers.  Each command has the first, of files and how they are read; and of the others those
 * with options that it takes: which threads; which CPUs; JSON and CSV; how many rows; in which order.
 */
extern const struct argp analyze_input_argp, analyze_tasks_argp, analyze_cpus_argp;
extern const struct argp analyze_format_argp, analyze_top_argp, analyze_sort_argp;

#define ANALYZE_CHILD(what)	{ &analyze_##what##_argp, 0, NULL, 0 }

/* At ARGP_KEY_INIT, where all children of a command are of these: they fill the options. */
void analyze_children_init(struct argp_state *state, const struct argp_child *children,
			   struct analyze_options *options);

/*
 * Returns whether a table is cut so that the most important fits a terminal, and how many rows are printed; 0: all.
 * Both are called before standard output becomes the pager's input.
 */
bool analyze_limited(const struct analyze_options *options);
size_t analyze_rows(const struct analyze_options *options);

/*
 * Reads and sorts all inputs, and prepares the machines for the window: observers can be
 * added to each then.  FXT_DONE, or what was reported.  close in both cases.
 */
int analyze_open(struct analysis *analysis, const struct analyze_options *options);

/* The same where only one machine can be shown. */
int analyze_open_one(struct analysis *analysis, const struct analyze_options *options);

/* The next record, as the machine that it is of has it, and that machine: 1; 0: there is none; -errno. */
int analyze_next(struct analysis *analysis, struct fxt_record *r, struct fxt_machines_one **one);

/* Runs all records through the machines.  FXT_DONE, or what was reported. */
int analyze_run(struct analysis *analysis);

/* The same of one machine with what stands before it; its put may return 1: enough. */
struct analyze_ops {
	int (*put)(void *arg, const struct fxt_record *r);
	int (*end)(void *arg);
};
int analyze_run_with(struct analysis *analysis, const struct analyze_ops *ops, void *arg);

/* Reports what failed in the pass or after it; 0: an input is of different machines.  FXT_FAILED. */
int analyze_error(const struct analysis *analysis, int err);

/* close is end and the options'. */
void analyze_end(struct analysis *analysis);
void analyze_close(struct analysis *analysis, struct analyze_options *options);

/*
 * The arguments of --by, which names a grouping before limit, and of --sort, FXT_COLUMNS without it; argp_error() where
 * wrong.
 */
enum fxt_report_by analyze_by(const char *arg, enum fxt_report_by limit, const struct argp_state *state);
enum fxt_report_column analyze_sort(const struct analyze_options *options, const struct argp_state *state);

/*
 * After the pass, where nothing that was chosen is shown: FXT_FAILED where the trace has no such thread, or no such CPU,
 * reported with what may be meant.
 */
int analyze_chosen(const struct analysis *analysis, const struct analyze_options *options, bool shown);

/* Returns the ns of --over; argp_error() where its argument is no duration, or CSV is wanted of the waits. */
__u64 analyze_over(const char *arg, const struct argp_state *state);
void analyze_over_check(const struct analyze_options *options, __u64 over, const struct argp_state *state);

/* Reports a --sort that names no column, by argp_error().  names: of the columns, NULL the last. */
void analyze_column_unknown(const char *sort, const char *const *names, const struct argp_state *state);

/* The same; 0: nothing failed, FXT_DONE. */
int analyze_failed(const struct analysis *analysis, int err);

#endif
