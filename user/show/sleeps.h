/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums of sleeps as text, CSV and JSON. */
#ifndef FXT_SHOW_SLEEPS_H
#define FXT_SHOW_SLEEPS_H

#include "analyze/machine/origin.h"
#include "analyze/sleeps.h"
#include "show/screen.h"

struct fxt_sleeps_view {
	const struct fxt_origins *origins;
	const struct fxt_sleep_rows *rows;
	const struct fxt_selection *selection;
	const char *format;	/* "json", "csv"; NULL: text */
	size_t top;		/* number of rows; 0: all */
};

/* Prints the sums to standard output.  0 or -errno. */
int fxt_sleeps_print(const struct fxt_sleeps_view *view);

#endif
