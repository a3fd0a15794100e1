/* SPDX-License-Identifier: GPL-2.0-only */
/* One recording: from an open source to a finished file. */
#ifndef FXT_RECORD_RECORDING_H
#define FXT_RECORD_RECORDING_H

#include "describe/counters.h"
#include "describe/names.h"
#include "describe/process.h"
#include "marks/marks.h"
#include "output/files.h"
#include "record/drain.h"
#include "source/source.h"
#include "util/error.h"

struct fxt_recording {
	struct fxt_source source;
	struct fxt_files files;
	struct fxt_names names;
	struct fxt_drain drain;
	struct fxt_section section;	/* the tool's, of this file */
	struct fxt_sink tool;		/* to it */
	struct fxt_counters counters;
	bool takes_marks;	/* set by the caller: programs' marks are recorded */
	struct fxt_marks marks;
	struct fxt_process_list processes;	/* that lived when it began */
	__u64 began;		/* ticks, likewise */
	__u64 started;		/* CLOCK_MONOTONIC */
	__u64 ended;
	__u64 missed;		/* events that no CPU's rings could count */
	__u64 file_started;	/* CLOCK_MONOTONIC */
	__u64 files_bytes;	/* of the files before this one */
};

/*
 * In this order, each once but run; 0 or -errno with the error set.  Source and
 * the first file are open before begin; the files are the caller's to finish.
 */
int fxt_recording_begin(struct fxt_recording *r, __u64 flush_ns, struct fxt_error *error);
int fxt_recording_run(struct fxt_recording *r, struct fxt_error *error);

/* Nanoseconds until it is to be run again. */
__u64 fxt_recording_period(const struct fxt_recording *r);

/*
 * Has the file end here, and the next one, which is the caller's to open in
 * between, begin: each stands alone, and no event is missing between them.
 */
int fxt_recording_file_end(struct fxt_recording *r, struct fxt_error *error);
int fxt_recording_file_begin(struct fxt_recording *r, struct fxt_error *error);

int fxt_recording_end(struct fxt_recording *r, struct fxt_error *error);

/* Closes the source too; what progress.h shows is gone with it. */
void fxt_recording_close(struct fxt_recording *r);

#endif
