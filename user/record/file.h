/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of a recording, one at a time: their names, their formats, how many stay. */
#ifndef FXT_RECORD_FILE_H
#define FXT_RECORD_FILE_H

#include "options.h"
#include "output.h"
#include "series.h"
#include "target.h"

/* A file that has ended, but may yet be on its way to the disk. */
struct fxt_record_ended {
	struct fxt_output output;
	struct fxt_target target;
	unsigned int number;
	char *path;		/* NULL: there is none */
};

struct fxt_record_file {
	struct fxt_series series;
	struct fxt_target target;
	struct fxt_finishers finishers;
	struct fxt_record_ended ended;
	int numbered;		/* trace.0001.fxt and so on */
	__u64 sync_ns;		/* of fxt_output_open() */
	char *path;		/* NULL: none is open */
};

/* Opens the next one.  0 or -errno with the error set, as below. */
int fxt_record_file_open(struct fxt_record_file *file, struct fxt_output *output,
			 struct fxt_error *error);

/*
 * Ends it, so that the next can be opened: nobody waits for the disk, unless the
 * one before is not there yet, nor for what it is converted to.
 */
int fxt_record_file_end(struct fxt_record_file *file, struct fxt_output *output,
			struct fxt_error *error);

/* Sees to one that ended, once all of it is written; to be called now and then. */
int fxt_record_file_look(struct fxt_record_file *file, struct fxt_error *error);

/* The last one, already closed: converts it, and waits for the others. */
int fxt_record_file_finish(struct fxt_record_file *file, struct fxt_error *error);

/* A file that is closed and converted. */
void fxt_record_file_done(struct fxt_record_file *file);

/* Closes and removes what could not be written; the error stays. */
void fxt_record_file_drop(struct fxt_record_file *file, struct fxt_output *output);

#endif
