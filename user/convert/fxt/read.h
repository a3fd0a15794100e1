/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the reader of FXT share. */
#ifndef FXT_CONVERT_FXT_READ_H
#define FXT_CONVERT_FXT_READ_H

#include "codec/decoder.h"
#include "codec/reader.h"
#include "convert/format.h"
#include "convert/in.h"

struct fxt_reading {
	struct fxt_conversion *c;
	struct fxt_in *in;
	struct fxt_reader reader;
	struct fxt_decoder decoder;
	struct fxt_record r;
	__u8 *payload;		/* of a large record, put together */
	/* By provider: its index in the sorter + 1, and the last time in it. */
	struct fxt_map providers;
	struct fxt_stream *stream;	/* of the decoder's provider; NULL: to be looked up */
	bool offset_known;
	__u64 offset;		/* from ticks in ns to CLOCK_MONOTONIC */
	int again;		/* the input, to be read again by streams; or -errno */
};

struct fxt_stream {
	int index;
	const struct fxt_provider *provider;	/* the sorter's, of that index */
	__u64 last_ns;
	bool is_cpu;		/* of a recording of ours, then cpu is whose */
	__u32 cpu;
	bool looked;		/* at its strings: conventional holds */
	bool conventional;
	struct fxt_stream *stream;	/* NULL: none yet, or its records are read otherwise now */
};

/* CLOCK_MONOTONIC, where the file says how, of ticks of the decoder's provider. */
static inline __u64 fxt_reading_ns(const struct fxt_reading *g, __u64 ticks)
{
	return fxt_provider_ns(g->decoder.provider, ticks) + g->offset;
}

/* After a record that the decoder has read: what it changes for the next ones of its stream. */
void fxt_stream_follow(struct fxt_reading *g, struct fxt_stream *s);

/*
 * Most of a recording: 1 where the frame's record was such a one and is in the
 * sorter, 0 where the decoder has to see to it, -errno.
 */
int fxt_brief_take(struct fxt_reading *g, const struct fxt_frame *frame);

#endif
