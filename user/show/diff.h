/* SPDX-License-Identifier: GPL-2.0-only */
/* Changes between two recordings, as text, CSV and JSON. */
#ifndef FXT_SHOW_DIFF_H
#define FXT_SHOW_DIFF_H

#include "analyze/diff.h"
#include "analyze/machine/origin.h"
#include "show/screen.h"

struct fxt_diff_view {
	const struct fxt_diff *diff;
	const struct fxt_origins *a, *b;
	size_t top;		/* number of rows; 0: all */
};

void fxt_diff_text(const struct fxt_screen *screen, const struct fxt_diff_view *view);
void fxt_diff_csv(FILE *out, const struct fxt_diff_view *view);

/* Prints the differences.  0 or -ENOMEM. */
int fxt_diff_json(FILE *out, const struct fxt_diff_view *view);

#endif
