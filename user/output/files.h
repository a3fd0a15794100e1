/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of a recording, one at a time: their names, and how many are kept.  None is opened,
 * closed or removed by the thread that calls: a file system may take its time.
 */
#ifndef FXT_OUTPUT_FILES_H
#define FXT_OUTPUT_FILES_H

#include "output/output.h"
#include "util/error.h"
#include "util/series.h"

struct fxt_file {
	char *path;		/* NULL: there is none */
	unsigned int number;	/* in its series */
	enum fxt_series_kind kind;
	char *kept;		/* the new path of the file that was there before; NULL: none was */
	bool dropped;		/* it is removed once it is closed */
	struct fxt_output output;
};

struct fxt_files {
	struct fxt_series series;
	bool numbered;		/* trace.0001.fxt and so on */
	enum fxt_series_kind kind;	/* of the next file */
	bool whole;		/* a file that can't be written as a whole is removed */
	__u64 sync_ns;		/* of fxt_output_open() */
	const struct fxt_patience *patience;	/* with what is waited for; it has to stay */
	struct fxt_file now;	/* records go to it */
	struct fxt_file next;	/* to follow */
	struct fxt_file ended;	/* may still be written to the disk */
	__u64 ended_bytes;	/* of all files before this one */
	struct fxt_aside *removals;	/* of files */
	int followed;		/* why no file can be created; -errno, or 0 */
};

/*
 * Goes on after the files that are there, where they are numbered.  -ECANCELED: that was given up.  -errno
 * where no file can be created beside them.
 */
int fxt_files_follow(struct fxt_files *files, struct fxt_error *error);

/*
 * Has this file opened, a flight recorder's next: records may be written to it at once.  0 or
 * -errno with the error set, as below; -EAGAIN where no thread can be started: later one may be.
 */
int fxt_files_start(struct fxt_files *files, struct fxt_error *error);

/* The same, and waits for it. */
int fxt_files_open(struct fxt_files *files, struct fxt_error *error);

/*
 * Has the file opened that is to follow while this one goes on: where that fails, this one
 * still takes what was recorded.  1 once it is open, 0 before; to be called until then.
 */
int fxt_files_next(struct fxt_files *files, struct fxt_error *error);

/* Ends this file, and puts the one that follows, if there is one, in its place. */
void fxt_files_turn(struct fxt_files *files);

/* The same without one that follows: this one is removed. */
void fxt_files_drop(struct fxt_files *files);

/* Whether the ended file is still written to the disk; no other may end until then. */
bool fxt_files_ending(const struct fxt_files *files);

/* Closes the ended file once it is on the disk, and removes the oldest; never waits. */
int fxt_files_poll(struct fxt_files *files, struct fxt_error *error);

/*
 * Closes all files, and waits for the disk.  err is what the recording failed with, or
 * 0: only then this file counts among those that are kept.  Returns the first error;
 * later ones are reported.
 */
int fxt_files_finish(struct fxt_files *files, int err, struct fxt_error *error);

/* Frees the names. */
void fxt_files_uninit(struct fxt_files *files);

#endif
