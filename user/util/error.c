// SPDX-License-Identifier: GPL-2.0-only
/* Causes of a library function's failure, for a command to report. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/error.h"
#include "util/quantity.h"

int fxt_error_set(struct fxt_error *error, int error_number, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return -error_number;
}

bool fxt_error_spool(struct fxt_error *error, const struct fxt_spool *spool)
{
	char room[32];

	if (spool->over)
		fxt_error_set(error, EFBIG, "more than %s of temporary files are needed: --spool-limit=SIZE allows more",
			      fxt_quantity_show(room, sizeof(room), spool->max));
	else if (spool->err)
		fxt_error_set(error, -spool->err, "a temporary file in %s: %s; TMPDIR=FOLDER has them elsewhere",
			      fxt_temporary_folder(), strerror(-spool->err));
	return spool->over || spool->err;
}
