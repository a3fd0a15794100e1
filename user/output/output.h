/* SPDX-License-Identifier: GPL-2.0-only */
/* The file that a recording is written to. */
#ifndef FXT_OUTPUT_OUTPUT_H
#define FXT_OUTPUT_OUTPUT_H

#include <stdbool.h>
#include <sys/uio.h>

#include "output/writer.h"

/*
 * Records are collected in blocks, which a thread writes.  If the file system supports it (by statx()), they go past
 * the page cache: that costs the recorded machine less than a quarter, and leaves its cache as it was.
 */
struct fxt_output {
	const char *name;	/* for messages */
	__u64 bytes;		/* bytes written so far, including blocks on their way */
	struct fxt_writer *writer;
	struct fxt_block *block;	/* the block that is being filled; or NULL */
	__u32 align;		/* alignment of a block's size; 0: any size */
	struct fxt_idle *idle;	/* runs while a write waits for a slow disk; NULL: nothing runs */
	const struct fxt_patience *patience;	/* limit of the wait for a disk that does not answer; NULL: for ever */
	__u64 filler;		/* the section record of the current section, which pads blocks; 0: none yet */
};

/*
 * Has the file created, readable by its owner alone, without waiting; "-" is standard output.  An existing file is kept
 * (fxt_older_keep()); new: -EEXIST for an existing file.  A regular file is synced to the disk every sync_ns, and at
 * the end (0: never).  Path and patience have to stay.  -errno.
 */
int fxt_output_open(struct fxt_output *output, const char *path, bool new, __u64 sync_ns,
		    const struct fxt_patience *patience);

/* Returns 0 once the file is open, -EINPROGRESS before, or -errno where it can't be opened. */
int fxt_output_opened(struct fxt_output *output);

/*
 * Returns, once the file is open, the new path of the previous file of that name, a heap string that the caller frees;
 * NULL: no such file.
 */
char *fxt_output_kept(struct fxt_output *output);

/* Returns the meaning of an error of an output; -ESTALE: the file was removed. */
const char *fxt_output_error(int err);

/* Waits until the file is open.  -errno; -ECANCELED where the wait is given up. */
int fxt_output_await(struct fxt_output *output);

/*
 * Writes whole records; waits for the disk only where too many bytes are queued.  -errno of this write or an earlier
 * one; the file is then cut back to the end of a whole record.  -EBADF where no file is open, -ECANCELED where the wait
 * for the disk is given up.
 */
int fxt_output_write(struct fxt_output *output, const struct iovec *vector, int count);

/* Writes the records as they are: put() of a sink with an output as its arg.  -errno. */
int fxt_output_put(void *output, const void *records, size_t bytes);

/*
 * Records of a provider in an output, as a sink's arg, and put() of that sink: writes the section record first where
 * the last records are another provider's.  -errno.
 */
struct fxt_section {
	struct fxt_output *output;
	__u32 provider;
};
int fxt_section_put(void *section, const void *records, size_t bytes);

/*
 * Passes the block that is being filled to the writer.  Where blocks aren't padded, as in a pipe, a section record that
 * changes nothing ends the block: so a reader recognizes a flush.  -errno.
 */
int fxt_output_flush(struct fxt_output *output);

/* Ends the output.  fxt_output_close() has to follow, which does not wait once the output is idle. */
void fxt_output_end(struct fxt_output *output);
bool fxt_output_idle(const struct fxt_output *output);

/*
 * Closes the output.  0, or the first error of any write, -errno; -ECANCELED where the wait for the disk is given up.
 */
int fxt_output_close(struct fxt_output *output);

#endif
