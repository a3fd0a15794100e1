/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The numbered files of one recording: trace.fxt becomes trace.0001.fxt and so on; a file that a trigger asked for
 * becomes trace.0002.trigger.fxt.
 */
#ifndef FXT_UTIL_SERIES_H
#define FXT_UTIL_SERIES_H

#include <stdbool.h>

/*
 * Each kind has its own number of files that stay: a trigger, which any program can cause, removes no file that a
 * person asked for.
 */
enum fxt_series_kind { FXT_SERIES_ASKED, FXT_SERIES_TRIGGERED, FXT_SERIES_KINDS };

struct fxt_series {
	const char *path;	/* path that the user chose */
	unsigned int keep;	/* number of files of each kind that stay; 0: all */
	bool inherits;		/* files of an earlier recording count for keep */
	unsigned int given;	/* the last number that was used */
	struct fxt_series_whole {
		unsigned int *numbers;	/* numbers of complete files, the oldest first; only with keep */
		unsigned int count;
	} whole[FXT_SERIES_KINDS];
};

/* Returns the suffixes that the number goes before: ".fxt", ".json.gz"; "" for a path without a suffix. */
const char *fxt_series_suffixes(const char *path);

/* Returns whether the path is a folder's: the files are then in it, not beside it. */
bool fxt_series_is_folder(const struct fxt_series *series);

/* Continues after the existing files of an earlier recording.  -errno where no file can be created beside them. */
int fxt_series_follow(struct fxt_series *series);

/* Returns the next file's name, to be freed; NULL: no memory. */
char *fxt_series_next(struct fxt_series *series, enum fxt_series_kind kind);

/* Counts the complete file of that number as the newest of its kind. */
void fxt_series_keep(struct fxt_series *series, enum fxt_series_kind kind, unsigned int number);

/* Returns the name, to be freed, of the oldest file if it is surplus and has to be removed; or NULL. */
char *fxt_series_surplus(struct fxt_series *series);

void fxt_series_uninit(struct fxt_series *series);

#endif
