/* SPDX-License-Identifier: GPL-2.0-only */
/* Prints an explanation: as text, markdown or JSON. */
#ifndef FXT_SHOW_EXPLAIN_H
#define FXT_SHOW_EXPLAIN_H

#include "analyze/explain/explain.h"
#include "show/report.h"
#include "show/screen.h"

struct fxt_explain_view {
	const struct fxt_origins *origins;
	const struct fxt_explain *explain;
	char *const *files;		/* inputs, for the commands */
	int file_count;
};

void fxt_explain_text(const struct fxt_screen *screen, const struct fxt_explain_view *view);
void fxt_explain_markdown(FILE *out, const struct fxt_explain_view *view);

/* Returns 0 or -ENOMEM. */
int fxt_explain_json(FILE *out, const struct fxt_explain_view *view);

/* Returns a heap text: the finding as a sentence without its subject and period; NULL without memory (sentences.c). */
char *fxt_explain_sentence(const struct fxt_explain *e, const struct fxt_found *found);

/* Returns a heap text: the answer in a sentence or two; NULL without memory (words.c). */
char *fxt_explain_summary(const struct fxt_explain *e);

/* Returns a heap text: the command that shows a finding; NULL without memory. */
char *fxt_explain_command(const struct fxt_explain_view *view, const struct fxt_found *found);

/* Writes the times of a unit as the argument of --time, in seconds from the trace's start.  Returns text. */
#define FXT_EXPLAIN_TIME_BYTES	64u
const char *fxt_explain_time(char text[FXT_EXPLAIN_TIME_BYTES], const struct fxt_explain *e,
			     const struct fxt_cause_moment *moment);

#endif
