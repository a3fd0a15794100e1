/* SPDX-License-Identifier: GPL-2.0-only */
/* Reports errors, for all commands, and defines the exit statuses. */
#ifndef FXT_UTIL_REPORT_H
#define FXT_UTIL_REPORT_H

#include <stdbool.h>

enum fxt_exit {
	FXT_DONE = 0,
	FXT_FAILED = 1,
	FXT_MISUSED = 2,
	FXT_UNMET = 3,		/* the command succeeded, but an assertion failed */
};

/* Prints one line after "fxtrec: "; returns FXT_FAILED. */
int fxt_report(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns whether standard error accepts a line within a time: a stopped terminal (Ctrl-S) or a full pipe doesn't. */
bool fxt_report_ready(int milliseconds);

/* How long a recorder waits for standard error before it drops a line. */
#define FXT_REPORT_MS	100

#endif
