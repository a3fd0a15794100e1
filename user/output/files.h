/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of a recording, one at a time: their names, and how many are kept. */
#ifndef FXT_OUTPUT_FILES_H
#define FXT_OUTPUT_FILES_H

#include "output/output.h"
#include "util/error.h"
#include "util/series.h"

struct fxt_file {
	char *path;		/* NULL: there is none */
	unsigned int number;	/* in its series */
	struct fxt_output output;
};

struct fxt_files {
	struct fxt_series series;
	bool numbered;		/* trace.0001.fxt and so on */
	bool whole;		/* a file that can't be written as a whole is removed */
	__u64 sync_ns;		/* of fxt_output_open() */
	struct fxt_file now;	/* records go to it */
	struct fxt_file next;	/* open, to follow */
	struct fxt_file ended;	/* may be on its way to the disk still */
};

/* Opens the first file, or a flight recorder's next.  0 or -errno with the error set, as below. */
int fxt_files_open(struct fxt_files *files, struct fxt_error *error);

/*
 * Opens the file that is to follow while this one goes on: where that fails, this one
 * still takes what was recorded.
 */
int fxt_files_next(struct fxt_files *files, struct fxt_error *error);

/* Ends this file, and puts the one that follows, if there is one, in its place. */
void fxt_files_turn(struct fxt_files *files);

/* Whether the ended file is on its way to the disk still; none may end until then. */
bool fxt_files_ending(const struct fxt_files *files);

/* Closes the ended file once it is on the disk; never waits. */
int fxt_files_poll(struct fxt_files *files, struct fxt_error *error);

/*
 * Closes all files, and waits for the disk.  err is what the recording failed with, or
 * 0: only then this file counts among those that are kept.  Returns the first error;
 * later ones are reported.
 */
int fxt_files_finish(struct fxt_files *files, int err, struct fxt_error *error);

/* Closes and removes this file. */
void fxt_files_drop(struct fxt_files *files);

/* Frees the names. */
void fxt_files_uninit(struct fxt_files *files);

#endif
