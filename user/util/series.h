/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The numbered files of one recording: trace.fxt becomes trace.0001.fxt and so on, a file that a trigger asked for
 * trace.0002.trigger.fxt.
 */
#ifndef FXT_UTIL_SERIES_H
#define FXT_UTIL_SERIES_H

#include <stdbool.h>

/* Each kind has files of its own that stay: what a program of anybody can trigger removes none that a person asked for. */
enum fxt_series_kind { FXT_SERIES_ASKED, FXT_SERIES_TRIGGERED, FXT_SERIES_KINDS };

struct fxt_series {
	const char *path;	/* the user's choice */
	unsigned int keep;	/* files of each kind that stay; 0: all */
	bool inherits;		/* files of an earlier recording count among those that stay */
	unsigned int given;	/* the last number that was given */
	struct fxt_series_whole {
		unsigned int *numbers;	/* of complete files, the oldest first; only with keep */
		unsigned int count;
	} whole[FXT_SERIES_KINDS];
};

/* What the number goes before: ".fxt", ".json.gz"; "" for a path without a suffix. */
const char *fxt_series_suffixes(const char *path);

/* The path is a folder's: files in it are meant, and not beside it. */
bool fxt_series_is_folder(const struct fxt_series *series);

/*
 * Goes on after the files that are there already, of an earlier recording.  -errno where no file can be created
 * beside them.
 */
int fxt_series_follow(struct fxt_series *series);

/* The next file's name, to be freed; NULL: no memory. */
char *fxt_series_next(struct fxt_series *series, enum fxt_series_kind kind);

/* Counts the file of that number, which is complete, and the newest of its kind. */
void fxt_series_keep(struct fxt_series *series, enum fxt_series_kind kind, unsigned int number);

/* The name, to be freed, of the oldest file if it is one too many, and has to be removed; or NULL. */
char *fxt_series_surplus(struct fxt_series *series);

void fxt_series_uninit(struct fxt_series *series);

#endif
