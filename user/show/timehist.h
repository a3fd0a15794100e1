/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of context switches, in the format of perf sched timehist. */
#ifndef FXT_SHOW_TIMEHIST_H
#define FXT_SHOW_TIMEHIST_H

#include "analyze/selection.h"
#include "analyze/timehist.h"
#include "show/screen.h"
#include "util/json_writer.h"

enum fxt_timehist_format { FXT_TIMEHIST_TEXT, FXT_TIMEHIST_CSV, FXT_TIMEHIST_JSON };

struct fxt_timehist_view {
	bool several;		/* there are several machines */
	const struct fxt_selection *selection;
	enum fxt_timehist_format format;
	FILE *out;
	bool idle;		/* print rows of idle threads, too */
	__u64 left;		/* number of rows that may still be printed */
	bool any;		/* a row was printed */
	struct fxt_json_writer json;
	struct fxt_buffer rows;	/* rows of text that are not printed yet */
};

/* Prints the lines above the rows. */
void fxt_timehist_head(const struct fxt_screen *screen, struct fxt_timehist_view *view, const char *file);

/* Prints a row; 0, or -ENOMEM. */
int fxt_timehist_put(void *view, const struct fxt_timehist_row *row);

/* Adds a row of text to the rows that aren't printed yet; 0, or -ENOMEM. */
int fxt_timehist_text_row(struct fxt_timehist_view *view, const struct fxt_timehist_row *row);

/* Prints the rows so far. */
void fxt_timehist_flush(struct fxt_timehist_view *view);

/* Prints the lines below the rows; 0, or -ENOMEM. */
int fxt_timehist_foot(struct fxt_timehist_view *view);

#endif
