/* SPDX-License-Identifier: GPL-2.0-only */
/* A report as text, CSV and JSON. */
#ifndef FXT_SHOW_REPORT_H
#define FXT_SHOW_REPORT_H

#include "analyze/loads.h"
#include "analyze/machine/origin.h"
#include "analyze/report.h"
#include "analyze/blame/waits.h"
#include "show/screen.h"
#include "util/json_writer.h"

struct fxt_report_view {
	const struct fxt_origins *origins;
	const struct fxt_report *report;
	const struct fxt_loads *loads;	/* loads of each machine */
	const struct fxt_waits *waits;	/* waits of each machine; NULL: not asked for */
	const struct fxt_selection *selection;
	size_t top;			/* number of rows; 0: all */
	bool limited;			/* text is limited to the most important rows that fit a terminal */
	bool rows_only;			/* JSON of only the rows */
	bool brief;			/* JSON without histograms and wakers */
};

/* Prints the table of CPUs.  0 or -ENOMEM. */
int fxt_report_cpus(const struct fxt_screen *screen, const struct fxt_report_view *view);

/* Returns the column with that head in the table, with or without its unit; FXT_COLUMNS: no such column. */
enum fxt_report_column fxt_report_column_headed(const char *head);

/* Writes a column of a row: its name, and its value; NULL: not known. */
void fxt_column_json(struct fxt_json_writer *w, const struct fxt_report_row *row, enum fxt_report_column column);

int fxt_report_json(FILE *out, const struct fxt_report_view *view);

/* Prints a report to standard output: format is "json", "csv", or NULL for text.  0 or -errno. */
int fxt_report_print(const char *format, const struct fxt_report_view *view);

/*
 * Prints the first lines of every analysis: the file, and for each machine its description, the span, and the losses.
 */
void fxt_origins_text(const struct fxt_screen *screen, const struct fxt_origins *origins);

/* Writes the same as members of an object: file, clock, from_ns, to_ns, lost, machines. */
void fxt_origins_json(struct fxt_json_writer *w, const struct fxt_origins *origins);

/* Writes a key and a text; null for NULL. */
void fxt_json_put_string(struct fxt_json_writer *w, const char *key, const char *text);

/* Writes the members key, machine, tid, pid, comm, process, cgroup and container of a thread. */
void fxt_task_json(struct fxt_json_writer *w, const struct fxt_task *task);

/* Writes the members that describe the waker of a thread: a timer has neither key nor id. */
void fxt_waker_json(struct fxt_json_writer *w, const struct fxt_task *waker, enum fxt_waker_context context);

/* Writes the member histogram: [[the greatest value of a bucket, its count], ...]. */
void fxt_histogram_json(struct fxt_json_writer *w, const struct fxt_histogram *h);

/* Writes a wait as an object. */
void fxt_wait_json(struct fxt_json_writer *w, const struct fxt_wait *wait);

/* Prints the writer's text so far; 0, or -ENOMEM where it is incomplete. */
int fxt_json_print(struct fxt_json_writer *w, FILE *out);

/* Ends the outermost object and its line, and frees the writer.  err: the result so far; returns it, or -ENOMEM. */
int fxt_json_finish(struct fxt_json_writer *w, FILE *out, int err);

/* Returns the title of a thread: "name:tid", or ":tid" without a name; swapper for the idle thread. */
const char *fxt_task_title(char *text, size_t room, const struct fxt_task *task);

/*
 * Returns the same, with the class of a thread that has precedence over all normal threads: " (RT 10)", " (deadline)".
 */
const char *fxt_task_title_class(char *text, size_t room, const struct fxt_task *task);

/*
 * Returns the title of a thread, or of the group of threads with that name, NULL: unknown.  Returns text, or the name.
 */
const char *fxt_group_title(char *text, size_t room, enum fxt_report_by by, const struct fxt_task *task,
			    const char *name);

#endif
