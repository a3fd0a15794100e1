/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads a recording in progress from a pipe, and puts its records in time order, a little later. */
#ifndef FXT_LIVE_LIVE_H
#define FXT_LIVE_LIVE_H

#include "codec/decoder.h"
#include "codec/reader.h"
#include "stream/fit.h"
#include "live/keep.h"
#include "live/queue.h"

/*
 * Delay of a record at most: a CPU that its host doesn't run may be inside of a record,
 * which then comes after younger records.
 */
#define FXT_LIVE_DELAY_NS	400000000ULL

/* Flush interval to ask the recorder for: a record is passed on only after a flush. */
#define FXT_LIVE_FLUSH		"200ms"

struct fxt_live_ops {
	/*
	 * Takes the next record, with ticks in ns.  Returns 0, or another number to end
	 * fxt_live_run(), which returns it.
	 */
	int (*put)(void *arg, const struct fxt_record *r);
	/* Learns that all records before ns were put.  Returns as put does. */
	int (*advance)(void *arg, __u64 ns);
	/* Waits until the pipe with that descriptor can be read.  Returns as put does. */
	int (*wait)(void *arg, int fd);
};

struct fxt_live {
	const struct fxt_live_ops *ops;
	void *arg;
	int fd;			/* descriptor of the pipe */
	int copy;		/* descriptor that gets a copy of all bytes; -1: no copy */
	int copy_err;		/* -errno of writing the copy */
	int result;		/* number other than 0 that an operation returned */
	struct fxt_reader reader;
	struct fxt_decoder decoder;
	struct fxt_record r;
	struct fxt_live_queue queue;
	__u64 flushed;		/* ns of the newest record at the end of the last flush */
	__u64 complete;		/* ns of the newest record at the end of the flush before the last; all older records
				 * have come */
	struct fxt_map sources;	/* sources by address of the decoder's provider */
	struct fxt_live_source *source;	/* source of the last record; NULL: no record yet */
	__u64 last;		/* ns of the last record with a time */
	bool clock_known;
	struct fxt_fit fit;
	struct fxt_keep *keep;	/* last seconds of the recording; NULL: not kept */
};

/* Initializes; the descriptors stay the caller's.  Returns 0 or -ENOMEM. */
int fxt_live_init(struct fxt_live *live, int fd, int copy, const struct fxt_live_ops *ops, void *arg);
void fxt_live_uninit(struct fxt_live *live);

/*
 * Reads until the pipe ends, or an operation ends it.  Returns 0 at the pipe's end, the operation's number, or -errno.
 */
int fxt_live_run(struct fxt_live *live);

/* Copies the rest of the pipe, without reading its records.  Returns 0 or -errno. */
int fxt_live_finish(struct fxt_live *live);

#endif
