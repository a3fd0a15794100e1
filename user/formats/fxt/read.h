/* SPDX-License-Identifier: GPL-2.0-only */
/* Types and functions that the parts of the reader of FXT share. */
#ifndef FXT_CONVERT_FXT_READ_H
#define FXT_CONVERT_FXT_READ_H

#include "codec/decoder.h"
#include "codec/reader.h"
#include "convert/format.h"
#include "formats/fxt/clock.h"
#include "model/ending.h"

/* A provider of the file. */
struct fxt_file_source {
	int index;			/* index of the sorter's provider */
	const struct fxt_provider *provider;
	const struct fxt_provider *own;	/* the decoder's provider */
	__u64 last_ns;
	__u64 sched_ns;			/* time of the last switch or wakeup of a recording's CPU; 0: none so far */
	bool is_cpu;			/* the provider of CPU cpu, in a recording of fxtrec */
	__u32 cpu;
	bool looked;			/* strings and threads were checked: the next members are valid */
	bool is_recording;
	bool moves;			/* it also has migrations, on a track of process */
	__u64 process;
	__u32 damages;			/* number of the file's damages that its CPU's losses include */
	struct fxt_stream *stream;	/* NULL: not created with the current parameters */
};

struct fxt_file_reader {
	struct fxt_conversion *c;
	struct fxt_in *in;
	struct fxt_reader reader;
	struct fxt_decoder decoder;
	struct fxt_record r;
	__u8 *payload;			/* whole payload of a large record */
	struct fxt_map sources;		/* struct fxt_file_source, by address of the decoder's provider */
	struct fxt_file_source *source;	/* source of the last record; NULL: none so far */
	bool clock_known;
	struct fxt_fit fit;		/* from ticks in ns to CLOCK_MONOTONIC */
	struct fxt_ending ending;
	int again;			/* the input, for reading it again by streams; or -errno */
	__u32 damages;			/* number of damages so far; after each, any CPU's events may be missing */
};

/* Converts ticks of the decoder's provider to CLOCK_MONOTONIC, where the file has its readings. */
static inline __u64 fxt_file_ns(const struct fxt_file_reader *rd, __u64 ticks)
{
	return fxt_fit_ns(&rd->fit, fxt_provider_ns(rd->decoder.provider, ticks));
}

/* Adapts to another provider, clock or string table, which may change how the next records are read. */
void fxt_file_source_follow(struct fxt_file_reader *rd, struct fxt_file_source *s);

/*
 * Leaves a run of scheduling records and migrations in the input, where it is in the window and can be left: only
 * measures it.  Most records of a recording are in such runs, as a CPU's records come in time order.  1; 0 where there
 * is no run; -ENOMEM.
 */
int fxt_file_run_leave(struct fxt_file_reader *rd);

/* Reads another scheduling record: 1 where the sorter has it, 0 where the decoder has to read it, -errno. */
int fxt_file_brief_put(struct fxt_file_reader *rd, const struct fxt_frame *frame);

#endif
