/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums of sleeps by reason, or by lock, as text, CSV and JSON. */
#ifndef FXT_SHOW_REASONS_H
#define FXT_SHOW_REASONS_H

#include <stdio.h>

#include "analyze/machine/origin.h"
#include "analyze/reasons.h"
#include "show/screen.h"

struct fxt_reasons_view {
	const struct fxt_origins *origins;
	const struct fxt_reason_rows *rows;
	enum fxt_report_by by;	/* FXT_BY_REASON or FXT_BY_LOCK */
	const char *format;	/* "json", "csv"; NULL: text */
	size_t top;		/* number of rows; 0: all */
};

/* Prints the sums to standard output.  0 or -errno. */
int fxt_reasons_print(const struct fxt_reasons_view *view);

/* Writes the sums as JSON.  0 or -errno. */
int fxt_reasons_json(FILE *out, const struct fxt_reasons_view *view);

#endif
