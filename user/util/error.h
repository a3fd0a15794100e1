/* SPDX-License-Identifier: GPL-2.0-only */
/* Causes of a library function's failure, for a command to report. */
#ifndef FXT_UTIL_ERROR_H
#define FXT_UTIL_ERROR_H

#include <stdbool.h>

#include "store/temporary.h"

struct fxt_error {
	char text[512];		/* object and cause, one line */
};

/* Sets the text, and returns the negative of error_number, so that callers may return it. */
int fxt_error_set(struct fxt_error *error, int error_number, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Returns whether temporary files failed, as they were full or could not be written; sets the error then. */
bool fxt_error_spool(struct fxt_error *error, const struct fxt_spool *spool);

#endif
