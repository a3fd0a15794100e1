/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of a recording, one at a time: their names, their formats, how many stay. */
#ifndef FXT_RECORD_FILE_H
#define FXT_RECORD_FILE_H

#include "options.h"
#include "output.h"
#include "series.h"
#include "target.h"

struct fxt_record_file {
	struct fxt_series series;
	struct fxt_target target;
	struct fxt_finishers finishers;
	int numbered;		/* trace.0001.fxt and so on */
	char *path;		/* NULL: none is open */
};

/* Opens the next one.  0 or -errno with the error set, as below. */
int fxt_record_file_open(struct fxt_record_file *file, struct fxt_output *output,
			 struct fxt_error *error);

/* Closes it; what it is converted to, where it is, nobody waits for. */
int fxt_record_file_close(struct fxt_record_file *file, struct fxt_output *output,
			  struct fxt_error *error);

/* The last one, already closed: converts it, and waits for the others. */
int fxt_record_file_finish(struct fxt_record_file *file, struct fxt_error *error);

/* A file that is closed and converted. */
void fxt_record_file_done(struct fxt_record_file *file);

/* Closes and removes what could not be written; the error stays. */
void fxt_record_file_drop(struct fxt_record_file *file, struct fxt_output *output);

#endif
