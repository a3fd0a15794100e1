/* SPDX-License-Identifier: GPL-2.0-only */
/* A report as text, as CSV and as JSON. */
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
	const struct fxt_loads *loads;	/* of each machine */
	const struct fxt_waits *waits;	/* likewise; NULL: not asked for */
	const struct fxt_selection *selection;
	size_t top;			/* rows; 0: all */
	bool limited;			/* text: so that the most important fits a terminal */
	bool rows_only;			/* JSON of the rows alone */
	bool brief;			/* JSON without histograms and wakers */
};

/* The table of CPUs.  0 or -ENOMEM. */
int fxt_report_cpus(const struct fxt_screen *screen, const struct fxt_report_view *view);

/* The column with that head in the table, with or without its unit; FXT_COLUMNS: there is none. */
enum fxt_report_column fxt_report_column_headed(const char *head);

int fxt_report_json(FILE *out, const struct fxt_report_view *view);

/* To standard output: format is "json", "csv", or NULL for text.  0 or -errno. */
int fxt_report_print(const char *format, const struct fxt_report_view *view);

/* What every analysis says first: the file, and of each machine what it is, the span, and what was lost. */
void fxt_origins_text(const struct fxt_screen *screen, const struct fxt_origins *origins);

/* The same in an object: file, clock, from_ns, to_ns, lost, machines. */
void fxt_origins_json(struct fxt_json_writer *w, const struct fxt_origins *origins);

/* A key and a text; null where there is none. */
void fxt_json_put_string(struct fxt_json_writer *w, const char *key, const char *text);

/* The members key, machine, tid, pid, comm, process, cgroup and container of a thread. */
void fxt_task_json(struct fxt_json_writer *w, const struct fxt_task *task);

/* Members that say what woke a thread: a timer has neither key nor id. */
void fxt_waker_json(struct fxt_json_writer *w, const struct fxt_task *waker, enum fxt_waker_context context);

/* The member histogram: [[the greatest value of a bucket, its count], ...]. */
void fxt_histogram_json(struct fxt_json_writer *w, const struct fxt_histogram *h);

/* A wait, as an object. */
void fxt_wait_json(struct fxt_json_writer *w, const struct fxt_wait *wait);

/* Writes what a writer holds so far; 0, or -ENOMEM where it isn't whole. */
int fxt_json_print(struct fxt_json_writer *w, FILE *out);

/* Ends the outermost object and its line, and frees the writer.  err: of the object so far; returns it, or -ENOMEM. */
int fxt_json_finish(struct fxt_json_writer *w, FILE *out, int err);

/* "name:tid", or ":tid" without a name; swapper for the idle thread.  Returns text. */
const char *fxt_task_title(char *text, size_t room, const struct fxt_task *task);

/* The same, with the class of a thread that precedes all normal ones: " (RT 10)", " (deadline)". */
const char *fxt_task_title_class(char *text, size_t room, const struct fxt_task *task);

/* Of a thread, or of all that have that name in common, NULL: unknown.  Returns text, or the name. */
const char *fxt_group_title(char *text, size_t room, enum fxt_report_by by, const struct fxt_task *task,
			    const char *name);

#endif
