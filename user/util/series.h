/* SPDX-License-Identifier: GPL-2.0-only */
/* The numbered files of one recording: trace.fxt becomes trace.0001.fxt and so on. */
#ifndef FXT_UTIL_SERIES_H
#define FXT_UTIL_SERIES_H

#include <stdbool.h>

struct fxt_series {
	const char *path;	/* what the user asked for */
	unsigned int keep;	/* files that stay; 0: all */
	unsigned int given;	/* names so far */
	unsigned int *whole;	/* numbers of the files to keep, the oldest first */
	unsigned int count;	/* of these */
};

/* What the number goes before: ".fxt", ".json.gz"; "" for a path without a suffix. */
const char *fxt_series_suffixes(const char *path);

/* The path is a folder's: files in it are meant, and not beside it. */
bool fxt_series_is_folder(const struct fxt_series *series);

/*
 * Goes on behind the files that are there already, of an earlier recording.  -errno where no file can be created
 * beside them.
 */
int fxt_series_follow(struct fxt_series *series);

/* The next file's name, to be freed; NULL: no memory. */
char *fxt_series_next(struct fxt_series *series);

/* The file of that number is complete, and the newest. */
void fxt_series_keep(struct fxt_series *series, unsigned int number);

/* The name, to be freed, of the oldest file if it is one too many, and has to be removed; or NULL. */
char *fxt_series_surplus(struct fxt_series *series);

void fxt_series_uninit(struct fxt_series *series);

#endif
