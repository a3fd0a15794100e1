// SPDX-License-Identifier: GPL-2.0-only
/* The one reporter of errors. */
#include <ctype.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/report.h"

/* Of one line, whatever the names of files in it have: control characters as \x1b.  The heap's; NULL: no memory. */
static char *escaped(const char *text)
{
	char *line = malloc(4 * strlen(text) + 1), *at = line;

	for (; line && *text; text++)
		at += sprintf(at, iscntrl((unsigned char)*text) ? "\\x%02x" : "%c", (unsigned char)*text);
	if (line)
		*at = '\0';
	return line;
}

int fxt_report(const char *format, ...)
{
	char *text = NULL, *line;
	va_list args;

	fflush(stdout);
	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	line = escaped(text ? text : format);
	fprintf(stderr, "fxtrec: %s\n", line ? line : format);
	free(line);
	free(text);
	return FXT_FAILED;
}

bool fxt_report_ready(int milliseconds)
{
	struct pollfd to = { .fd = STDERR_FILENO, .events = POLLOUT };

	return poll(&to, 1, milliseconds) > 0 && to.revents == POLLOUT;
}
