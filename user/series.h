/* SPDX-License-Identifier: GPL-2.0-only */
/* The numbered files of one recording: trace.fxt becomes trace.0001.fxt and so on. */
#ifndef FXT_SERIES_H
#define FXT_SERIES_H

struct fxt_series {
	const char *path;	/* what the user asked for */
	unsigned int keep;	/* files that stay; 0: all */
	unsigned int count;	/* names given */
	unsigned int trimmed;	/* of these, files removed */
};

/* The next file's name, to be freed; NULL: no memory. */
char *fxt_series_next(struct fxt_series *series);

/* The file of that number, the newest, is whole: removes those that are too many. */
void fxt_series_trim(struct fxt_series *series, unsigned int newest);

#endif
