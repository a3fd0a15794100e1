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
	struct fxt_path *paths;	/* paths of each machine */
	enum fxt_report_by by;	/* grouping of the sums */
	const char *format;	/* "json", "csv"; NULL: text */
	size_t top;		/* rows of the sums; 0: all */
	/* number of the longest segments of the longest window in the text; 0: all segments, by time */
	size_t segments;
	__u64 open;		/* number of durations without an end, which have no window */
};

/* Walks all windows, and prints them and their sum.  0 or -errno. */
int fxt_path_print(const struct fxt_screen *screen, const struct fxt_path_view *view);

#endif
