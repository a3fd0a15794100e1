/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Streams: scheduling records of one CPU that lie in time order in the input.
 * They stay there, are noted by their extents, and read again when it is their
 * turn: most of a recording is never kept, sorted or spilled.
 */
#ifndef FXT_CONVERT_SORT_STREAM_H
#define FXT_CONVERT_SORT_STREAM_H

#include "model/sched_brief.h"

struct fxt_streams {
	struct fxt_stream **stream;
	size_t count;
	size_t extent_count;	/* of all streams */
	__u64 noted;		/* records, likewise */
	int *fds;		/* of inputs that streams read again */
	size_t fd_count;
};

/* How a stream's records are to be read. */
struct fxt_stream_of {
	int fd;			/* the input's, by fxt_streams_input() */
	const struct fxt_provider *provider;	/* the sorter's */
	__u32 cpu;		/* whose records they are */
	__u64 ticks_per_second;
	__u64 offset;		/* from ticks in ns to the sorter's times */
};

void fxt_streams_uninit(struct fxt_streams *streams);

/* An open file that streams are to read; a file descriptor of theirs, or -errno. */
int fxt_streams_input(struct fxt_streams *streams, int fd);

/* A new stream, still empty; NULL: there are too many, or no memory is left. */
struct fxt_stream *fxt_streams_add(struct fxt_streams *streams, const struct fxt_stream_of *of);

/* Whether a stream's records are read so. */
bool fxt_stream_is(const struct fxt_stream *stream, const struct fxt_stream_of *of);

/*
 * Notes a record that fxt_sched_switch_read() or fxt_sched_wakeup_read() reads,
 * by its place in the input.  False where it is not this stream's next, or there
 * are too many extents: the caller keeps the record elsewhere.
 */
bool fxt_stream_note(struct fxt_streams *streams, struct fxt_stream *stream, const struct fxt_frame *frame,
		   __u64 ns);

/* Ends noting. */
void fxt_streams_begin(struct fxt_streams *streams);

/*
 * A stream's next record as fxt_stream_record() gives it, until the next call.
 * 1, with its time; 0 at the stream's end; -errno, -EIO where the input is no
 * longer what it was.
 */
int fxt_stream_next(struct fxt_stream *stream, __u64 *ns);

/* Sets a record's kind, view and provider. */
void fxt_stream_record(const struct fxt_stream *stream, struct fxt_record *r);

#endif
