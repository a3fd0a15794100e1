// SPDX-License-Identifier: GPL-2.0-only
/* Why a library function failed, for a command to report. */
#include <stdarg.h>
#include <stdio.h>

#include "util/error.h"

int fxt_error_set(struct fxt_error *error, int error_number, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return -error_number;
}
