/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Streams: scheduling records of one CPU, including migrations, that are in time order in the input.  Only their
 * extents are kept, and the records are read again in the merge: most of a recording is never kept, sorted or spilled.
 */
#ifndef FXT_STREAM_REREAD_H
#define FXT_STREAM_REREAD_H

#include "stream/fit.h"
#include "stream/merge.h"
#include "model/sched_view.h"

struct fxt_streams {
	struct fxt_stream **stream;
	size_t count;
	size_t extent_count;	/* number of extents of all streams */
	__u64 records;		/* number of records of all streams */
	int *fds;		/* descriptors of the inputs */
	size_t fd_count;
};

/* Parameters for reading a stream's records. */
struct fxt_stream_params {
	int fd;			/* descriptor of the input, by fxt_streams_input() */
	const struct fxt_provider *provider;	/* provider of the sorter */
	__u32 cpu;		/* CPU that recorded them */
	bool moves;		/* has migrations, too, on a track of process */
	__u64 process;
	__u32 input, machine;	/* numbers of the input and of the machine */
	__u64 ticks_per_second;
	struct fxt_fit fit;	/* from ticks in ns to the sorter's times */
};

void fxt_streams_uninit(struct fxt_streams *streams);

/* Duplicates the descriptor of an input that streams read again; returns it, or -errno. */
int fxt_streams_input(struct fxt_streams *streams, int fd);

/* Adds a stream, still empty; NULL: there are too many, or no memory is left. */
struct fxt_stream *fxt_streams_add(struct fxt_streams *streams, const struct fxt_stream_params *params);

/* Returns whether a stream has these parameters. */
bool fxt_stream_matches(const struct fxt_stream *stream, const struct fxt_stream_params *params);

/*
 * Returns whether a record that fxt_stream_view_read() reads can be left at its offset in the input: false where it is
 * earlier than the last one, or there are too many extents, and the caller keeps the record itself.  If true, the
 * record has to be appended.
 */
bool fxt_stream_accepts(struct fxt_streams *streams, struct fxt_stream *stream, __u64 offset, __u64 ns);

/* Appends that record and the records that follow it in the input without a gap, in time order, up to an offset. */
void fxt_stream_append(struct fxt_streams *streams, struct fxt_stream *stream, __u64 end, __u64 records,
		       __u64 last_ns);

/*
 * Adds all streams to the merge; no record can be appended then; -EIO where an input has changed.  views: reads a
 * migration, too, as its view alone: an event without name and arguments.
 */
int fxt_streams_merge(struct fxt_streams *streams, struct fxt_merge *merge, bool views);

#endif
