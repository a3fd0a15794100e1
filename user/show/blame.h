/* SPDX-License-Identifier: GPL-2.0-only */
/* Causes of each thread's waits, as text, CSV and JSON. */
#ifndef FXT_SHOW_BLAME_H
#define FXT_SHOW_BLAME_H

#include "analyze/machine/origin.h"
#include "analyze/blame/matrix.h"
#include "analyze/blame/waits.h"
#include "show/screen.h"

struct fxt_blame_view {
	const struct fxt_origins *origins;
	const struct fxt_matrix *matrix;
	const struct fxt_waits *waits;	/* waits of each machine: the longest, or all beyond a bound */
	size_t top;			/* number of victims; 0: all */
	bool chosen;		/* only some threads may be victims */
	bool limited;		/* text is limited to the most important rows that fit a terminal */
	unsigned int culprits;		/* culprits of each victim in JSON; 0: all */
	bool sleeps;		/* waits are not only for CPUs */
	bool rows_only;		/* JSON of only the victims */
};

void fxt_blame_text(const struct fxt_screen *screen, const struct fxt_blame_view *view);
void fxt_blame_csv(FILE *out, const struct fxt_blame_view *view);
int fxt_blame_json(FILE *out, const struct fxt_blame_view *view);

#endif
