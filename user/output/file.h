/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of a recording, one at a time: their names, their formats, how many stay. */
#ifndef FXT_OUTPUT_FILE_H
#define FXT_OUTPUT_FILE_H

#include "output/finishers.h"
#include "output/output.h"
#include "record/options.h"

struct fxt_record_file {
	struct fxt_series series;
	int numbered;		/* trace.0001.fxt and so on */
	bool whole;		/* what can't be written is removed */
	__u64 sync_ns;		/* of fxt_output_open() */
	struct fxt_target now;	/* the output is the caller's */
	struct fxt_target next;
	struct fxt_output next_output;
	struct fxt_target ended;	/* but maybe still on its way to the disk */
	struct fxt_output ended_output;
	struct fxt_finishers finishers;
};

/* Opens the first one, or one more of a flight recorder.  0 or -errno with the error set, as below. */
int fxt_record_file_open(struct fxt_record_file *file, struct fxt_output *output,
			 struct fxt_error *error);

/* Whether the one before is still on its way to the disk; then none is to follow yet. */
bool fxt_record_file_ending(const struct fxt_record_file *file);

/*
 * Opens the one that is to follow, while this one goes on: where that can't be, it
 * still takes what was recorded.
 */
int fxt_record_file_next(struct fxt_record_file *file, struct fxt_error *error);

/* Ends this one, and puts the one that follows, if there is one, in its place. */
void fxt_record_file_turn(struct fxt_record_file *file, struct fxt_output *output);

/* Sees to those that ended, once all is written, and converted; to be called now and then. */
int fxt_record_file_look(struct fxt_record_file *file, struct fxt_error *error);

/* Waits until the one that ended, if there is one, is written; it is converted later. */
int fxt_record_file_settle(struct fxt_record_file *file, struct fxt_error *error);

/* Whether any that ended is yet to be written or converted. */
bool fxt_record_file_busy(const struct fxt_record_file *file);

/*
 * The last one, already closed: converts it, and waits for the others.  Sees to all of
 * them, whatever fails; the error is the first one.  One that isn't whole takes no
 * other's place.
 */
int fxt_record_file_finish(struct fxt_record_file *file, bool whole, struct fxt_error *error);

/* Of a recording that didn't begin, with the output closed: leaves no temporary. */
void fxt_record_file_forget(struct fxt_record_file *file);

/* Closes and removes what could not be written; the error stays. */
void fxt_record_file_drop(struct fxt_record_file *file, struct fxt_output *output);

#endif
