/* SPDX-License-Identifier: GPL-2.0-only */
/* The file that a recording goes to. */
#ifndef FXT_OUTPUT_OUTPUT_H
#define FXT_OUTPUT_OUTPUT_H

#include <stdbool.h>
#include <sys/uio.h>

#include "output/writer.h"

/*
 * What is written is gathered in blocks, which a writer takes to the file.  Where
 * the file system can (it says so by statx()), they go past the page cache: that
 * costs the recorded machine less than a quarter as much, and keeps its cache as
 * it was.
 */
struct fxt_output {
	const char *name;	/* for messages */
	__u64 bytes;		/* written so far, with what is yet on the way */
	bool seekable;
	struct fxt_writer *writer;
	struct fxt_block *block;	/* being filled; or NULL */
	__u32 align;		/* of a block's bytes; 0: none is needed */
	__u64 filler;		/* the section record of those that come: fills a block; 0: none yet */
};

/*
 * Creates the file, readable by its owner alone; "-" is standard output.  A
 * regular file is synced to the disk each sync_ns, and in the end (0: never).  -errno.
 */
int fxt_output_open(struct fxt_output *output, const char *path, __u64 sync_ns);

/*
 * Writes all of it, whole records; waits for no disk, but for one that is too
 * far behind.  -errno, of this write or an earlier one; the file is then cut back
 * so that it ends in a whole record.  -EBADF where none is open.
 */
int fxt_output_write(struct fxt_output *output, const struct iovec *vector, int count);

/* Of a sink whose arg is an output: writes the records as they are.  -errno. */
int fxt_output_put(void *output, const void *records, size_t bytes);

/*
 * Of a sink whose arg is a section, one provider's records in an output: writes the
 * section record first where another provider's were written last.  -errno.
 */
struct fxt_section {
	struct fxt_output *output;
	__u32 provider;
};
int fxt_section_put(void *section, const void *records, size_t bytes);

/* Sends all that was written on its way.  -errno. */
int fxt_output_flush(struct fxt_output *output);

/* Ends what is written, to be closed next, which won't wait once it is idle. */
void fxt_output_end(struct fxt_output *output);
bool fxt_output_idle(const struct fxt_output *output);

/* 0, or what any write failed with, -errno. */
int fxt_output_close(struct fxt_output *output);

#endif
