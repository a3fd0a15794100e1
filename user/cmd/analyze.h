/* SPDX-License-Identifier: GPL-2.0-only */
/* Common parts of the commands that analyze traces: options, and the pass of the input. */
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
	const char *machine;	/* number or host of the chosen machine; NULL: all machines */
	const char *format;	/* "json", "csv"; NULL: text */
	size_t top;		/* number of rows; 0: all, or the default */
	bool top_given;
	const char *sort;	/* NULL: the default */
	bool sched_only;	/* only scheduling events and marks matter */
	bool inputs_own;	/* the command itself handles missing inputs */
	bool again;		/* the input has been read before, and its reports were printed */
};

/* An analysis: the conversion that supplies the records, and the results. */
struct analysis {
	struct fxt_conversion conversion;
	struct fxt_machines machines;
	struct fxt_origins origins;	/* origins of the machines */
	/* by file: number of the input of its first machine; after all files, by file again: the machine of that input */
	__u32 *firsts;
	bool several;		/* a file has several machines */
	struct fxt_host_own own;	/* a record of such a file */
	char *file;		/* the names of all inputs */
};

/*
 * Child parsers.  Each command has the first one, for files and how to read them, and the others where it has their options: threads; CPUs; JSON and CSV; the number of rows; their order.
 */
extern const struct argp analyze_input_argp, analyze_tasks_argp, analyze_cpus_argp;
extern const struct argp analyze_format_argp, analyze_top_argp, analyze_sort_argp;

#define ANALYZE_CHILD(what)	{ &analyze_##what##_argp, 0, NULL, 0 }

/*
 * Sets the inputs of a command's children at ARGP_KEY_INIT, if all of them are from this list: they fill the options.
 */
void analyze_children_init(struct argp_state *state, const struct argp_child *children,
			   struct analyze_options *options);

/*
 * Return whether a table is cut so that the most important rows fit a terminal, and how many rows are printed; 0: all.
 * Both are called before standard output becomes the pager's input.
 */
bool analyze_limited(const struct analyze_options *options);
size_t analyze_rows(const struct analyze_options *options);

/*
 * Reads and sorts all inputs, and prepares the machines for the window: observers can be added to each machine then.
 * FXT_DONE, or the result of a reported error.  analyze_close() has to follow in both cases.
 */
int analyze_open(struct analysis *analysis, const struct analyze_options *options);

/* Does the same for a command that can show only one machine. */
int analyze_open_one(struct analysis *analysis, const struct analyze_options *options);

/* Reads the next record, as its machine has it, and sets that machine.  1; 0: no more records; -errno. */
int analyze_next(struct analysis *analysis, struct fxt_record *r, struct fxt_machines_one **one);

/* Runs all records through the machines.  FXT_DONE, or the result of a reported error. */
int analyze_run(struct analysis *analysis);

/* Runs the records of one machine through operations before it; put() may return 1 to end the run. */
struct analyze_ops {
	int (*put)(void *arg, const struct fxt_record *r);
	int (*end)(void *arg);
};
int analyze_run_with(struct analysis *analysis, const struct analyze_ops *ops, void *arg);

/* Reports an error of the pass or of a later step; 0: an input has different machines.  Returns FXT_FAILED. */
int analyze_error(const struct analysis *analysis, int err);

/*
 * A command that analyzes one trace: parses its arguments, opens the trace, and runs the rest of the command.  options:
 * the first member of the command's own options, which argp and run() receive.  Returns the exit status.
 */
int analyze_main(int argc, char **argv, const struct argp *argp, struct analyze_options *options,
		 int (*run)(void *options, struct analysis *analysis));

/* Ends an analysis; analyze_close() also frees the options. */
void analyze_end(struct analysis *analysis);
void analyze_close(struct analysis *analysis, struct analyze_options *options);

/*
 * Parses the arguments of --by, which names a grouping before limit, and of --sort, FXT_COLUMNS without it; calls
 * argp_error() for a wrong one.
 */
enum fxt_report_by analyze_by(const char *arg, enum fxt_report_by limit, const struct argp_state *state);
enum fxt_report_column analyze_sort(const struct analyze_options *options, const struct argp_state *state);

/*
 * Checks the choice of threads and CPUs after the pass if no chosen one is shown: returns FXT_FAILED where the trace
 * has no such thread, or no such CPU, reported with a suggestion.
 */
int analyze_chosen(const struct analysis *analysis, const struct analyze_options *options, bool shown);

/*
 * Returns the ns of --over; calls argp_error() where its argument is not a duration, or CSV of the waits is asked for.
 */
__u64 analyze_over(const char *arg, const struct argp_state *state);
void analyze_over_check(const struct analyze_options *options, __u64 over, const struct argp_state *state);

/* Reports a --sort that names no column, by argp_error().  names: the columns, ended by NULL. */
void analyze_column_unknown(const char *sort, const char *const *names, const struct argp_state *state);

/* Does the same as analyze_error(), but returns FXT_DONE for 0. */
int analyze_failed(const struct analysis *analysis, int err);

#endif
