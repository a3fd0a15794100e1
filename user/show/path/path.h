/* SPDX-License-Identifier: GPL-2.0-only */
/* Critical paths as text, as CSV and as JSON. */
#ifndef FXT_SHOW_PATH_H
#define FXT_SHOW_PATH_H

#include "analyze/machine/origin.h"
#include "analyze/path/path.h"
#include "analyze/report.h"
#include "show/screen.h"

struct fxt_path_view {
	const struct fxt_origins *origins;
	struct fxt_path *paths;	/* of each machine */
	enum fxt_report_by by;	/* of the sums */
	const char *format;	/* "json", "csv"; NULL: text */
	size_t top;		/* rows of the sum; 0: all */
	size_t segments;	/* of the longest window in the text: so many of the longest; 0: all by time */
	__u64 open;		/* durations without an end, which have no window */
};

/* Walks all windows, and prints them and their sum.  0 or -errno. */
int fxt_path_print(const struct fxt_screen *screen, const struct fxt_path_view *view);

#endif
