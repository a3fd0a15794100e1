/* SPDX-License-Identifier: GPL-2.0-only */
/* The file that a recording goes to. */
#ifndef FXT_OUTPUT_OUTPUT_H
#define FXT_OUTPUT_OUTPUT_H

#include <stdbool.h>
#include <sys/uio.h>

#include "output/writer.h"

/*
 * Records are gathered in blocks, which a thread writes.  Where the file system can
 * (by statx()), they go past the page cache: that costs the recorded machine less than a
 * quarter as much, and leaves its cache as it was.
 */
struct fxt_output {
	const char *name;	/* for messages */
	__u64 bytes;		/* written so far, with blocks that are on their way */
	struct fxt_writer *writer;
	struct fxt_block *block;	/* being filled; or NULL */
	__u32 align;		/* of a block's bytes; 0: none is needed */
	struct fxt_idle *idle;	/* while it waits for a disk that is far behind; NULL: nothing */
	const struct fxt_patience *patience;	/* with a disk that does not answer; NULL: for ever */
	__u64 filler;		/* the section record of those that follow, which pads blocks; 0: none yet */
};

/*
 * Has the file created, readable by its owner alone, and does not wait for that; "-" is standard
 * output.  A file that is there is kept (fxt_older_keep()); new: -EEXIST for a file that is there.  A regular file is synced to the disk each sync_ns,
 * and in the end (0: never).  Path and patience have to stay.  -errno.
 */
int fxt_output_open(struct fxt_output *output, const char *path, bool new, __u64 sync_ns,
		    const struct fxt_patience *patience);

/* 0 once it is open, -EINPROGRESS before, or why that failed. */
int fxt_output_opened(struct fxt_output *output);

/* Once it is open: the new path of the file that was there before, a heap string of the caller's; NULL: none was. */
char *fxt_output_kept(struct fxt_output *output);

/* Returns the meaning of an error of an output; -ESTALE: the file was removed. */
const char *fxt_output_error(int err);

/* Waits for it.  -errno; -ECANCELED where it is given up. */
int fxt_output_await(struct fxt_output *output);

/*
 * Writes all of it, whole records; waits for no disk, but for one that is too
 * far behind.  -errno, of this write or an earlier one; the file is then cut back
 * so that it ends in a whole record.  -EBADF where none is open, -ECANCELED where such a disk
 * is given up.
 */
int fxt_output_write(struct fxt_output *output, const struct iovec *vector, int count);

/* put() of a sink with an output as its arg: writes the records as they are.  -errno. */
int fxt_output_put(void *output, const void *records, size_t bytes);

/*
 * One provider's records in an output, as a sink's arg, and its put(): writes the section
 * record first where another provider's records are the last.  -errno.
 */
struct fxt_section {
	struct fxt_output *output;
	__u32 provider;
};
int fxt_section_put(void *section, const void *records, size_t bytes);

/*
 * Hands the block that is being filled to the writer.  Where blocks aren't padded, as in a pipe, a section
 * record that changes nothing ends it: so a reader knows that this was a flush.  -errno.
 */
int fxt_output_flush(struct fxt_output *output);

/* No more is written; it is closed next, which does not wait once it is idle. */
void fxt_output_end(struct fxt_output *output);
bool fxt_output_idle(const struct fxt_output *output);

/* 0, or what any write failed with, -errno; -ECANCELED where the disk is given up. */
int fxt_output_close(struct fxt_output *output);

#endif
