// SPDX-License-Identifier: GPL-2.0-only
/* The numbered files of one recording: trace.fxt becomes trace.0001.fxt and so on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/series.h"

/* The number goes before all suffixes, which are the format's and the compression's. */
static char *name(const struct fxt_series *series, unsigned int number)
{
	const char *slash = strrchr(series->path, '/');
	const char *base = slash ? slash + 1 : series->path;
	const char *dot = *base ? strchr(base + 1, '.') : NULL;
	int stem = dot ? dot - series->path : (int)strlen(series->path);
	char *path;

	if (asprintf(&path, "%.*s.%04u%s", stem, series->path, number, dot ? dot : "") < 0)
		return NULL;
	return path;
}

char *fxt_series_next(struct fxt_series *series)
{
	return name(series, ++series->given);
}

void fxt_series_keep(struct fxt_series *series, unsigned int number)
{
	unsigned int *whole;
	char *path;

	if (!series->keep)
		return;
	whole = realloc(series->whole, (series->count + 1) * sizeof(*whole));
	/* Without memory, a file too many is kept. */
	if (!whole)
		return;
	series->whole = whole;
	whole[series->count++] = number;
	if (series->count <= series->keep)
		return;
	path = name(series, whole[0]);
	if (path)
		unlink(path);
	free(path);
	memmove(whole, whole + 1, --series->count * sizeof(*whole));
}

void fxt_series_uninit(struct fxt_series *series)
{
	free(series->whole);
	series->whole = NULL;
	series->count = 0;
}
