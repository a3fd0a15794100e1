/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of a recording, one at a time: their names, and the number of files that are kept.  The calling thread
 * opens, closes and removes no file: a file system may take long.
 */
#ifndef FXT_OUTPUT_FILES_H
#define FXT_OUTPUT_FILES_H

#include "output/output.h"
#include "util/error.h"
#include "util/series.h"

struct fxt_file {
	char *path;		/* NULL: no file */
	unsigned int number;	/* in its series */
	enum fxt_series_kind kind;
	char *kept;		/* the new path of the previous file of that name; NULL: no such file */
	bool dropped;		/* to be removed once it is closed */
	struct fxt_output output;
};

struct fxt_files {
	struct fxt_series series;
	bool numbered;		/* names are trace.0001.fxt and so on */
	enum fxt_series_kind kind;	/* of the next file */
	bool whole;		/* a file that can't be written completely is removed */
	__u64 sync_ns;		/* argument of fxt_output_open() */
	const struct fxt_patience *patience;	/* limit of waits; has to stay */
	struct fxt_file now;	/* the current file, which gets the records */
	struct fxt_file next;	/* the file after the current one */
	struct fxt_file ended;	/* the previous file, which may still be written to the disk */
	__u64 ended_bytes;	/* bytes of all files before the current one */
	struct fxt_aside *removals;	/* running removals of files */
	int followed;		/* -errno where no file can be created, or 0 */
};

/*
 * Continues after the existing files, where files are numbered.  -ECANCELED: the wait was given up.  -errno where no
 * file can be created beside them.
 */
int fxt_files_follow(struct fxt_files *files, struct fxt_error *error);

/*
 * Has the current file opened, a flight recorder's next: records may be written to it at once.  0 or -errno with the
 * error set, as below; -EAGAIN where no thread can be started: a later try may succeed.
 */
int fxt_files_start(struct fxt_files *files, struct fxt_error *error);

/* Does the same, and waits until the file is open. */
int fxt_files_open(struct fxt_files *files, struct fxt_error *error);

/*
 * Has the next file opened while the current one continues: if that fails, the current file still gets the records.
 * Returns 1 once the file is open, 0 before; to be called until then.
 */
int fxt_files_next(struct fxt_files *files, struct fxt_error *error);

/* Ends the current file, and makes the next one, if there is any, the current one. */
void fxt_files_turn(struct fxt_files *files);

/* Ends the current file without a next one, and has it removed. */
void fxt_files_drop(struct fxt_files *files);

/* Returns whether the ended file is still written to the disk; no other file may end until then. */
bool fxt_files_ending(const struct fxt_files *files);

/* Closes the ended file once it is on the disk, and removes the oldest surplus file; never waits. */
int fxt_files_poll(struct fxt_files *files, struct fxt_error *error);

/*
 * Closes all files, and waits for the disk.  err is the recording's error, or 0: only then the current file counts
 * among the files that are kept.  Returns the first error; later errors are reported.
 */
int fxt_files_finish(struct fxt_files *files, int err, struct fxt_error *error);

/* Frees the names. */
void fxt_files_uninit(struct fxt_files *files);

#endif
