/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the reader of FXT share. */
#ifndef FXT_CONVERT_FXT_READ_H
#define FXT_CONVERT_FXT_READ_H

#include "codec/decoder.h"
#include "codec/reader.h"
#include "convert/format.h"
#include "formats/fxt/clock.h"
#include "model/ending.h"

/* A provider of the file. */
struct fxt_file_source {
	int index;			/* of the sorter's provider */
	const struct fxt_provider *provider;
	const struct fxt_provider *own;	/* the decoder's */
	__u64 last_ns;
	__u64 sched_ns;			/* of the last switch or wakeup of a recording's CPU; 0: none so far */
	bool is_cpu;			/* of a recording of fxtrec, of that CPU */
	__u32 cpu;
	bool looked;			/* at its strings and threads: what follows is valid */
	bool is_recording;
	bool moves;			/* and of migrations, too, on a track of that process */
	__u64 process;
	__u32 damages;			/* of the file, so far, that its CPU's losses report */
	struct fxt_stream *stream;	/* NULL: none with the current parameters */
};

struct fxt_file_reader {
	struct fxt_conversion *c;
	struct fxt_in *in;
	struct fxt_reader reader;
	struct fxt_decoder decoder;
	struct fxt_record r;
	__u8 *payload;			/* of a large record, whole */
	struct fxt_map sources;		/* by address of the decoder's provider */
	struct fxt_file_source *source;	/* of the last record; NULL: none so far */
	bool clock_known;
	struct fxt_fit fit;		/* from ticks in ns to CLOCK_MONOTONIC */
	struct fxt_ending ending;
	int again;			/* the input, to be read again by streams; or -errno */
	__u32 damages;			/* so often the file was damaged; behind each, no CPU's events are sure to go on */
};

/* CLOCK_MONOTONIC, where the file says how, of ticks of the decoder's provider. */
static inline __u64 fxt_file_ns(const struct fxt_file_reader *rd, __u64 ticks)
{
	return fxt_fit_ns(&rd->fit, fxt_provider_ns(rd->decoder.provider, ticks));
}

/* Another provider, clock or string table may change how the next records are read. */
void fxt_file_source_follow(struct fxt_file_reader *rd, struct fxt_file_source *s);

/*
 * Scheduling records of a recording, which most records are, migrations among them: those of a CPU come in runs,
 * in the order of time.  A run of the window that can be left in the input is only measured here.
 * False where there is none.
 */
bool fxt_file_run_leave(struct fxt_file_reader *rd);

/* Another scheduling record: 1 where the sorter has it, 0 where the decoder has to read it, -errno. */
int fxt_file_brief_put(struct fxt_file_reader *rd, const struct fxt_frame *frame);

#endif
