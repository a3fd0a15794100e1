/* SPDX-License-Identifier: GPL-2.0-only */
/* The one reporter of errors, and the exit statuses. */
#ifndef FXT_UTIL_REPORT_H
#define FXT_UTIL_REPORT_H

#include <stdbool.h>

enum fxt_exit {
	FXT_DONE = 0,
	FXT_FAILED = 1,
	FXT_MISUSED = 2,
	FXT_UNMET = 3,		/* it was done, and what was asserted doesn't hold */
};

/* One line, "fxtrec: " before it; returns FXT_FAILED. */
int fxt_report(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether standard error takes a line within so long: a stopped terminal (Ctrl-S) or a full pipe takes none. */
bool fxt_report_ready(int milliseconds);

/* So long a recorder waits for it, before it leaves a line out. */
#define FXT_REPORT_MS	100

#endif
