// SPDX-License-Identifier: GPL-2.0-only
/* Reports errors, for all commands. */
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/report.h"
#include "util/utf8.h"

/*
 * Returns a heap string of one line: each byte that a terminal may not get, as in names of files, is written as \x1b.
 * NULL: no memory.
 */
static char *escaped(const char *text)
{
	char *line = malloc(4 * strlen(text) + 1), *at = line;

	while (line && *text) {
		bool shown;
		size_t length = fxt_utf8_shown(text, 4, &shown);

		for (; length; length--, text++)
			at += sprintf(at, shown ? "%c" : "\\x%02x", (unsigned char)*text);
	}
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
