/* SPDX-License-Identifier: GPL-2.0-only */
/* What made each thread wait, as text, as CSV and as JSON. */
#ifndef FXT_SHOW_BLAME_H
#define FXT_SHOW_BLAME_H

#include "analyze/machine/origin.h"
#include "analyze/blame/matrix.h"
#include "analyze/blame/waits.h"
#include "show/screen.h"

struct fxt_blame_view {
	const struct fxt_origins *origins;
	const struct fxt_matrix *matrix;
	const struct fxt_waits *waits;	/* of each machine: the longest, or all beyond a bound */
	size_t top;			/* victims; 0: all */
	bool chosen;		/* not all threads may be victims */
	bool limited;		/* text: so that the most important fits a terminal */
	unsigned int culprits;		/* of each in JSON; 0: all */
	bool rows_only;		/* JSON of the victims alone */
};

void fxt_blame_text(const struct fxt_screen *screen, const struct fxt_blame_view *view);
void fxt_blame_csv(FILE *out, const struct fxt_blame_view *view);
int fxt_blame_json(FILE *out, const struct fxt_blame_view *view);

#endif
