// SPDX-License-Identifier: GPL-2.0-only
/* The numbered files of one recording: trace.fxt becomes trace.0001.fxt and so on. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/array.h"
#include "util/series.h"

static const char *const marks[FXT_SERIES_KINDS] = { "", ".trigger" };

/* A greater number is not one of a recording's file. */
#define NUMBER_MAX	1000000000ul

/* Returns a path's name without its folder. */
static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Returns the start of the last suffix before end; end if there is no suffix, as in a version or a date (app.1.2). */
static const char *suffix_before(const char *base, const char *end)
{
	const char *dot = memrchr(base, '.', end - base);

	return dot && dot > base && !isdigit((unsigned char)dot[1]) ? dot : end;
}

/* Returns the suffixes that the number goes before: the format's and the compression's. */
static const char *suffixes_of(const char *base)
{
	const char *last = suffix_before(base, base + strlen(base));

	return !strcmp(last, ".gz") || !strcmp(last, ".zst") ? suffix_before(base, last) : last;
}

const char *fxt_series_suffixes(const char *path)
{
	return suffixes_of(base_of(path));
}

static char *name(const struct fxt_series *series, enum fxt_series_kind kind, unsigned int number)
{
	const char *suffixes = fxt_series_suffixes(series->path);
	int stem = suffixes - series->path;
	char *path;

	return asprintf(&path, "%.*s.%04u%s%s", stem, series->path, number, marks[kind], suffixes) < 0 ? NULL : path;
}

/* Returns the number of a regular file of that name if it belongs to the series; else 0. */
static unsigned int number_of(const struct fxt_series *series, int folder, const char *entry, enum fxt_series_kind *kind)
{
	const char *base = base_of(series->path), *suffixes = suffixes_of(base);
	size_t stem = suffixes - base;
	unsigned long number;
	struct stat st;
	char *end;

	if (strncmp(entry, base, stem) || entry[stem] != '.' || !isdigit((unsigned char)entry[stem + 1]))
		return 0;
	number = strtoul(entry + stem + 1, &end, 10);
	*kind = strncmp(end, marks[FXT_SERIES_TRIGGERED], strlen(marks[FXT_SERIES_TRIGGERED])) ? FXT_SERIES_ASKED :
		FXT_SERIES_TRIGGERED;
	if (strcmp(end + strlen(marks[*kind]), suffixes) || number >= NUMBER_MAX ||
	    fstatat(folder, entry, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
		return 0;
	return number;
}

bool fxt_series_is_folder(const struct fxt_series *series)
{
	struct stat st;

	return !*base_of(series->path) || (!stat(series->path, &st) && S_ISDIR(st.st_mode));
}

static int by_number(const void *a, const void *b)
{
	const unsigned int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void folder_read(struct fxt_series *series, DIR *folder)
{
	const struct dirent *entry;
	enum fxt_series_kind kind;

	while ((entry = readdir(folder))) {
		unsigned int number = number_of(series, dirfd(folder), entry->d_name, &kind);

		if (number && series->inherits)
			fxt_series_keep(series, kind, number);
		if (number > series->given)
			series->given = number;
	}
	for (kind = 0; kind < FXT_SERIES_KINDS; kind++)
		if (series->whole[kind].count)
			qsort(series->whole[kind].numbers, series->whole[kind].count, sizeof(*series->whole[kind].numbers),
			      by_number);
}

int fxt_series_follow(struct fxt_series *series)
{
	size_t folder_bytes = base_of(series->path) - series->path;
	char *path = folder_bytes ? strndup(series->path, folder_bytes) : strdup(".");
	int err = !path ? -ENOMEM : faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) ? -errno : 0;
	DIR *folder = path ? opendir(path) : NULL;

	if (!err && fxt_series_is_folder(series))
		err = -EISDIR;
	if (folder) {
		folder_read(series, folder);
		closedir(folder);
	}
	free(path);
	return err;
}

char *fxt_series_next(struct fxt_series *series, enum fxt_series_kind kind)
{
	return name(series, kind, ++series->given);
}

void fxt_series_keep(struct fxt_series *series, enum fxt_series_kind kind, unsigned int number)
{
	struct fxt_series_whole *whole = &series->whole[kind];

	/* Without memory, a file too many is kept. */
	if (series->keep && !fxt_array_more(whole->numbers, whole->count))
		whole->numbers[whole->count++] = number;
}

char *fxt_series_surplus(struct fxt_series *series)
{
	enum fxt_series_kind kind;

	for (kind = 0; series->keep && kind < FXT_SERIES_KINDS; kind++) {
		struct fxt_series_whole *whole = &series->whole[kind];
		unsigned int number;

		if (whole->count <= series->keep)
			continue;
		number = whole->numbers[0];
		memmove(whole->numbers, whole->numbers + 1, --whole->count * sizeof(*whole->numbers));
		return name(series, kind, number);
	}
	return NULL;
}

void fxt_series_uninit(struct fxt_series *series)
{
	enum fxt_series_kind kind;

	for (kind = 0; kind < FXT_SERIES_KINDS; kind++) {
		free(series->whole[kind].numbers);
		series->whole[kind] = (struct fxt_series_whole){};
	}
}
