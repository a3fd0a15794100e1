/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording that goes on, read from a pipe: its records in the order of time, a little later. */
#ifndef FXT_LIVE_LIVE_H
#define FXT_LIVE_LIVE_H

#include "codec/decoder.h"
#include "codec/reader.h"
#include "convert/sort/fit.h"
#include "live/keep.h"
#include "live/queue.h"

/* For so long a CPU that its host doesn't run may be inside of a record, which then comes behind younger ones. */
#define FXT_LIVE_DELAY_NS	400000000ULL

/* What the recorder is to be asked for: only what was flushed is passed on. */
#define FXT_LIVE_FLUSH		"200ms"

struct fxt_live_ops {
	/* The next record, with ticks in ns.  0; any other number ends fxt_live_run(), which returns it. */
	int (*put)(void *arg, const struct fxt_record *r);
	/* All before a time were put; likewise. */
	int (*advance)(void *arg, __u64 ns);
	/* Until the pipe, of that descriptor, can be read; likewise. */
	int (*wait)(void *arg, int fd);
};

struct fxt_live {
	const struct fxt_live_ops *ops;
	void *arg;
	int fd;			/* the pipe */
	int copy;		/* all that comes is written there, too; -1 */
	int copy_err;		/* of that: -errno */
	int result;		/* of an operation, once it isn't 0 */
	struct fxt_reader reader;
	struct fxt_decoder decoder;
	struct fxt_record r;
	struct fxt_live_queue queue;
	__u64 flushed;		/* ns of the newest record before the last flush */
	__u64 complete;		/* of that before the flush before it: all older ones have come */
	struct fxt_map sources;	/* by address of the decoder's provider */
	struct fxt_live_source *source;	/* of the last record; NULL: none so far */
	__u64 last;		/* ns of the last record that had a time */
	bool clock_known;
	struct fxt_fit fit;
	struct fxt_keep *keep;	/* of the last seconds; NULL: they aren't kept */
};

/* Descriptors stay the caller's.  0 or -ENOMEM. */
int fxt_live_init(struct fxt_live *live, int fd, int copy, const struct fxt_live_ops *ops, void *arg);
void fxt_live_uninit(struct fxt_live *live);

/* Reads until the pipe ends, which is 0, or an operation ends it; -errno. */
int fxt_live_run(struct fxt_live *live);

/* From now on it is only copied, until the pipe ends.  0 or -errno. */
int fxt_live_finish(struct fxt_live *live);

#endif
