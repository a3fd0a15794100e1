// SPDX-License-Identifier: GPL-2.0-only
/* The one reporter of errors. */
#include <stdarg.h>
#include <stdio.h>

#include "util/report.h"

int fxt_report(const char *format, ...)
{
	va_list args;

	fflush(stdout);
	fputs("fxtrec: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return FXT_FAILED;
}
