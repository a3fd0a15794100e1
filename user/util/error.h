/* SPDX-License-Identifier: GPL-2.0-only */
/* Why a library function failed, for a command to report. */
#ifndef FXT_UTIL_ERROR_H
#define FXT_UTIL_ERROR_H

#include <stdbool.h>

#include "store/temporary.h"

struct fxt_error {
	char text[512];		/* object and cause, one line */
};

/* Returns error_number's negative, so that callers may return it. */
int fxt_error_set(struct fxt_error *error, int error_number, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Whether temporary files are why: they could take no more, or not be written. */
bool fxt_error_spool(struct fxt_error *error, const struct fxt_spool *spool);

#endif
